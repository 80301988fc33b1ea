package web

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// IsLoopback tells whether an address to listen on, a host and a port, can be reached from this machine alone. The name localhost
// counts as such; no other name is looked up.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// addresses notes by which names a browser may come, and which of them are shown to the user.
func (s *Server) addresses() error {
	listening, ok := s.options.Listener.Addr().(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("%s is no address of a network", s.options.Listener.Addr())
	}
	port := strconv.Itoa(listening.Port)
	hosts := slices.Clone(s.options.Names)
	switch {
	case listening.IP.IsLoopback():
		hosts = append(hosts, listening.IP.String(), "localhost")
	case listening.IP.IsUnspecified():
		own, err := net.InterfaceAddrs()
		if err != nil {
			return err
		}
		hosts = append(hosts, outward(own)...)
		hosts = append(hosts, "localhost", "127.0.0.1", "::1")
	default:
		hosts = append(hosts, listening.IP.String())
	}
	scheme, usual := "http", "80"
	if s.options.TLS != nil {
		scheme, usual = "https", "443"
	}
	s.hosts = map[string]bool{}
	for i, host := range hosts {
		authority := net.JoinHostPort(host, port)
		s.hosts[strings.ToLower(authority)] = true
		if i < len(s.options.Names) {
			// What stands between may listen elsewhere, and leave out the port.
			s.hosts[strings.ToLower(host)] = true
		}
		if port == usual {
			authority = strings.TrimSuffix(authority, ":"+usual)
			s.hosts[strings.ToLower(authority)] = true
		}
		s.urls = append(s.urls, scheme+"://"+authority+"/")
	}
	return nil
}

// outward are the addresses at which others find this machine, those of version 4 first.
func outward(own []net.Addr) (hosts []string) {
	for _, four := range []bool{true, false} {
		for _, each := range own {
			network, ok := each.(*net.IPNet)
			if ok && network.IP.IsGlobalUnicast() && (network.IP.To4() != nil) == four {
				hosts = append(hosts, network.IP.String())
			}
		}
	}
	return hosts
}

// URL is where the user's browser is to go: the secret stands in the fragment, which no browser sends.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.urls[0] + "#" + s.secret
}
