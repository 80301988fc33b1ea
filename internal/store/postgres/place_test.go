package postgres

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/store"
)

// A password in an address is rejected, and no error shows it, however the address is wrong.
func TestPasswordsAreNotShown(t *testing.T) {
	for _, place := range []string{
		"postgres://me:hidden@host/db", "postgres://me@host/db?password=hidden", "postgres://me@host/db?sslpassword=hidden&x=1",
		"service=team password=hidden", "service=team password = 'hid den'", "service=team sslpassword=hidden",
		"postgres://me:hidden@host:port/db", "postgres://me:hidden@[/db", "postgres://me:hid den@host/%zz", "postgres://me:hidden@host/db?sslmode=never",
		"postgres://u:a?hid@h:99/db", "postgres://u:p#hid@h/db", "postgres://u:se[hid@h/db", "postgres://h/db?x=1&password=hid;y", "postgres://h/db?password=a%zzhid",
	} {
		_, err := configure(place)
		if err == nil {
			t.Errorf("%s was accepted", place)
			continue
		}
		for _, shown := range []string{err.Error(), store.Redacted(place)} {
			if strings.Contains(shown, "hid") || strings.Contains(shown, "den") {
				t.Errorf("%s is revealed by: %s", place, shown)
			}
		}
	}
}

// libpq's other sources of an address are used: a service file, a password file, the environment.
func TestPlacesOfLibpq(t *testing.T) {
	dir := t.TempDir()
	service, pass := filepath.Join(dir, "service"), filepath.Join(dir, "pass")
	for path, content := range map[string]string{
		service: "[team]\nhost=db.example\ndbname=questions\nuser=hub\n", pass: "db.example:*:questions:hub:from the file\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PGSERVICEFILE", service)
	t.Setenv("PGPASSFILE", pass)
	for place, want := range map[string]string{
		"service=team": "hub@db.example/questions from the file", "postgres://hub@db.example/questions?pool_max_conns=9": "hub@db.example/questions from the file",
		"postgres://hub@db.example/other": "hub@db.example/other ",
	} {
		c, err := configure(place)
		if err != nil {
			t.Error(err)
			continue
		}
		conn := c.ConnConfig
		if got := conn.User + "@" + conn.Host + "/" + conn.Database + " " + conn.Password; got != want {
			t.Errorf("%s: got %q, want %q", place, got, want)
		}
	}
	t.Setenv("PGPASSWORD", "of the environment")
	if c, err := configure("postgres://hub@db.example/other"); err != nil || c.ConnConfig.Password != "of the environment" {
		t.Errorf("PGPASSWORD is ignored: %v", err)
	}
}
