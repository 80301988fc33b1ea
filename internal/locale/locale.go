// Package locale holds every sentence the sidecar says, in English, French, Simplified Chinese and Brazilian Portuguese.
// It is a leaf: callers pass a key and its arguments, and know no words.
package locale

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// Tag is one of the languages that the catalogue speaks, as a BCP 47 tag.
type Tag string

// The languages of the catalogue.
const (
	English    Tag = "en"
	French     Tag = "fr"
	Chinese    Tag = "zh-CN"
	Portuguese Tag = "pt-BR"
)

// Tags lists the languages of the catalogue; the first is the fallback.
var Tags = []Tag{English, French, Chinese, Portuguese}

// Key names one message of the catalogue.
type Key string

// Messages maps keys to templates in one language. A template names its arguments by position (%[1]s), so that every
// language can order them its own way.
type Messages map[Key]string

// vocabulary is what the catalogue has in one language. Its parts are made and joined when something is first said in it: that takes a
// process time, and most say little, in one language.
type vocabulary struct {
	parts []func() Messages
	join  sync.Once
	all   Messages
}

// catalogue holds the languages' vocabularies; each file adds a part with register.
var catalogue = map[Tag]*vocabulary{English: {}, French: {}, Chinese: {}, Portuguese: {}}

// register adds messages to a language. It is called while the package's variables are set up, and returns true for that.
func register(t Tag, part func() Messages) bool {
	catalogue[t].parts = append(catalogue[t].parts, part)
	return true
}

// template is a language's message of a key, before its arguments are put in.
func (t Tag) template(key Key) (text string, ok bool) {
	v := catalogue[t]
	if v == nil {
		return "", false
	}
	v.join.Do(func() {
		v.all = Messages{}
		for _, part := range v.parts {
			maps.Copy(v.all, part())
		}
	})
	text, ok = v.all[key]
	return text, ok
}

// Has reports whether the catalogue has a message of key.
func Has(key Key) bool {
	_, ok := English.template(key)
	return ok
}

// Text returns the message of key in the language, with its arguments put in. A key that the language lacks is told in
// English, and one that English lacks as the key itself.
func (t Tag) Text(key Key, args ...any) string {
	template, ok := t.template(key)
	if !ok {
		if template, ok = English.template(key); !ok {
			return string(key)
		}
	}
	if len(args) == 0 || !strings.Contains(template, "%") { // a message need not name what it could
		return template
	}
	return fmt.Sprintf(template, args...)
}

var (
	supported = sync.OnceValue(func() []language.Tag {
		tags := make([]language.Tag, len(Tags))
		for i, t := range Tags {
			tags[i] = language.MustParse(string(t))
		}
		return tags
	})
	matcher = sync.OnceValue(func() language.Matcher { return language.NewMatcher(supported()) })
)

// Match returns the language of the catalogue for the first of the given languages that has one, and English when none
// has. It takes BCP 47 tags ("fr-CA", "zh-Hans") and POSIX locales ("fr_FR.UTF-8").
func Match(lang ...string) Tag {
	for _, l := range lang {
		if want, err := language.Parse(bcp47(l)); err == nil {
			if t, ok := match(want); ok {
				return t
			}
		}
	}
	return English
}

// match asks for the same language in the same script, since the matcher alone would also offer a related one: French to
// a reader of Breton, Simplified characters to a reader of Traditional ones.
func match(want language.Tag) (Tag, bool) {
	_, i, confidence := matcher().Match(want)
	if confidence == language.No {
		return "", false
	}
	have := supported()[i]
	wantBase, _ := want.Base()
	haveBase, _ := have.Base()
	wantScript, _ := want.Script()
	haveScript, _ := have.Script()
	return Tags[i], wantBase == haveBase && wantScript == haveScript
}

// bcp47 turns a POSIX locale into a language tag: it cuts the encoding and the modifier.
func bcp47(l string) string {
	if i := strings.IndexAny(l, ".@"); i >= 0 {
		l = l[:i]
	}
	return strings.ReplaceAll(l, "_", "-")
}
