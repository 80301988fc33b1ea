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
	if rest, is = strings.CutPrefix(place, "postgres://"); !is {
		rest, is = strings.CutPrefix(place, "postgresql://")
	}
	return rest, is
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

// HasPassword tells whether a password stands in a database's address. It reads an address as libpq does, which takes characters there
// that no URL may have.
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

// plainAddress is one whose password stands where it belongs, so that it is certain where it ends.
var plainAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z]+://[^:/?#@]*:)[^:/?#@]*(@[^?#@]*)$`)
})

// Redacted is a place as it may be shown and logged: without a password, should there be one.
func Redacted(place string) string {
	rest, is := address(place)
	switch {
	case !is && strings.Contains(place, "://"):
		return "…://…"
	case !is:
		return keywordSecret().ReplaceAllString(place, "${1}xxxxx")
	}
	if HasPassword(place) {
		if parts := plainAddress().FindStringSubmatch(place); parts != nil {
			return parts[1] + "xxxxx" + parts[2]
		}
		return strings.TrimSuffix(place, rest) + "…"
	}
	if _, err := url.Parse(place); err != nil {
		return strings.TrimSuffix(place, rest) + "…"
	}
	return place
}
