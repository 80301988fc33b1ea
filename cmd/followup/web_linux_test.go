package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/mdp/qrterminal/v3"

	"followup/internal/locale"
	"followup/internal/waits"
)

// A terminal shows the address as a QR code, with its secret; one that can draw nothing shows the address alone.
func TestWebInATerminal(t *testing.T) {
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
			for !strings.Contains(shown.String(), locale.English.Text(locale.WebEnd)) && lines.Scan() {
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
