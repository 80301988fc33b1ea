package server

import (
	"math"
	"testing"
	"time"
)

// A number of days that a time.Duration has no room for must not delete what is new.
func TestRetentionOfManyDays(t *testing.T) {
	for days, least := range map[int]time.Duration{
		0: 0, 1: 24 * time.Hour, 30: 30 * 24 * time.Hour, 213_504: 30 * 365 * 24 * time.Hour, math.MaxInt: 30 * 365 * 24 * time.Hour,
	} {
		if age := retentionAge(days); age < least || days < 31 && age != least {
			t.Errorf("%d days: %v, want at least %v", days, age, least)
		}
	}
}
