package webhook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"followup/internal/waits"
)

// quick retries almost immediately.
var quick = Options{Private: true, First: time.Millisecond, Last: 2 * time.Millisecond, Limit: waits.Patience}

// receiver answers with each status in turn, and then repeats the last one.
func receiver(t *testing.T, statuses ...int) (string, <-chan *http.Request, <-chan []byte) {
	t.Helper()
	requests, bodies := make(chan *http.Request, 100), make(chan []byte, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- r
		bodies <- body
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(statuses[0])
		if len(statuses) > 1 {
			statuses = statuses[1:]
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hook?token=hidden", requests, bodies
}

func TestDeliverSignsEachAttempt(t *testing.T) {
	secret := "whsec_" + strings.Repeat("QUFB", 8)
	parsed, err := ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	url, requests, bodies := receiver(t, http.StatusInternalServerError, http.StatusTooManyRequests, http.StatusFound, http.StatusBadRequest, http.StatusNoContent)
	message := Message{URL: url, ID: "evt_1", Body: []byte(`{"a":1}`), Secret: parsed, Header: http.Header{"X-More": {"yes"}}}
	if err := New(quick).Deliver(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if len(requests) != 5 {
		t.Fatalf("%d attempts instead of 5", len(requests))
	}
	for range 5 {
		r, body := <-requests, <-bodies
		if err := hook.Verify(body, r.Header); err != nil {
			t.Error(err)
		}
		if r.Header.Get("webhook-id") != "evt_1" || r.Header.Get("X-More") != "yes" || r.Header.Get("Content-Type") != "application/json" {
			t.Error(r.Header)
		}
		if r.URL.Path != "/hook" {
			t.Error("a redirect was followed to", r.URL.Path)
		}
	}
}

func TestUnsigned(t *testing.T) {
	url, requests, _ := receiver(t, http.StatusOK)
	if err := New(quick).Send(t.Context(), Message{URL: url, ID: "evt_1", Header: http.Header{"content-type": {"text/plain"}}}); err != nil {
		t.Fatal(err)
	}
	if h := (<-requests).Header; h.Get("webhook-signature") != "" || h.Get("Content-Type") != "text/plain" {
		t.Error(h)
	}
}

func TestGoneIsPermanent(t *testing.T) {
	url, requests, _ := receiver(t, http.StatusGone)
	if err := New(quick).Deliver(t.Context(), Message{URL: url}); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if len(requests) != 1 {
		t.Errorf("%d attempts after 410", len(requests))
	}
}

func TestDeliverGivesUp(t *testing.T) {
	options := quick
	options.Limit = 20 * time.Millisecond
	url, requests, _ := receiver(t, http.StatusBadGateway)
	err := New(options).Deliver(t.Context(), Message{URL: url})
	if err == nil || !strings.Contains(err.Error(), "502") || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
	if len(requests) < 2 {
		t.Errorf("%d attempts", len(requests))
	}
}

func TestDeliverEndsWithItsContext(t *testing.T) {
	options := quick
	options.First, options.Last, options.Limit = time.Hour, time.Hour, 2*time.Hour
	url, requests, _ := receiver(t, http.StatusBadGateway)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- New(options).Deliver(ctx, Message{URL: url}) }()
	waits.For(t, requests)
	cancel()
	if err := waits.For(t, ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A Sender reads at most 64 KB of an endless response. The error of a failed connection does not contain the path.
func TestHostileReceiver(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return
				}
				_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n")
				for chunk := strings.Repeat("x", 32<<10); ; {
					if _, err := fmt.Fprint(conn, chunk); err != nil {
						return
					}
				}
			}()
		}
	}()
	url := "http://" + listener.Addr().String() + "/hidden"
	if err := New(quick).Send(t.Context(), Message{URL: url}); err != nil {
		t.Error(err)
	}
	_ = listener.Close()
	if err := New(quick).Send(t.Context(), Message{URL: url}); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}

func TestRefusedAddresses(t *testing.T) {
	for _, address := range []string{
		"", "ftp://example.com", "https://", "https:example.com", "example.com/hook", "http://example.com/hook", "https://user:pw@example.com", "https://exa mple.com",
		"https://example.com/" + strings.Repeat("x", maxURL), "file:///etc/passwd",
	} {
		if err := New(Options{}).Deliver(t.Context(), Message{URL: address}); !errors.Is(err, ErrRefused) {
			t.Errorf("%.40q: %v", address, err)
		}
	}
	if err := New(quick).Check("http://localhost:1/hook"); err != nil {
		t.Error(err)
	}
}

