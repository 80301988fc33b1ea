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
	places   []uint64      // of the items, once there are many: see hashed
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
	if n := len(l.items); n == cap(l.items) {
		l.items = slices.Grow(l.items, max(n, 2)) // append would copy a long list five times
	}
	l.items = append(l.items, s)
	if l.shown != nil {
		l.shown.out.suggest(l)
	}
}

// flawed notes markup that is not well-formed, if any.
func (l *suggestionList) flawed(f toolcall.Flaw) {
	if f.Fault != toolcall.NoFault && !l.literal {
		l.markup.Note(f.Fault, f.Name, f.At)
		l.repairs.add(question.RepairBareMarkup)
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
	if before := l.places; 2*len(l.items) >= len(before) {
		l.places = make([]uint64, max(4*few, 2*len(before)))
		for i := 0; before == nil && i < len(l.items); i++ {
			l.enter(hashed(l.items[i], i), nil)
		}
		for _, place := range before {
			if place > 0 {
				l.enter(place, nil)
			}
		}
	}
	return l.enter(hashed(s, len(l.items)), &s)
}

var hashSeed = maphash.MakeSeed()

// hashed returns what the table holds for the suggestion with the index: half of its hash, and the index from 1.
func hashed(s question.Suggestion, index int) uint64 {
	return maphash.String(hashSeed, s.Answer)&^(1<<32-1) | uint64(index+1) //nolint:gosec // a message is shorter
}

// enter puts a place into the table, unless the suggestion is not nil and the list has one like it. It reports whether it has.
func (l *suggestionList) enter(place uint64, s *question.Suggestion) bool {
	for i := place >> 32; ; i++ {
		switch at := &l.places[i&uint64(len(l.places)-1)]; {
		case *at == 0:
			*at = place
			return false
		case s != nil && *at>>32 == place>>32 && l.items[uint32(*at)-1] == *s: //nolint:gosec // the lower half
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
