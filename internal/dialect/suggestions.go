package dialect

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// suggestionList collects useful suggestions, and remarks on the text they come from.
type suggestionList struct {
	remarks
	items     []question.Suggestion
	hashTable []int32       // see entry; built for long lists only, its length is a power of two
	markup    toolcall.Flaw // first markup flaw
	readable  bool          // found suggestions, or nothing but white space
	literal   bool          // inside CDATA, where only the suggestions' tags are markup
	notify    *draft        // notified of each kept suggestion; may be nil
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

// keep adds a suggestion without checking it.
func (l *suggestionList) keep(s question.Suggestion) {
	n := len(l.items)
	if n == cap(l.items) {
		l.items = slices.Grow(l.items, max(n, 2)) // append would copy a long list five times
	}
	l.items = append(l.items, s)
	if l.notify != nil && l.notify.out.list != l {
		l.notify.out.flush()
		l.notify.out.list, l.notify.out.from = l, n
	}
}

// noteFlaw records ill-formed markup, if any.
func (l *suggestionList) noteFlaw(f toolcall.Flaw) {
	if f.Fault != toolcall.NoFault && !l.literal {
		l.markup.Note(f.Fault, f.Name, f.At)
		l.repairs.add(question.RepairBareMarkup)
	}
}

// checkAttributes records attributes that are not well-formed XML.
func (l *suggestionList) checkAttributes(t *toolcall.Tag) {
	if t.Loose {
		l.noteFlaw(toolcall.Flaw{Fault: toolcall.BadAttribute, Name: t.Name, At: t.Start})
	}
}

// modeName returns the mode without surrounding quotation marks. The mode "null" means none.
func modeName(s string) string {
	if s = strings.TrimFunc(s, isQuote); s == "null" {
		return ""
	}
	return s
}

// isQuote reports whether r is a quotation mark, or white space next to one.
func isQuote(r rune) bool {
	return (r < 'A' || r > unicode.MaxASCII) && (isSpace(r) || strings.ContainsRune(quotationMarks, r)) || r == '`'
}

const quotationMarks = "\"'`“”„‟‘’‚‛«»‹›「」『』〝〞〟＂＇｢｣"

// linearLimit is the list length below which has scans the list.
const linearLimit = 16

// has reports whether the list contains s. If not, the caller must add s.
func (l *suggestionList) has(s question.Suggestion) bool {
	if len(l.items) < linearLimit {
		return slices.Contains(l.items, s)
	}
	if len(l.hashTable) <= 2*len(l.items) {
		l.hashTable = make([]int32, 2<<bits.Len(uint(len(l.items))))
		for i, item := range l.items {
			*l.entry(item) = int32(i + 1) //nolint:gosec // a message is shorter
		}
	}
	entry := l.entry(s)
	if *entry > 0 {
		return true
	}
	*entry = int32(len(l.items) + 1) //nolint:gosec // a message is shorter
	return false
}

var hashSeed = maphash.MakeSeed()

// entry returns the entry of s in the hash table: its index in the list plus 1, or 0 if it has none yet. A map would
// exceed the memory that TestMemory allows.
func (l *suggestionList) entry(s question.Suggestion) *int32 {
	for i := maphash.String(hashSeed, s.Answer+s.Mode); ; i++ {
		entry := &l.hashTable[i&uint64(len(l.hashTable)-1)]
		if *entry == 0 || l.items[*entry-1] == s {
			return entry
		}
	}
}

// Names in the tag form.
const (
	tagAsk        = question.ToolFollowup
	tagQuestion   = "question"
	tagFollowUp   = "follow_up"
	tagSuggest    = "suggest"
	tagSuggestion = "suggestion"
	tagOption     = "option"
)

var tagNames = [...]string{
	tagAsk, tagQuestion, tagFollowUp, tagSuggest, tagSuggestion, tagOption, "suggestions", "options",
}

// tagCounts has a number for each of tagNames.
type tagCounts [len(tagNames)]int32

var names = toolcall.NewNames(tagNames[:]...)

func isWrapper(name string) bool { return name == "suggestions" || name == "options" }

func isSuggestion(name string) bool {
	return name == tagSuggest || name == tagSuggestion || name == tagOption
}