// Addresses are checked when they are dialled, so a name that resolves to a refused address is refused too.
func TestRefusedNetworks(t *testing.T) {
	refused := []string{
		"127.0.0.1", "localhost", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "[::1]", "[fc00::1]", "[fd12::1]",
		"[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "2130706433", "0x7f000001", "127.1",
	}
	always := []string{
		"0.0.0.0", "[::]", "169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "224.0.0.1", "255.255.255.255", "[ff02::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"240.0.0.1",
	}
	for _, host := range append(refused, always...) {
		err := New(Options{}).Send(t.Context(), Message{URL: "https://" + host + ":9/"})
		if literal := strings.Trim(host, "[]"); err == nil || isAddress(literal) && !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range always {
		if err := New(quick).Send(t.Context(), Message{URL: "http://" + host + ":9/"}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s with private addresses: %v", host, err)
		}
	}
	if err := New(Options{}).Send(t.Context(), Message{URL: "https://localhost:9/"}); !errors.Is(err, ErrRefused) {
		t.Errorf("a name of this machine: %v", err)
	}
}

// A name that does not exist, and one in a private network, fail in the same way, so that nobody can find out which names exist there.
// Both are tried again, since a name's addresses may change.
func TestNamesLookAlike(t *testing.T) {
	sender := New(Options{})
	missing := sender.Send(t.Context(), Message{URL: "https://no-such-name.invalid:9/"})
	private := sender.Send(t.Context(), Message{URL: "https://localhost:9/"})
	if missing == nil || private == nil || missing.Error() != private.Error() || !errors.Is(private, ErrRefused) {
		t.Errorf("%v, but %v", missing, private)
	}
	for _, err := range []error{missing, private} {
		if permanent := (*backoff.PermanentError)(nil); errors.As(err, &permanent) {
			t.Errorf("it is not tried again: %v", err)
		}
	}
}

// Slow addresses delay neither other addresses of their host nor, beyond their slots, themselves: the time of a request begins later.
func TestSlowAddressDelaysNoOther(t *testing.T) {
	slow, free := make(chan struct{}, 100), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			slow <- struct{}{}
			<-free
		}
	}))
	defer server.Close()
	sender := New(Options{Private: true})
	var all sync.WaitGroup
	for n := range 3 * maxPerAddress {
		all.Go(func() {
			if err := sender.Send(t.Context(), Message{URL: fmt.Sprintf("%s/slow?%d", server.URL, n)}); err != nil {
				t.Error(err)
			}
		})
	}
	for range maxPerAddress {
		waits.For(t, slow)
	}
	if err := sender.Send(t.Context(), Message{URL: server.URL + "/quick"}); err != nil {
		t.Error(err)
	}
	if len(slow) > 0 {
		t.Errorf("more than %d requests to the address are running", maxPerAddress)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := sender.Send(left, Message{URL: server.URL + "/slow"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(free)
	all.Wait()
	if len(sender.running) > 0 {
		t.Errorf("it remembers %d addresses", len(sender.running))
	}
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0": 0, "999999": time.Hour, "": -1, "-1": -1, "soon": -1, "99999999999999999999": -1,
		"Thu, 01 Jan 2026 00:00:09 GMT": 9 * time.Second, "Wed, 31 Dec 2025 00:00:00 GMT": 0, "Fri, 01 Jan 2100 00:00:00 GMT": time.Hour,
	} {
		got, ok := retryAfter(http.Header{"Retry-After": {value}}, now, time.Hour)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %v instead of %v", value, got, want)
		}
	}
}

// A receiver's Retry-After replaces the backoff, which would be an hour.
func TestDeliverRetriesWhenTheReceiverSays(t *testing.T) {
	attempts := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if attempts++; attempts == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	sender := New(Options{Private: true, First: time.Hour})
	if err := sender.Deliver(t.Context(), Message{URL: server.URL}); err != nil || attempts != 2 {
		t.Error(attempts, err)
	}
}

func TestParseSecret(t *testing.T) {
	for _, text := range []string{"", "whsec_", "whsec_!!", "whsec_c2hvcnQ=", strings.Repeat("QUFB", 8), "whsec_" + strings.Repeat("QUFB", 30)} {
		if _, err := ParseSecret(text); err == nil || text != "" && text != secretPrefix && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	text := "whsec_" + strings.Repeat("QUFB", 8)
	secret, err := ParseSecret(text + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if printed := fmt.Sprintf("%v %+v %#v %s", secret, secret, Message{Secret: secret}, &secret); strings.Contains(printed, text[7:20]) {
		t.Error(printed)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("https://example.com/hook")
	f.Add("http://[::1]:80")
	f.Fuzz(func(t *testing.T, address string) {
		if New(Options{}).Check(address) == nil && !strings.HasPrefix(strings.ToLower(address), "https:") {
			t.Error(address)
		}
	})
}
