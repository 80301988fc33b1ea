package main

import (
	"bufio"
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
	"sync/atomic"
	"testing"
	"time"

	"followup/internal/httpapi"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// apiUser is a program that uses the API of a running server.
type apiUser struct {
	t         *testing.T
	web       *exec.Cmd
	api, file string
	token     string
}

// startAPI starts the real binary with the API.
func startAPI(t *testing.T, storage string, args ...string) *apiUser {
	t.Helper()
	p := &apiUser{t: t, web: exec.Command(binary, append([]string{"web", "--api", "--json", "--no-browser", "--storage", storage}, args...)...)}
	var log bytes.Buffer
	p.web.Stderr = &log
	out, err := p.web.StdoutPipe()
	if err != nil || p.web.Start() != nil {
		t.Fatal(err)
	}
	endsWith(t, p.web)
	late := time.AfterFunc(waits.Patience, func() { _ = p.web.Process.Kill() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	late.Stop()
	var printed struct {
		API       string `json:"api"`
		TokenFile string `json:"tokenFile"`
	}
	if err != nil || json.Unmarshal(line, &printed) != nil {
		t.Fatalf("%v: %s%s", err, line, &log)
	}
	token, err := os.ReadFile(printed.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	p.api, p.file, p.token = printed.API, printed.TokenFile, strings.TrimSpace(string(token))
	return p
}

// do sends a request.
func (p *apiUser) do(method, path, body string) (status int, result protocol.AskResult, err error) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.api+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, result, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	return response.StatusCode, result, err
}

func (p *apiUser) ask(body string) string {
	p.t.Helper()
	status, result, err := p.do(http.MethodPost, "/questions", body)
	if err != nil || status != http.StatusCreated {
		p.t.Fatalf("%d, %+v, %v", status, result, err)
	}
	return result.QuestionID
}

// The keeper and the API's server are killed while a program waits. Its question stays open and is answered once, and the next
// process calls its callback.
func TestAPIIsKilled(t *testing.T) {
	t.Parallel()
	called := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		called <- body
	}))
	defer receiver.Close()
	storage := storageDir(t)
	p := startAPI(t, storage, "--callbacks", "private")
	id := p.ask(`{"question":"Deploy?","callback":{"url":"` + receiver.URL + `"}}`)
	killKeeper(storage) // right after the answer: the question is stored
	type got struct {
		result protocol.AskResult
		err    error
	}
	waiting := make(chan got, 1)
	wait := func() {
		_, result, err := p.do(http.MethodGet, "/questions/"+id+"?wait=60s", "")
		waiting <- got{result, err}
	}
	go wait()
	user := startSidecar(t, storage)
	user.untilPending(id)
	killKeeper(storage) // while the program waits
	user.untilPending(id)
	_ = p.web.Process.Kill()
	if g := waits.For(t, waiting); g.err == nil {
		t.Errorf("got %+v of a process that was killed", g.result)
	}
	p = startAPI(t, storage, "--callbacks", "private")
	go wait()
	answer := protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "yes"}
	if _, err := rpc.Call(t.Context(), user.conn, protocol.QuestionAnswer, answer); err != nil {
		t.Fatal(err)
	}
	if g := waits.For(t, waiting); g.err != nil || g.result.Text != "yes" {
		t.Errorf("got %+v, %v", g.result, g.err)
	}
	if body := waits.For(t, called); !bytes.Contains(body, []byte(`"text":"yes"`)) {
		t.Errorf("the callback got %s", body)
	}
}

// If a callback's receiver is unreachable, a later keeper delivers the outcome.
func TestCallbackOutlivesTheKeeper(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	away.Store(true)
	called := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		called <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()
	storage := storageDir(t)
	p := startAPI(t, storage, "--callbacks", "private")
	id := p.ask(`{"question":"Deploy?","callback":{"url":"` + receiver.URL + `"}}`)
	if _, result, err := p.do(http.MethodDelete, "/questions/"+id, ""); err != nil || result.Outcome != protocol.OutcomeWithdrawn {
		t.Fatalf("%+v, %v", result, err)
	}
	if got := waits.For(t, called); got != id {
		t.Errorf("got %s", got)
	}
	if err := endKeeper(storage); err != nil { // it waits for the next attempt
		t.Fatal(err)
	}
	away.Store(false)
	if status, _, err := p.do(http.MethodGet, "/questions/"+id, ""); err != nil || status != http.StatusOK { // which starts the next keeper
		t.Errorf("%d, %v", status, err)
	}
	if got := waits.For(t, called); got != id {
		t.Errorf("got %s", got)
	}
}

// Without the flag there is no API, and no token is created. Only the owner can read the token's file, and the token stays the
// same.
func TestAPIToken(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	origin, _, _ := serves(t, exec.Command(binary, "web", "--json", "--no-browser", "--storage", storage))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin+"/v1/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	file := filepath.Join(storage, httpapi.TokenFile)
	if _, err := os.Stat(file); response.StatusCode == http.StatusOK || !os.IsNotExist(err) {
		t.Errorf("%d, %v", response.StatusCode, err)
	}

	one, two := startAPI(t, storage), startAPI(t, storage)
	info, err := os.Stat(file)
	if err != nil || one.file != file || one.token != two.token || len(one.token) < httpapi.MinToken {
		t.Fatalf("%s, %v", one.file, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	refused := func(what, why string, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), waits.Patience)
		defer cancel()
		out, err := exec.CommandContext(ctx, binary, append([]string{"web", "--no-browser", "--storage", storage}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), why) || bytes.Contains(out, []byte(one.token)) {
			t.Errorf("%s: %v, %s", what, err, out)
		}
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	refused("readable by all", "chmod 600", "--api")
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil || os.Chmod(file, 0o600) != nil {
		t.Fatal(err)
	}
	refused("short", "remove it", "--api")
	refused("callbacks alone", "--api", "--callbacks", "public")
	refused("other callbacks", "public, private", "--api", "--callbacks", "all")
}
