package store

import (
	"net/url"
	"regexp"
	"strings"
)

// IsDatabase tells whether a place names a database, and not a folder: postgres://…, postgresql://… or service=….
func IsDatabase(place string) bool {
	return isAddress(place) || strings.HasPrefix(place, "service=")
}

func isAddress(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// secrets are the parameters of a database's address that are passwords.
var secrets = []string{"password", "sslpassword"}

// secretPattern is a password in an address of keywords and values.
const secretPattern = `((?:^|\s)(?:ssl)?password\s*=\s*)('(?:[^'\\]|\\.)*'?|\S*)`

// HasPassword tells whether a password stands in a database's address.
func HasPassword(place string) bool {
	if !isAddress(place) {
		return regexp.MustCompile(secretPattern).MatchString(place)
	}
	parsed, err := url.Parse(place)
	if err != nil {
		return false
	}
	_, has := parsed.User.Password()
	for _, name := range secrets {
		has = has || parsed.Query().Has(name)
	}
	return has
}

// Redacted is a place as it may be shown and logged: without a password, should there be one.
func Redacted(place string) string {
	switch {
	case !IsDatabase(place):
		return place
	case !isAddress(place):
		return regexp.MustCompile(secretPattern).ReplaceAllString(place, "${1}xxxxx")
	}
	parsed, err := url.Parse(place)
	if err != nil {
		return "postgres://…"
	}
	query := parsed.Query()
	for _, name := range secrets {
		if query.Has(name) {
			query.Set(name, "xxxxx")
			parsed.RawQuery = query.Encode()
		}
	}
	return parsed.Redacted()
}
