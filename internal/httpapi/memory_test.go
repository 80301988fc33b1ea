package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/waits"
)

// manyWaits is how many requests wait at the same time: an account's maximum.
const manyWaits = maxWaits

// An account's maximum of requests can wait at the same time. Each takes at most four times the memory of a waiting
// request in a plain server.
func TestMemoryOfWaits(t *testing.T) {
	release, waiting := make(chan struct{}), make(chan struct{}, manyWaits)
	plain := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		waiting <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer plain.Close()
	least := memoryOf(t, strings.TrimPrefix(plain.URL, "http://"), "/", func() {
		for range manyWaits {
			waits.For(t, waiting)
		}
	}, func() { close(release) })

	d := open(t, t.TempDir(), nil)
	id := d.ask(`{"question":"Q?"}`)
	d.editor.UntilState(id, protocol.ItemPending)
	address := strings.TrimPrefix(d.base, "http://")
	each := memoryOf(t, address, "/v1/questions/"+id+"?wait=60s", func() {
		waits.Until(t, "all wait", func() bool {
			d.api.mu.Lock()
			defer d.api.mu.Unlock()
			for _, l := range d.api.links {
				return len(l.waits) == manyWaits
			}
			return false
		})
	}, func() { d.answer(id, "yes") })
	t.Logf("a waiting request takes %.1f KB, %.1f times that of a plain server", each/1000, each/least)
	if each > 4*least {
		t.Errorf("a waiting request takes %.1f times the memory of one in a plain server", each/least)
	}
}

// memoryOf returns the memory in bytes of each waiting request, including its client. Each gets status 200 at the end.
func memoryOf(t *testing.T, address, path string, untilAllWait, answer func()) float64 {
	t.Helper()
	before := inUse()
	conns := make([]net.Conn, manyWaits)
	for i := range conns {
		var err error
		if conns[i], err = (&net.Dialer{}).DialContext(t.Context(), "tcp", address); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conns[i].Close() }()
		if _, err := fmt.Fprintf(conns[i], "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, address, testToken); err != nil {
			t.Fatal(err)
		}
	}
	untilAllWait()
	each := (inUse() - before) / manyWaits
	answer()
	for _, conn := range conns {
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%d %s %v", response.StatusCode, body, err)
		}
	}
	return each
}

// inUse returns the size of the heap and the stacks in bytes.
func inUse() float64 {
	runtime.GC()
	runtime.GC() // the second collection empties the pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc + stats.StackInuse)
}
