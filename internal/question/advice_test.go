package question

import (
	"slices"
	"strings"
	"testing"
)

func TestPlaceholder(t *testing.T) {
	tests := []struct {
		answer string
		want   bool
	}{
		{"Call it [name]", true},
		{"[nom du fichier]", true},
		{"部署到 [项目名称]", true},
		{"[x] done", true},
		{"Take argv[i]", false},
		{"Take a?[i]", false},
		{"Take list_[i]", false},
		{"[the docs](https://example.com)", false},
		{"[ ]", false},
		{"[]", false},
		{"[1]", false},
		{"[v1]", false},
		{"[a, b]", false},
		{"[open", false},
		{"Write it to <path>", true},
		{"Use <your-name> or <your_name>", true},
		{"<your name>", true},
		{"Set<T> with a lookup", false},
		{"Map<string, Entry[]>", false},
		{"a?<b>", false},
		{"<T>(x)", false},
		{"Use <kbd>Esc</kbd>", false},
		{"Use <kbd>Esc</kbd> or <key>", true},
		{"<kbd>Esc</kbd >", false},
		{"</kbd>", false},
		{"<br/>", false},
		{"<a href=x>", false},
		{"Use < name > here", true},
		{"a <b && c> d", false},
		{"</b> then <b>", true},
		{"Dear ___,", true},
		{"____", true},
		{"(___)", true},
		{"__init__", false},
		{"a___b", false},
		{"a___", false},
		{"___b", false},
		{"__", false},
		{"TODO", true},
		{"TBD", true},
		{"Fix the TODO", false},
		{"todo", false},
		{"", false},
		{"Yes", false},
	}
	for _, test := range tests {
		if got := hasPlaceholder(test.answer); got != test.want {
			t.Errorf("hasPlaceholder(%q) = %v, want %v", test.answer, got, test.want)
		}
	}
}

func TestNotices(t *testing.T) {
	suggest := func(answers string) (all []Suggestion) {
		for answer := range strings.FieldsSeq(answers) {
			all = append(all, Suggestion{Answer: answer})
		}
		return all
	}
	tests := []struct {
		answers string
		want    []Code
	}{
		{"", []Code{}},
		{"a b c d", []Code{}},
		{"a b c d e", []Code{NoticeTooManySuggestions}},
		{"a TBD", []Code{NoticePlaceholder}},
		{"a b TBD TODO [d] e", []Code{NoticePlaceholder, NoticeTooManySuggestions}},
	}
	for _, test := range tests {
		if got := Notices(suggest(test.answers)); got == nil || !slices.Equal(got, test.want) {
			t.Errorf("Notices(%q) = %#v, want %v", test.answers, got, test.want)
		}
	}
}

func TestLimits(t *testing.T) {
	for given, want := range map[Limits]Limits{
		{}:                          {1 << 20, 8 << 20, 4, 4},
		{Message: 5, Options: 8}:    {1 << 20, 5, 4, 8},
		{Questions: 99, Options: 1}: {1 << 20, 8 << 20, 12, 4},
	} {
		if got := given.WithDefaults(); got != want {
			t.Errorf("%v: got %v, want %v", given, got, want)
		}
	}
}
