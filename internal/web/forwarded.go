package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// forwarded records the client's address from a trusted proxy, for the log.
func (s *Server) forwarded(next http.Handler) http.Handler {
	if len(s.options.Proxies) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = s.client(r)
		next.ServeHTTP(w, r)
	})
}

// client returns the address of a request: the last one in X-Forwarded-For that is not a trusted proxy. Earlier ones, and those
// from untrusted senders, could be forged.
func (s *Server) client(r *http.Request) string {
	from := r.RemoteAddr
	if peer, err := netip.ParseAddrPort(from); err != nil || !s.trusts(peer.Addr()) {
		return from
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		if from = address.Unmap().String(); !s.trusts(address) {
			break
		}
	}
	return from
}

func (s *Server) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(s.options.Proxies, func(proxies netip.Prefix) bool { return proxies.Contains(address.Unmap()) })
}
