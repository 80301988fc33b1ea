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
	places   []uint64      // of items, from 1, below half of their hashes, once there are many
	markup   toolcall.Flaw // the first way in which it is not well-formed
	readable bool          // suggestions, or nothing at all, were found
	literal  bool          // they stood in CDATA, where nothing is markup but their tags
	shown    *draft        // told of each that is kept; may be nil
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
	n := len(l.items)
	if n == cap(l.items) {
		l.items = slices.Grow(l.items, max(n, 2)) // append would copy a long list five times
	}
	l.items = append(l.items, s)
	if l.shown != nil {
		if out := l.shown.out; out.list != l {
			out.flush()
			out.list, out.from = l, n
		}
	}
}

// flawed notes markup that is not well-formed, if any.
func (l *suggestionList) flawed(f toolcall.Flaw) {
	if f.Fault != toolcall.NoFault && !l.literal {
		l.markup.Note(f.Fault, f.Name, f.At)
		l.repairs.add(question.RepairBareMarkup)
	}
}

// loose notes an attribute that is not written as XML has it.
func (l *suggestionList) loose(t *toolcall.Tag) {
	if t.Loose {
		l.flawed(toolcall.Flaw{Fault: toolcall.BadAttribute, Name: t.Name, At: t.Start})
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
		l.places = make([]uint64, max(4*few, 2*len(l.places)))
		for i, item := range l.items {
			l.place(item, i)
		}
	}
	return l.place(s, len(l.items))
}

var hashSeed = maphash.MakeSeed()

// place enters the suggestion with its index in the table, unless the table has one like it, and reports whether it has.
func (l *suggestionList) place(s question.Suggestion, index int) bool {
	hash := maphash.String(hashSeed, s.Answer) >> 32
	for i := hash; ; i++ {
		switch place := &l.places[i&uint64(len(l.places)-1)]; {
		case *place == 0:
			*place = hash<<32 | uint64(index+1) //nolint:gosec // a message is shorter
			return false
		case *place>>32 == hash && l.items[uint32(*place)-1] == s: //nolint:gosec // the lower half
			return true
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
