package store

import (
	"errors"
	"strings"
	"testing"
)

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

// An unknown form of a database's address does not count as a folder.
func TestCheckPlace(t *testing.T) {
	for text, fits := range map[string]bool{
		"postgres://host/db": true, "service=team": true, "/home/me/.local/share/followup": true, `C:\Followup`: true, "": true, "./host=x": true,
		"host=h password=hidden": false, " dbname = x password=hidden": false, "password=hidden host=h": false, " service=team": false,
		"Postgres://me:hidden@h/db": false, "postgres+x://me:hidden@h/db": false, "mysql://me:hidden@h/db": false, "sslpassword=hidden": false,
	} {
		if err := CheckPlace(text); (err == nil) != fits || err != nil && !errors.Is(err, ErrPlace) {
			t.Errorf("%q: %v", text, err)
		}
		if shown := Redacted(text); strings.Contains(shown, "hidden") {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}

// A password is found and hidden wherever libpq and pgx accept one, even where URLs do not permit it.
func TestPasswordsAreFound(t *testing.T) {
	for text, shown := range map[string]string{
		"postgres://me:hidden@host/db":                 "postgres://…",
		"postgresql://:hidden@host:5432,other:5433/db": "postgresql://…",
		"postgres://u:a?hidden@h:99/db":                "postgres://…",
		"postgres://u:p#hidden@h/db":                   "postgres://…",
		"postgres://u:se[hidden@h/db":                  "postgres://…",
		"postgres://u:a/hidden@h/db":                   "postgres://…",
		"postgres://u:a@hidden@h/db":                   "postgres://…",
		"postgres://u:12/hidden@h/db":                  "postgres://…",
		"postgres://u:12/hidden?y@h/db":                "postgres://…",
		"postgres://h/db?x=1&password=hidden;y":        "postgres://…",
		"postgres://h/db?password=a%zzhidden":          "postgres://…",
		"postgres://h/db?pass%77ord=hidden":            "postgres://…",
		"postgres://h/db?x=1;password=hidden":          "postgres://…",
		"postgres://h/db?SSLPassword=hidden":           "postgres://…",
		"postgres://u@h?password=hidden":               "postgres://…",
		"service=team password=hidden":                 "service=team password=xxxxx",
		"service=team password = 'hid\\' hidden' x=1":  "service=team password = xxxxx x=1",
		"service=team sslpassword=a\\ hidden":          "service=team sslpassword=xxxxx",
	} {
		if !HasPassword(text) {
			t.Errorf("no password is found in %q", text)
		}
		if got := Redacted(text); got != shown {
			t.Errorf("%q: got %q, want %q", text, got, shown)
		}
	}
	for _, text := range []string{
		"postgres://me@host:5432/db", "postgres:///db?host=/run/postgresql&user=me", "postgres://h1:1,h2:2/db", "postgres://me@host:5432/d@b", "service=team",
		"postgres://me@[::1]:5432/db?passfile=/home/me/pass", "postgres:///db?user=me@realm&port=5432", "postgres://host:5432/db?user=me@realm",
	} {
		if HasPassword(text) {
			t.Errorf("a password is found in %q", text)
		}
	}
	if got := Redacted("postgres://me@host:5432/db?sslmode=require"); got != "postgres://me@host:5432/db?sslmode=require" {
		t.Errorf("got %q", got)
	}
}
