package store

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// IsDatabase reports whether a place names a database rather than a folder: postgres://…, postgresql://… or service=….
func IsDatabase(place string) bool {
	_, is := address(place)
	return is || strings.HasPrefix(place, "service=")
}

// address returns the part of a database's address after its scheme.
func address(place string) (rest string, is bool) {
	scheme, rest, is := strings.Cut(place, "://")
	return rest, is && (scheme == "postgres" || scheme == "postgresql")
}

// ErrPlace means that a place is neither a folder's path nor a valid address of a database.
var ErrPlace = errors.New("give a folder's path or, for a database, postgres://USER@HOST/NAME or service=NAME")

// oddPlace matches places that are probably not meant as folders: other schemes, and a database's keywords without service.
var oddPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*([a-z][a-z0-9+.-]*://|(service|host|hostaddr|port|dbname|user|password|passfile|ssl[a-z]+)\s*=)`)
})

// CheckPlace returns ErrPlace if a place can be neither a folder nor a database.
func CheckPlace(place string) error {
	if strings.ContainsAny(place, ":=") && !IsDatabase(place) && oddPlace().MatchString(place) {
		return ErrPlace
	}
	return nil
}

// secrets are the parameters of a database's address with passwords.
var secrets = []string{"password", "sslpassword"}

// keywordSecret matches a password in an address of keywords and values.
var keywordSecret = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:^|\s)(?:ssl)?password\s*=\s*)('(?:[^'\\]|\\.)*'?|(?:[^\s\\]|\\.)*)`)
})

// HasPassword reports whether a database's address contains a password. Like libpq, it accepts characters that are invalid in URLs.
func HasPassword(place string) bool {
	rest, is := address(place)
	if !is {
		return keywordSecret().MatchString(place)
	}
	before, query, _ := strings.Cut(rest, "?")
	user := strings.IndexAny(rest, "@/")
	if user < 0 || rest[user] == '/' { // or a password has a slash in it
		user = strings.LastIndex(before, "@")
	}
	if user > 0 && strings.Contains(rest[:user], ":") {
		return true
	}
	return slices.ContainsFunc(strings.Split(query, "&"), func(part string) bool {
		key, _, _ := strings.Cut(part, "=")
		if plain, err := url.PathUnescape(key); err == nil {
			key = plain
		}
		return slices.ContainsFunc(secrets, func(name string) bool { return strings.Contains(strings.ToLower(key), name) }) ||
			strings.Contains(key, "@") || keywordSecret().MatchString(strings.ReplaceAll(part, ";", " "))
	})
}

// Redacted returns a place for display and logs: only the scheme, if the address contains a password or is invalid.
func Redacted(place string) string {
	scheme, _, is := strings.Cut(place, "://")
	_, err := url.Parse(place)
	switch {
	case !is:
		return keywordSecret().ReplaceAllString(place, "${1}xxxxx")
	case !IsDatabase(place):
		return "…://…"
	case HasPassword(place) || err != nil:
		return scheme + "://…"
	}
	return place
}
