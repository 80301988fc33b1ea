package store

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// IsDatabase tells whether a place names a database, and not a folder: postgres://…, postgresql://… or service=….
func IsDatabase(place string) bool {
	_, is := address(place)
	return is || strings.HasPrefix(place, "service=")
}

// address gives what follows the scheme of a database's address.
func address(place string) (rest string, is bool) {
	scheme, rest, is := strings.Cut(place, "://")
	return rest, is && (scheme == "postgres" || scheme == "postgresql")
}

// ErrPlace is that of a place that is neither a folder's path nor a database's address in one of its forms.
var ErrPlace = errors.New("a database is named postgres://USER@HOST/NAME or service=NAME, and a folder by its path")

// oddPlace is what no folder is called but by mistake: other schemes, and keywords of a database without a service before them.
var oddPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*([a-z][a-z0-9+.-]*://|(service|host|hostaddr|port|dbname|user|password|passfile|ssl[a-z]+)\s*=)`)
})

// CheckPlace tells whether a place can be a folder or a database; ErrPlace otherwise.
func CheckPlace(place string) error {
	if strings.ContainsAny(place, ":=") && !IsDatabase(place) && oddPlace().MatchString(place) {
		return ErrPlace
	}
	return nil
}

// secrets are the parameters of a database's address that are passwords.
var secrets = []string{"password", "sslpassword"}

// keywordSecret is a password in an address of keywords and values.
var keywordSecret = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:^|\s)(?:ssl)?password\s*=\s*)('(?:[^'\\]|\\.)*'?|(?:[^\s\\]|\\.)*)`)
})

// HasPassword reports whether a database's address contains a password, as libpq reads it: it takes characters that no URL may have.
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

// Redacted returns a place as it may be shown and logged: of an address that contains a password, or cannot be read, only the scheme.
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
