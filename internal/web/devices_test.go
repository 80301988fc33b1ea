package web

import (
	"path/filepath"
	"testing"
	"time"
)

// A browser's key that is made or used while the machine's clock is behind still works when it is right again.
func TestDeviceKeyWhileTheClockIsBehind(t *testing.T) {
	d, now := OpenDevices(filepath.Join(t.TempDir(), "web.json")), time.Now()
	before, err := d.add(now)
	if err != nil {
		t.Fatal(err)
	}
	behind := now.Add(-2 * deviceTime)
	made, err := d.add(behind)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{behind, now.Add(time.Hour)} {
		for name, key := range map[string]string{"before": before, "behind": made} {
			if !d.knows(key, at) {
				t.Errorf("the key made %s is lost", name)
			}
		}
	}
	if d.knows(before, now.Add(2*deviceTime)) {
		t.Error("an old key works")
	}
}
