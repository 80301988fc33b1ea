package hubclient

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"followup/internal/locale"
	"followup/internal/secretfile"
)

const (
	hubURL      locale.Key = `"{0}" is not the address of a hub, such as https://hub.example`
	hubInsecure locale.Key = "{0} is not encrypted: anybody on the way could read the token and the answers. Use https, or allow " +
		"it with --hub-insecure"
)

// ParseURL parses a hub's address: https, a host, and the path that a proxy uses for it. It rejects an address without encryption,
// except on this machine, unless insecure is set: others in the network could read the token and the answers.
func ParseURL(text string, insecure bool) (*url.URL, error) {
	read, err := url.Parse(strings.TrimSpace(text))
	if err != nil || read.User != nil || read.Hostname() == "" || read.RawQuery != "" || read.Fragment != "" {
		return nil, locale.Refuse(hubURL, withoutSecrets(text))
	}
	switch read.Scheme {
	case "https":
	case "http":
		if !insecure && !isLoopback(read.Hostname()) {
			return nil, locale.Refuse(hubInsecure, read)
		}
	default:
		return nil, locale.Refuse(hubURL, withoutSecrets(text))
	}
	read.Path = strings.TrimRight(read.Path, "/")
	return read, nil
}

// withoutSecrets returns an address without secrets: no password, and no token of a person's link.
func withoutSecrets(text string) string {
	if end := strings.IndexAny(text, "#?"); end >= 0 {
		text = text[:end] + "…"
	}
	if at := strings.LastIndex(text, "@"); at >= 0 {
		text = "…" + text[at:]
	}
	return text
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// maxToken limits a token in bytes.
const maxToken = 4 << 10

const hubTokenOpen locale.Key = "Other users can read the token in {0} (its mode is {1}): take their rights away with chmod 600, and " +
	"ask for another token if somebody may have read it."

// ReadToken reads a token from a file that only the user can read. If the file has a hub's address before the token, it is only for
// that hub.
func ReadToken(path string, to *url.URL) (string, error) {
	token, err := secretfile.Read(path)
	var open *secretfile.OpenError
	switch {
	case errors.As(err, &open):
		return "", locale.Refuse(hubTokenOpen, path, fmt.Sprintf("%04o", open.Mode))
	case errors.Is(err, secretfile.ErrNone):
		return "", locale.Refuse("The token cannot be read from {0} ({1}).", path, "no token")
	case err != nil:
		return "", locale.Refuse("The token cannot be read from {0} ({1}).", path, cause(err))
	}
	if of, behind, found := strings.Cut(token, " "); found && strings.Contains(of, "://") {
		if bound, err := ParseURL(of, true); err != nil || bound.String() != to.String() {
			return "", locale.Refuse("The token in {0} is for another hub than {1}, and was not sent.", path, to)
		}
		token = strings.TrimSpace(behind)
	}
	if err := CheckToken(token); err != nil {
		return "", locale.Refuse("The token cannot be read from {0} ({1}).", path, "no token")
	}
	return token, nil
}

// CheckToken returns an error if a text cannot be a token. The error never quotes the text.
func CheckToken(token string) error {
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return locale.Refuse("There is no token for the hub, or the token is malformed. Connect to the hub again.")
	}
	return nil
}

const hubRoots locale.Key = "The certificates in {0} cannot be read ({1})."

// ReadRoots reads certificates in PEM to trust in addition to the system's.
func ReadRoots(path string) (*x509.CertPool, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, locale.Refuse(hubRoots, path, cause(err))
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(content) {
		return nil, locale.Refuse(hubRoots, path, "PEM")
	}
	return roots, nil
}
