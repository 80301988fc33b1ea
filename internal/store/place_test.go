package store

import "testing"

func TestIsDatabase(t *testing.T) {
	for text, want := range map[string]bool{
		"postgres://host/db": true, "postgresql:///db": true, "service=team": true,
		"/home/me/.local/share/followup": false, "postgres": false, "./service=team": false, `C:\Followup`: false, "": false,
	} {
		if got := IsDatabase(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
