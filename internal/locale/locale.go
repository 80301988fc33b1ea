// Package locale translates the texts that the sidecar shows to people and agents into French, Simplified Chinese and Brazilian
// Portuguese. It works like vscode.l10n: the English text is the key, and l10n/ has a bundle of translations for each language.
package locale

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Tag is a supported language, as a BCP 47 tag.
type Tag string

// The supported languages.
const (
	English    Tag = "en"
	French     Tag = "fr"
	Chinese    Tag = "zh-CN"
	Portuguese Tag = "pt-BR"
)

// Tags lists the supported languages; the first is the fallback.
var Tags = []Tag{English, French, Chinese, Portuguese}

// Key is an English text, which is the key of its translations. {0}, {1}… stand for its arguments.
// The text of a key is a constant: the package's test finds it in the source, and checks its translations and its arguments.
type Key string

//go:embed l10n
var files embed.FS

// bundles has the translations by language. A bundle is read when a text is first needed in its language.
var bundles = map[Tag]func() map[Key]string{French: bundle(French), Chinese: bundle(Chinese), Portuguese: bundle(Portuguese)}

// bundle returns a function that reads the translations of a language once.
func bundle(t Tag) func() map[Key]string {
	return sync.OnceValue(func() (texts map[Key]string) {
		data, err := files.ReadFile(bundleName(t))
		if err == nil {
			err = json.Unmarshal(data, &texts)
		}
		if err != nil {
			panic(err) // the file is a part of the program
		}
		return texts
	})
}

func bundleName(t Tag) string { return "l10n/bundle.l10n." + strings.ToLower(string(t)) + ".json" }

// Text returns a text in the language, with its arguments filled in. A text without a translation is returned in English.
func (t Tag) Text(key Key, args ...any) string {
	text := string(key)
	if read, ok := bundles[t]; ok {
		if translated, ok := read()[key]; ok {
			text = translated
		}
	}
	if len(args) == 0 {
		return text
	}
	filled := make([]string, 0, 2*len(args))
	for i, arg := range args {
		filled = append(filled, fmt.Sprintf("{%d}", i), fmt.Sprint(arg))
	}
	return strings.NewReplacer(filled...).Replace(text)
}

// Count returns the text for n things, by the plural rules of the language. {0} is n.
func (t Tag) Count(n int, one, other Key, args ...any) string {
	if plural.Cardinal.MatchPlural(language.Make(string(t)), n, 0, 0, 0, 0) == plural.One {
		other = one
	}
	return t.Text(other, append([]any{n}, args...)...)
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

// Match returns the first of the languages that is supported, or English. It takes what Find takes.
func Match(lang ...string) Tag {
	for _, l := range lang {
		if t, ok := Find(l); ok {
			return t
		}
	}
	return English
}

// Find returns the supported language that a name means, if there is one. It takes BCP 47 tags ("fr-CA", "zh-Hans") and POSIX locales
// ("fr_FR.UTF-8").
func Find(lang string) (Tag, bool) {
	want, err := language.Parse(bcp47(lang))
	if err != nil {
		return "", false
	}
	return match(want)
}

// match requires the same language in the same script. The matcher alone also returns related languages: French for Breton, Simplified
// characters for Traditional ones.
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

// bcp47 turns a POSIX locale into a language tag, without encoding and modifier.
func bcp47(l string) string {
	if i := strings.IndexAny(l, ".@"); i >= 0 {
		l = l[:i]
	}
	return strings.ReplaceAll(l, "_", "-")
}
