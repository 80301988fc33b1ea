package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"followup/internal/waits"
)

// The real binary serves a browser, with and without a certificate, until it is interrupted or its parent exits.
func TestWeb(t *testing.T) {
	t.Parallel()
	certificate, key := selfSigned(t)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	cert, keyFile := filepath.Join(storageDir(t), "cert.pem"), filepath.Join(storageDir(t), "key.pem")
	for name, content := range map[string][]byte{cert: certificate, keyFile: key} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		args   []string
		secure bool
	}{
		{"without a certificate", nil, false},
		{"with a certificate", []string{"--tls-cert", cert, "--tls-key", keyFile}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parent := exec.Command(binary, "serve") // any process that exits when its input ends
			stdin, err := parent.StdinPipe()
			if err != nil || parent.Start() != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = parent.Process.Kill() })
			origin, secret, web, log := startWeb(t, append(test.args, "--parent", strconv.Itoa(parent.Process.Pid))...)
			if strings.HasPrefix(origin, "https:") != test.secure {
				t.Errorf("got %s", origin)
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, origin+"/login", strings.NewReader(secret))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Origin", origin)
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			var answer struct {
				Path string `json:"path"`
			}
			err = json.NewDecoder(response.Body).Decode(&answer)
			if err != nil || len(response.Cookies()) != 1 || response.Cookies()[0].Secure != test.secure {
				t.Fatalf("%s, %v, %v", response.Status, response.Cookies(), err)
			}
			cookie := response.Cookies()[0]
			conn, _, err := websocket.Dial(t.Context(), origin+answer.Path, &websocket.DialOptions{ //nolint:bodyclose // the library has read it
				HTTPClient: client, HTTPHeader: http.Header{"Origin": {origin}, "Cookie": {cookie.Name + "=" + cookie.Value}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"inbox/subscribe"}`)); err != nil {
				t.Fatal(err)
			}
			if _, got, err := conn.Read(t.Context()); err != nil || !bytes.Contains(got, []byte(`"saved":true`)) {
				t.Errorf("got %s, %v", got, err)
			}
			_ = stdin.Close()
			if err := waits.Ended(t, parent); err != nil {
				t.Fatal(err)
			}
			if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
				t.Errorf("the page was disconnected with %v", err)
			}
			if err := waits.Ended(t, web); err != nil || log.Len() > 0 {
				t.Errorf("it ended with %v: %s", err, log)
			}
		})
	}
}

// Other machines may connect without a certificate if that is allowed, but only by the announced name or address.
func TestWebForOthers(t *testing.T) {
	t.Parallel()
	origin, secret, web, _ := startWeb(t, "--listen", "0.0.0.0:0", "--insecure", "--host", "phone.example", "--host", "https://tunnel.example/x/")
	name, port, _ := strings.Cut(strings.TrimPrefix(origin, "http://"), ":")
	if name != "phone.example" {
		t.Fatalf("got %s", origin)
	}
	login := func(host, origin string) (status int, cookies []*http.Cookie) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port+"/login", strings.NewReader(secret))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		request.Header.Set("Origin", origin)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		return response.StatusCode, response.Cookies()
	}
	if status, _ := login("other.example:"+port, "http://other.example:"+port); status != http.StatusMisdirectedRequest {
		t.Errorf("another name: %d", status)
	}
	status, cookies := login("tunnel.example", "https://tunnel.example")
	if status != http.StatusOK || len(cookies) != 1 || !strings.HasPrefix(cookies[0].Path, "/x/") || !cookies[0].Secure {
		t.Errorf("the tunnel: %d, %v", status, cookies)
	}
	if status, _ := login("phone.example:"+port, origin); status != http.StatusGone { // the secret has been used
		t.Errorf("the name: %d", status)
	}
	needsInterrupts(t)
	if err := web.Process.Signal(os.Interrupt); err != nil {
		t.Skip(err) // Windows has no such signals
	}
	if err := waits.Ended(t, web); err != nil {
		t.Error(err)
	}
}

// startWeb starts the real binary, and returns its origin and the secret.
func startWeb(t *testing.T, args ...string) (origin, secret string, web *exec.Cmd, log *processLog) {
	t.Helper()
	web = exec.Command(binary, append([]string{"web", "--json", "--storage", storageDir(t)}, args...)...)
	origin, secret, log = serves(t, web)
	return origin, secret, web, log
}

// processLog collects what a process writes to its log, and can be read meanwhile.
type processLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *processLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *processLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Len returns the length of the log in bytes.
func (l *processLog) Len() int { return len(l.String()) }

// serves starts a command that serves a browser.
func serves(t *testing.T, web *exec.Cmd) (origin, secret string, log *processLog) {
	t.Helper()
	log = &processLog{}
	web.Stderr = log
	out, err := web.StdoutPipe()
	if err != nil || web.Start() != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Process.Kill() })
	late := time.AfterFunc(waits.Patience, func() { _ = web.Process.Kill() }) // so that it cannot wait forever
	line, err := bufio.NewReader(out).ReadBytes('\n')
	late.Stop()
	var printed struct {
		URL string `json:"url"`
	}
	if err != nil || json.Unmarshal(line, &printed) != nil {
		t.Fatalf("%v: %s%s", err, line, log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	origin, secret, _ = strings.Cut(printed.URL, "/#")
	return origin, secret, log
}

// selfSigned creates a certificate for this machine.
func selfSigned(t *testing.T) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
}
