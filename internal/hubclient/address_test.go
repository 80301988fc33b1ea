package hubclient_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"followup/internal/hubclient"
)

func TestParseURL(t *testing.T) {
	for _, test := range []struct {
		text     string
		insecure bool
		want     string // empty if refused
		says     string
	}{
		{"https://hub.example", false, "https://hub.example", ""},
		{" https://hub.example/ ", false, "https://hub.example", ""},
		{"https://hub.example:8443/team/", false, "https://hub.example:8443/team", ""},
		{"http://127.0.0.1:4000", false, "http://127.0.0.1:4000", ""},
		{"http://localhost:4000/", false, "http://localhost:4000", ""},
		{"http://[::1]:4000", false, "http://[::1]:4000", ""},
		{"http://hub.example", false, "", "not encrypted"},
		{"http://localhost.example", false, "", "not encrypted"},
		{"http://127.0.0.1.example", false, "", "not encrypted"},
		{"http://hub:8080", true, "http://hub:8080", ""},
		{"hub.example", false, "", "is not the address"},
		{"", false, "", "is not the address"},
		{"https://", false, "", "is not the address"},
		{"https://:443", false, "", "is not the address"},
		{"wss://hub.example", false, "", "is not the address"},
		{"file:///etc/passwd", true, "", "is not the address"},
		{"https://hub.example/?a=b", false, "", "is not the address"},
		{"https://hub.example/#followup_TOKEN", false, "", "is not the address"},
		{"https://hub.example/#secret", false, "", "https://hub.example/…"},
		{"https://hub.example/%zz?token=secret", false, "", "is not the address"},
		{"https://ada:secret@hub.example", false, "", "…@hub.example"},
		{"https://ada:secret@hub.example/%zz", false, "", "is not the address"},
		{"https://hub.example/%zz", false, "", "is not the address"},
	} {
		got, err := hubclient.ParseURL(test.text, test.insecure)
		switch {
		case err == nil && got.String() != test.want:
			t.Errorf("%q is read as %q, want %q", test.text, got, test.want)
		case err != nil && (test.want != "" || !strings.Contains(err.Error(), test.says)):
			t.Errorf("%q: %v, want %q", test.text, err, test.says)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("%q: the error has a secret: %v", test.text, err)
		}
	}
}

func TestReadToken(t *testing.T) {
	folder := t.TempDir()
	hub, _ := hubclient.ParseURL("https://hub.example/followup", false)
	for _, test := range []struct {
		name, content string
		mode          os.FileMode
		want, says    string
	}{
		{"kept", "followup_TOKEN", 0o600, "followup_TOKEN", ""},
		{"read-only", "followup_TOKEN\n", 0o400, "followup_TOKEN", ""},
		{"group", "followup_TOKEN", 0o640, "", "mode is 0640"},
		{"others", "followup_TOKEN", 0o604, "", "chmod 600"},
		{"empty", "", 0o600, "", "no token"},
		{"blank", "\n\n", 0o600, "", "no token"},
		{"two lines", "followup_A\nfollowup_B", 0o600, "", "no token"},
		{"bytes", "followup_\x00", 0o600, "", "no token"},
		{"long", strings.Repeat("A", 5000), 0o600, "", "no token"},
		{"bound", "https://hub.example/followup/ followup_TOKEN\n", 0o600, "followup_TOKEN", ""},
		{"bound to another", "https://elsewhere.example followup_TOKEN", 0o600, "", "another hub than https://hub.example/followup"},
		{"bound to another folder", "https://hub.example followup_TOKEN", 0o600, "", "another hub"},
		{"bound to no address", "https://hub.example?x followup_TOKEN", 0o600, "", "another hub"},
		{"two words", "followup_A followup_B", 0o600, "", "no token"},
	} {
		path := filepath.Join(folder, test.name)
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, test.mode); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "windows" && strings.Contains(test.says, "mo") { // its files have no modes
			continue
		}
		got, err := hubclient.ReadToken(path, hub)
		if got != test.want || err == nil && test.says != "" || err != nil && (test.says == "" || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %q, %v, want %q, %q", test.name, got, err, test.want, test.says)
		}
		if err != nil && strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("%s: the error has the token: %v", test.name, err)
		}
	}
	for _, name := range []string{"absent", "."} {
		if got, err := hubclient.ReadToken(filepath.Join(folder, name), hub); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}
