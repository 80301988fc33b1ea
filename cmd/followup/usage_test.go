package main

import (
	"strings"
	"testing"
)

// Control characters in an argument, or in a file name that an agent chose, do not reach the terminal through an error.
func TestErrorsEscapeControlCharacters(t *testing.T) {
	const hostile = "a\x1b[2J\u202e\xff"
	for _, args := range [][]string{
		{"--" + hostile}, {"ask", "--questions", hostile}, {"import", hostile}, {"web", "--no-browser", "--listen", hostile},
		{"inbox", "--hub", hostile, "--hub-token-file", "none"},
	} {
		status, _, stderr := shell(t, storageDir(t), args...)
		if status == 0 || strings.ContainsAny(stderr, "\x1b\u202e") || !strings.Contains(stderr, "a\ufffd[2J\ufffd\ufffd") {
			t.Errorf("%q: status %d, %q", args, status, stderr)
		}
	}
}
