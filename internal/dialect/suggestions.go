package dialect

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// suggestionList collects the suggestions of one call, without those that are of no use.
type suggestionList struct {
	items []question.Suggestion
	seen  map[uint64]bool // hashes of items, once there are many
	codes codes
	shown *draft // told of each that is kept; may be nil
}

func (l *suggestionList) add(answer, mode string) {
	s := question.Suggestion{Answer: answer, Mode: modeName(mode)}
	switch {
	case answer == "":
		l.codes.add(question.RepairBlankSuggestion)
		return
	case l.has(s):
		l.codes.add(question.RepairDuplicateSuggestion)
		return
	}
	l.keep(s)
	if l.seen != nil {
		l.seen[hash(s)] = true
	}
}

// keep adds a suggestion that is of use.
func (l *suggestionList) keep(s question.Suggestion) {
	l.items = append(toolcall.Doubled(l.items), s)
	if l.shown != nil {
		l.shown.accept(s)
	}
}

// modeName returns the mode that is meant by what an agent wrote as one: quotation marks around it are none of it, and null is
// none.
func modeName(s string) string {
	if s = strings.TrimFunc(s, quotes); s == "null" {
		return ""
	}
	return s
}

// quotes reports whether r is a quotation mark, or white space within.
func quotes(r rune) bool {
	return (r < 'A' || r > unicode.MaxASCII) && (isSpace(r) || strings.ContainsRune(quotationMarks, r)) || r == '`'
}

const quotationMarks = "\"'`“”„‟‘’‚‛«»‹›「」『』〝〞〟＂＇｢｣"

// few is how many suggestions are looked through one by one.
const few = 16

func (l *suggestionList) has(s question.Suggestion) bool {
	if len(l.items) < few {
		return slices.Contains(l.items, s)
	}
	if l.seen == nil {
		l.seen = map[uint64]bool{}
		for _, item := range l.items {
			l.seen[hash(item)] = true
		}
	}
	return l.seen[hash(s)]
}

var hashSeed = maphash.MakeSeed()

// hash is as good as equality: a seed that nobody knows makes two that are alike one in 2^64.
func hash(s question.Suggestion) uint64 { return maphash.Comparable(hashSeed, s) }

// The names of the tag form.
const (
	tagAsk        = question.ToolFollowup
	tagQuestion   = "question"
	tagFollowUp   = "follow_up"
	tagSuggest    = "suggest"
	tagSuggestion = "suggestion"
	tagOption     = "option"
)

var tagNames = []string{
	tagAsk, tagQuestion, tagFollowUp, tagSuggest, tagSuggestion, tagOption, "suggestions", "options",
}

var (
	names      = toolcall.NewNames(tagNames...)
	paramNames = toolcall.NewNames(tagNames[1:]...)
)

func isWrapper(name string) bool { return name == "suggestions" || name == "options" }

func isSuggestion(name string) bool {
	return name == tagSuggest || name == tagSuggestion || name == tagOption
}

// fault is the first way in which something is not well-formed, and where that stands.
type fault struct {
	kind toolcall.Fault
	name string
	at   int
}

// note takes a fault, which counts if it stands before the one that is known.
func (f *fault) note(kind toolcall.Fault, name string, at int) {
	if kind != toolcall.NoFault && (f.kind == toolcall.NoFault || at < f.at) {
		*f = fault{kind, name, at}
	}
}

func (f *fault) found(c *toolcall.Checker) { f.note(c.Fault, c.Name, c.At) }
