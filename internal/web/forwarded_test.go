package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// The log has the client's address from a trusted proxy. Other peers cannot forge one.
func TestClientBehindAProxy(t *testing.T) {
	for _, test := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"10.0.0.9:1234", []string{"203.0.113.7"}, "203.0.113.7"},
		{"10.0.0.9:1234", []string{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"},
		{"10.0.0.9:1234", []string{"198.51.100.1", "203.0.113.7, 10.1.1.1"}, "203.0.113.7"},
		{"10.0.0.9:1234", []string{"2001:db8::7"}, "2001:db8::7"},
		{"[::ffff:10.0.0.9]:1234", []string{"203.0.113.7"}, "203.0.113.7"},
		{"10.0.0.9:1234", nil, "10.0.0.9:1234"},
		{"10.0.0.9:1234", []string{"nonsense"}, "10.0.0.9:1234"},
		{"10.0.0.9:1234", []string{"203.0.113.7, nonsense"}, "10.0.0.9:1234"},
		{"192.0.2.1:1234", []string{"203.0.113.7"}, "192.0.2.1:1234"},
	} {
		core, log := observer.New(zap.WarnLevel)
		s := &Server{log: zap.New(core), hosts: map[string]string{}, options: Options{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = test.peer, test.forwarded
		s.handler().ServeHTTP(httptest.NewRecorder(), r)
		if all := log.All(); len(all) != 1 || all[0].ContextMap()["from"] != test.want {
			t.Errorf("%s, %q: %v, want %s", test.peer, test.forwarded, all, test.want)
		}
	}
}
