package web

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// IsLoopback reports whether only this machine can reach a host and port. The name localhost counts; other names are not looked up.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// addresses collects the names that browsers may use, and the addresses that are shown to the user.
func (s *Server) addresses() error {
	listening, ok := s.options.Listener.Addr().(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("%s is not a network address", s.options.Listener.Addr())
	}
	scheme, port := "http", strconv.Itoa(listening.Port)
	if s.options.TLS != nil {
		scheme = "https"
	}
	s.hosts, s.between = map[string]string{}, map[string]string{}
	for _, name := range s.options.Names {
		address, err := named(name, scheme, port)
		if err != nil {
			return err
		}
		s.take(address)
		if strings.Contains(name, "://") {
			origin := originOf(address)
			if folder, known := s.between[origin]; known && folder != address.Path {
				return fmt.Errorf("%s is given with two folders, %q and %q: browsers do not send the folder", origin, folder, address.Path)
			}
			s.between[origin] = address.Path
			continue
		}
		// A proxy may listen elsewhere, and omit the port.
		s.hosts[strings.ToLower(address.Host)] = scheme
		s.hosts[strings.ToLower(strings.TrimSuffix(address.Host, ":"+address.Port()))] = scheme
	}
	var hosts []string
	switch {
	case listening.IP.IsLoopback():
		hosts = []string{listening.IP.String(), "localhost"}
	case listening.IP.IsUnspecified():
		own, err := net.InterfaceAddrs()
		if err != nil {
			return err
		}
		hosts = append(outward(own), "localhost", "127.0.0.1", "::1")
	default:
		hosts = []string{listening.IP.String()}
	}
	for _, host := range hosts {
		s.take(&url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)})
	}
	return nil
}

// CheckName returns an error if a name in Options.Names is not valid.
func CheckName(name string) error {
	_, err := named(name, "http", "80")
	return err
}

// originOf returns the origin of an address, as browsers write it in a header.
func originOf(address *url.URL) string {
	return strings.ToLower(address.Scheme + "://" + strings.TrimSuffix(address.Host, ":"+usualPorts[address.Scheme]))
}

// named returns the address for a name that the user gave: a host, a host with a port, or the complete address of a proxy, whose
// path is the page's folder there.
func named(name, scheme, port string) (*url.URL, error) {
	if strings.Contains(name, "://") {
		address, err := url.Parse(name)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" ||
			address.RawQuery != "" || address.Fragment != "" || address.User != nil || !plainPath().MatchString(address.Path) {
			return nil, fmt.Errorf("%q is not the address of a server, such as https://name, with a port and a folder if necessary", name)
		}
		address.Path = strings.TrimSuffix(address.Path, "/")
		return address, nil
	}
	authority := name
	if _, _, err := net.SplitHostPort(name); err != nil {
		authority = net.JoinHostPort(strings.Trim(name, "[]"), port)
	}
	address, err := url.Parse(scheme + "://" + authority)
	if err != nil || address.Host != authority || address.Hostname() == "" {
		return nil, fmt.Errorf("%q is not the name of a server", name)
	}
	return address, nil
}

// plainPath matches paths that are safe in a cookie.
var plainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?$`)
})

// usualPorts are the default ports.
var usualPorts = map[string]string{"http": "80", "https": "443"}

// take accepts an address for browsers, and shows it to the user.
func (s *Server) take(address *url.URL) {
	authority, usual := address.Host, ":"+usualPorts[address.Scheme]
	if address.Port() == "" || ":"+address.Port() == usual {
		authority = strings.TrimSuffix(authority, usual)
		s.hosts[strings.ToLower(authority+usual)] = address.Scheme
	}
	s.hosts[strings.ToLower(authority)] = address.Scheme
	s.urls = append(s.urls, address.Scheme+"://"+authority+address.Path+"/")
}

// outward returns the addresses at which others find this machine, IPv4 first.
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

// URL returns the address for the user's browser. The secret is in the fragment, which browsers do not send.
func (s *Server) URL() string { return s.Address() + "#" + s.secret }

// Address returns the address of the page; programs use "rpc" below it.
func (s *Server) Address() string { return s.urls[0] }
