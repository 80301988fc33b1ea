//go:build !linux

package postgres

import "testing"

func TestEngine(t *testing.T) {
	t.Skip("the tests can only start a PostgreSQL server on Linux")
}
