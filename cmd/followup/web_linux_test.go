package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/mdp/qrterminal/v3"

	"followup/internal/locale"
	"followup/internal/waits"
)

// A terminal shows the address, with its secret, as a QR code. A terminal that cannot draw one shows only the address.
func TestWebInATerminal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		term string
		code bool
	}{{"xterm-256color", true}, {"dumb", false}} {
		t.Run(test.term, func(t *testing.T) {
			ours, theirs, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = ours.Close() })
			web := exec.CommandContext(t.Context(), binary, "web", "--storage", storageDir(t))
			web.Env, web.Stdout = append(os.Environ(), "LANG=en", "TERM="+test.term), theirs
			if err := web.Start(); err != nil {
				t.Fatal(err)
			}
			_ = theirs.Close()
			var shown strings.Builder
			lines := bufio.NewScanner(ours)
			for !strings.Contains(shown.String(), locale.English.Text("Press Ctrl+C to stop.")) && lines.Scan() {
				shown.WriteString(strings.TrimSuffix(lines.Text(), "\r") + "\n")
			}
			_, url, _ := strings.Cut(shown.String(), "\n\n  ")
			url, _, _ = strings.Cut(url, "\n")
			if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.Contains(url, "/#") {
				t.Fatalf("shown: %q", shown.String())
			}
			var code bytes.Buffer
			qrterminal.GenerateHalfBlock(url, qrterminal.L, &code)
			if got := strings.Contains(shown.String(), strings.ReplaceAll(code.String(), "\r", "")); got != test.code {
				t.Errorf("a QR code: %v\n%s", got, shown.String())
			}
			if !test.code && strings.ContainsAny(shown.String(), "▀▄█") {
				t.Errorf("blocks in a dumb terminal:\n%s", shown.String())
			}
			if err := web.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := waits.Ended(t, web); err != nil {
				t.Error(err)
			}
		})
	}
}

// On a desktop, the browser opens. The secret is not in any process's arguments, which other users could read.
func TestWebOpensTheBrowser(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		args  []string
		env   []string
		opens bool
	}{
		{"on a desktop", nil, []string{"DISPLAY=:0"}, true},
		{"on Wayland", nil, []string{"WAYLAND_DISPLAY=wayland-0"}, true},
		{"without a desktop", nil, nil, false},
		{"over SSH with a forwarded display", nil, []string{"DISPLAY=:10", "SSH_CONNECTION=192.0.2.1 1 192.0.2.2 22"}, false},
		{"with --no-browser", []string{"--no-browser"}, []string{"DISPLAY=:0"}, false},
		{"for other machines", []string{"--listen", "0.0.0.0:0", "--insecure"}, []string{"DISPLAY=:0"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			bin, folder := t.TempDir(), t.TempDir()
			opened := filepath.Join(bin, "opened")
			if err := syscall.Mkfifo(opened, 0o600); err != nil {
				t.Fatal(err)
			}
			script := "#!/bin/sh\necho \"$@\" > " + opened + "\n"
			if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			env := append(test.env, "LANG=en", "TMPDIR="+folder, "PATH="+bin+":"+os.Getenv("PATH"))
			web := onTerminal(t, storageDir(t), env, append([]string{"web"}, test.args...)...)
			web.until(locale.English.Text("Press Ctrl+C to stop."))
			pages, err := filepath.Glob(filepath.Join(folder, "followup-*.html"))
			if err != nil || len(pages) == 1 != test.opens {
				t.Fatalf("pages %v, %v", pages, err)
			}
			if !test.opens {
				return
			}
			argument, err := os.ReadFile(opened)
			if err != nil || strings.TrimSpace(string(argument)) != "file://"+pages[0] {
				t.Errorf("opened %s, %v", argument, err)
			}
			page, err := os.ReadFile(pages[0])
			info, missing := os.Stat(pages[0])
			if err != nil || missing != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("%v, %v, %v", err, missing, info)
			}
			_, rest, _ := strings.Cut(string(page), "url=")
			address, _, _ := strings.Cut(rest, "\"")
			web.mu.Lock()
			printed := strings.Contains(web.raw.String(), address)
			web.mu.Unlock()
			if !printed || !strings.Contains(address, "/#") {
				t.Errorf("the page leads to %q", address)
			}
			web.typed("\x03")
			web.ended()
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
