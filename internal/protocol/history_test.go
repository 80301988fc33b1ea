package protocol

import (
	"testing"
	"time"
)

// Too many days keep everything. As a duration, they would wrap around, to half an hour at worst.
func TestRetentionAge(t *testing.T) {
	const century = 100 * 365 * 24 * time.Hour
	for days, least := range map[int]time.Duration{1: 24 * time.Hour, 36500: century, 213504: century, 999_999: century, 1 << 62: century} {
		if age := RetentionAge(days); age < least {
			t.Errorf("%d days are %v", days, age)
		}
	}
	if age := RetentionAge(0); age != 0 {
		t.Errorf("no days are %v", age)
	}
}
