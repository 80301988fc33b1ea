//go:build !linux

package postgres

import "testing"

func TestEngine(t *testing.T) {
	t.Skip("these cases start a PostgreSQL server of their own, which they do on Linux alone")
}
