//go:build unix && !nohub

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// guidePassage returns the part of a document that a pattern's group matches.
func guidePassage(t *testing.T, name, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s does not match %s", name, pattern)
	}
	return string(found[1])
}

// The lines of docs/team.md start a hub with its own certificate, and an agent gets a person's answer.
func TestHubInTwoMinutes(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip(err)
	}
	lines := guidePassage(t, "team.md", "(?s)## A hub in two minutes\n.*?```sh\n(.*?)```")
	free, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	_ = free.Close()
	lines = strings.ReplaceAll(lines, "7443", port)
	folder := t.TempDir()
	script := exec.CommandContext(t.Context(), "sh", "-e", "-c", "trap 'kill $!; wait' EXIT\n"+lines)
	script.Dir, script.SysProcAttr = folder, &syscall.SysProcAttr{Setpgid: true}
	script.Env = environment(folder, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "LANG=en")
	var problems strings.Builder
	script.Stderr = &problems
	out, err := script.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-script.Process.Pid, syscall.SIGKILL) }) // the hub, too
	read := bufio.NewReader(out)
	link, err := read.ReadString('\n')
	address, token, found := strings.Cut(strings.TrimSpace(link), "/#")
	if err != nil || !found || address != "https://localhost:"+port {
		t.Fatalf("the link is %q, %v\n%s", link, err, problems.String())
	}
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(read)
		rest <- string(text)
	}()
	ann := startSidecar(t, storageDir(t))
	waits.Until(t, "the hub is connected", func() bool {
		now, err := rpc.Call(t.Context(), ann.conn, protocol.HubConnect, protocol.HubConnectParams{
			URL: address, Token: token, Certificates: filepath.Join(folder, "cert.pem"),
		})
		return err == nil && now.State == protocol.HubConnected
	})
	var asked protocol.InboxItem
	ann.untilTrue(func() bool {
		for _, each := range ann.items {
			if each.State == protocol.ItemPending && each.Hub != "" {
				asked = each
			}
		}
		return asked.QuestionID != ""
	})
	if len(asked.Payload.Suggest) != 2 {
		t.Errorf("got %+v", asked.Payload)
	}
	ann.answerHub(asked.QuestionID, "Yes")
	if got := waits.For(t, rest); !strings.HasSuffix(got, "\nYes\n") {
		t.Errorf("got %q", got)
	}
	_ = script.Wait() // the status is the killed hub's
}

// The line of docs/using.md serves a phone through a tunnel, whether the tunnel keeps the Host header or not.
func TestOnYourPhone(t *testing.T) {
	t.Parallel()
	line := guidePassage(t, "using.md", "(?s)### On your phone\n.*?`(followup web [^`]*)`")
	for name, keepsHost := range map[string]bool{"keeps the host": true, "names the target": false} {
		t.Run(name, func(t *testing.T) {
			var target string
			tunnel := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(&url.URL{Scheme: "http", Host: target})
				if keepsHost {
					r.Out.Host = r.In.Host
				}
			}})
			t.Cleanup(tunnel.Close)
			folder := storageDir(t)
			args := strings.Fields(strings.NewReplacer("127.0.0.1:7440", "127.0.0.1:0", "https://NAME", tunnel.URL).Replace(line))
			web := exec.Command(binary, append(args[1:], "--json", "--storage", folder)...)
			origin, secret, log := serves(t, web)
			if origin != tunnel.URL || secret == "" {
				t.Fatalf("the link is of %s, want %s", origin, tunnel.URL)
			}
			var kept struct {
				Port int `json:"port"`
			}
			stored, err := os.ReadFile(devicesFile(folder))
			if err != nil || json.Unmarshal(stored, &kept) != nil {
				t.Fatalf("%s, %v", stored, err)
			}
			target = net.JoinHostPort("127.0.0.1", strconv.Itoa(kept.Port))
			do := func(method, path, body string) (*http.Response, string) {
				t.Helper()
				request, err := http.NewRequestWithContext(t.Context(), method, tunnel.URL+path, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				if method == http.MethodPost {
					request.Header.Set("Origin", tunnel.URL)
				}
				response, err := tunnel.Client().Do(request)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = response.Body.Close() }()
				text, err := io.ReadAll(response.Body)
				if err != nil {
					t.Fatal(err)
				}
				return response, string(text)
			}
			for _, file := range []string{"/", "/manifest.json", "/worker.js"} { // for the app and its notifications
				if response, _ := do(http.MethodGet, file, ""); response.StatusCode != http.StatusOK { //nolint:bodyclose // do closes it
					t.Errorf("%s: %d", file, response.StatusCode)
				}
			}
			response, text := do(http.MethodPost, "/login", secret) //nolint:bodyclose // do closes it
			var admitted struct{ Path, Device string }
			if err := json.Unmarshal([]byte(text), &admitted); err != nil || admitted.Device == "" || len(response.Cookies()) != 1 {
				t.Fatalf("%d %s %v\n%s", response.StatusCode, text, err, log)
			}
			cookie := response.Cookies()[0]
			if !cookie.Secure || !strings.HasPrefix(cookie.Name, "__Secure-") {
				t.Errorf("the cookie is %v", cookie)
			}
			page, _, err := websocket.Dial(t.Context(), tunnel.URL+admitted.Path, &websocket.DialOptions{ //nolint:bodyclose // the library has read it
				HTTPClient: tunnel.Client(), HTTPHeader: http.Header{"Origin": {tunnel.URL}, "Cookie": {cookie.Name + "=" + cookie.Value}},
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			defer func() { _ = page.CloseNow() }()
			if err := page.Write(t.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"inbox/subscribe","params":{}}`)); err != nil {
				t.Fatal(err)
			}
			if _, got, err := page.Read(t.Context()); err != nil || !strings.Contains(string(got), `"items":[]`) {
				t.Errorf("got %s, %v", got, err)
			}
			if log.Len() > 0 {
				t.Errorf("the log: %s", log)
			}
		})
	}
}
