package dialect

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// suggestionList collects suggestions, without those that are of no use, and what there is to say of what they were read from.
type suggestionList struct {
	told
	items    []question.Suggestion
	places   []int32 // of items, by hash, once there are many
	markup   fault   // the first way in which it is not well-formed
	readable bool    // suggestions, or nothing at all, were found
	shown    *draft  // told of each that is kept; may be nil
}

func (l *suggestionList) add(answer, mode string) {
	s := question.Suggestion{Answer: answer, Mode: modeName(mode)}
	switch {
	case answer == "":
		l.repairs.add(question.RepairBlankSuggestion)
	case l.has(s):
		l.repairs.add(question.RepairDuplicateSuggestion)
	default:
		l.keep(s)
	}
}

// keep adds a suggestion that is of use.
func (l *suggestionList) keep(s question.Suggestion) {
	l.items = append(l.items, s)
	if l.shown != nil {
		l.shown.out.emit(&Suggested{s})
	}
}

// modeName returns the mode that an agent meant, without quotation marks around it. The mode null is none.
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

// has reports whether the list has the suggestion; if not, it must be added. The hash table takes a fifth of a map's time.
func (l *suggestionList) has(s question.Suggestion) bool {
	if len(l.items) < few {
		return slices.Contains(l.items, s)
	}
	if 2*len(l.items) >= len(l.places) {
		l.places = make([]int32, max(4*few, 2*len(l.places)))
		for i, item := range l.items {
			*l.place(item) = int32(i) + 1 //nolint:gosec // a message is shorter
		}
	}
	place := l.place(s)
	if *place > 0 {
		return true
	}
	*place = int32(len(l.items)) + 1 //nolint:gosec // a message is shorter
	return false
}

var hashSeed = maphash.MakeSeed()

// place returns the entry of the table for the suggestion: that which holds its place from 1, or the first free one.
func (l *suggestionList) place(s question.Suggestion) *int32 {
	for i := maphash.String(hashSeed, s.Answer); ; i++ {
		place := &l.places[i%uint64(len(l.places))]
		if *place == 0 || l.items[*place-1] == s {
			return place
		}
	}
}

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

var names = toolcall.NewNames(tagNames...)

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
