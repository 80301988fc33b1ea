package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// A webhook gets signed requests about questions that nobody sees, even after its keeper was killed. doctor shows the result.
func TestNotify(t *testing.T) {
	t.Parallel()
	type request struct {
		header http.Header
		body   []byte
	}
	requests := make(chan request, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- request{r.Header, body}
	}))
	defer receiver.Close()
	storage, secret := storageDir(t), "whsec_"+strings.Repeat("QUFB", 8)
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	doctor := func() string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
		defer cancel()
		command := exec.CommandContext(ctx, binary, "doctor", "--storage", storage)
		command.Env = append(os.Environ(), environment(t.TempDir())...)
		said, _ := command.Output() // exits with an error, since no agent is connected
		return string(said)
	}
	p := startAPI(t, storage, "--notify", receiver.URL+"/hidden-path", "--notify-private", "--notify-after", "0s", "--notify-secret-file", file,
		"--host", "localhost")
	waits.Until(t, "doctor names the address", func() bool {
		return strings.Contains(doctor(), "Webhook · "+strings.TrimPrefix(receiver.URL, "http://")+" is notified")
	})
	signed, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	notified := func(id string) {
		t.Helper()
		got := waits.For(t, requests)
		var event protocol.NotifyEvent
		if err := json.Unmarshal(got.body, &event); err != nil {
			t.Fatal(err)
		}
		if err := signed.Verify(got.body, got.header); err != nil || event.Data.QuestionID != id ||
			event.Data.URL != strings.TrimSuffix(p.api, "v1")+"?question="+id || event.Data.Text != "Deploy?" {
			t.Errorf("%v: %+v", err, event)
		}
	}
	notified(p.ask(`{"question":"Deploy?"}`))
	killKeeper(storage)
	notified(p.ask(`{"question":"Deploy?"}`))
	said := doctor()
	if !strings.Contains(said, "The last notification was delivered") || strings.Contains(said, "hidden-path") {
		t.Errorf("doctor printed\n%s", said)
	}
}

// An editor's sidecar notifies an address while it runs.
func TestServeNotifies(t *testing.T) {
	t.Parallel()
	ids := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		ids <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()
	storage := storageDir(t)
	editor := startSidecarOf(t, binary, storage, "--notify", receiver.URL, "--notify-private", "--notify-after", "0s")
	listed := func() int {
		t.Helper()
		list, err := rpc.Call(t.Context(), editor.conn, protocol.PushList, protocol.None{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Addresses)
	}
	waits.Until(t, "the address is known", func() bool { return listed() == 1 })
	p := startAPI(t, storage)
	if id := p.ask(`{"question":"Deploy?"}`); waits.For(t, ids) != id {
		t.Error("another question was notified")
	}
	_ = editor.command.Process.Kill()
	editor = startSidecar(t, storage)
	waits.Until(t, "the address is forgotten", func() bool { return listed() == 0 })
}

func TestNotifyIsRefused(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	open := filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(open, []byte("whsec_"+strings.Repeat("QUFB", 8)), 0o644); err != nil || os.Chmod(open, 0o644) != nil { //nolint:gosec // readable by others, which is refused
		t.Fatal(err)
	}
	refused := map[string][]string{
		"not encrypted":             {"--notify", "http://127.0.0.1/hidden-path"},
		"like ntfy://ntfy.sh/topic": {"--notify", "ntfy://ntfy.sh/hidden-path/x"},
		"flags need --notify":       {"--notify-hidden"},
		"need --notify or the":      {"--notify-after", "5m"},
		"24 hours":                  {"--notify", "https://example.com/hidden-path", "--notify-after", "25h"},
		"chmod 600":                 {"--notify", "https://example.com/hidden-path", "--notify-secret-file", open},
		"cannot be combined":        {"serve", "--alone", "--notify", "https://example.com/hidden-path"},
	}
	if runtime.GOOS == "windows" {
		delete(refused, "chmod 600") // its files have no modes
	}
	for why, args := range refused {
		if args[0] != "serve" {
			args = append([]string{"web", "--no-browser", "--storage", storage}, args...)
		}
		ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
		out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
		cancel()
		if err == nil || !strings.Contains(string(out), why) || bytes.Contains(out, []byte("hidden-path")) {
			t.Errorf("%s: %v, %s", why, err, out)
		}
	}
}
