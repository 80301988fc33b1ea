package locale

import (
	"regexp"
	"slices"
	"testing"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		lang []string
		want Tag
	}{
		{nil, English},
		{[]string{""}, English},
		{[]string{"en"}, English},
		{[]string{"en-GB"}, English},
		{[]string{"fr"}, French},
		{[]string{"fr-CA"}, French},
		{[]string{"fr_FR.UTF-8"}, French},
		{[]string{"fr_BE@euro"}, French},
		{[]string{"zh"}, Chinese},
		{[]string{"zh-Hans"}, Chinese},
		{[]string{"zh-cn"}, Chinese},
		{[]string{"zh_SG.UTF-8"}, Chinese},
		{[]string{"zh-TW"}, English},
		{[]string{"zh-Hant"}, English},
		{[]string{"pt"}, Portuguese},
		{[]string{"pt-br"}, Portuguese},
		{[]string{"pt_PT"}, Portuguese},
		{[]string{"br"}, English}, // Breton: no French
		{[]string{"de"}, English},
		{[]string{"C"}, English},
		{[]string{"C.UTF-8"}, English},
		{[]string{"POSIX"}, English},
		{[]string{"no such thing"}, English},
		{[]string{"de", "pt-PT"}, Portuguese},
	}
	for _, test := range tests {
		if got := Match(test.lang...); got != test.want {
			t.Errorf("Match(%q) = %q, want %q", test.lang, got, test.want)
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d+\][a-z]|.)`)

// TestCatalogue proves that every key has a message in every language, with the same arguments.
func TestCatalogue(t *testing.T) {
	all := map[Tag]Messages{}
	for _, tag := range Tags {
		all[tag] = Messages{}
		for _, part := range catalogue[tag].parts {
			for key, text := range part() {
				if _, taken := all[tag][key]; taken {
					t.Errorf("%s has two messages for %s", tag, key)
				}
				all[tag][key] = text
			}
		}
	}
	for key, english := range all[English] {
		want := verbs(english)
		for _, tag := range Tags {
			text, ok := all[tag][key]
			if !ok || text == "" {
				t.Errorf("%s has no message for %s", tag, key)
			}
			if got := verbs(text); ok && !slices.Equal(got, want) {
				t.Errorf("%s: %s takes %v, in English %v", tag, key, got, want)
			}
		}
	}
	for _, tag := range Tags {
		for key := range all[tag] {
			if _, ok := all[English][key]; !ok {
				t.Errorf("%s has a message for %s, English has none", tag, key)
			}
		}
	}
}

func verbs(text string) []string {
	found := verb.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestText(t *testing.T) {
	if got, want := French.Text(MissingParameter, "question"), "Paramètre requis manquant 'question'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Tag("xx").Text(InvalidFormat), "Invalid operations xml format"; got != want {
		t.Errorf("an unknown language: got %q, want %q", got, want)
	}
	if got, want := English.Text("no.such.key"), "no.such.key"; got != want {
		t.Errorf("an unknown key: got %q, want %q", got, want)
	}
}
