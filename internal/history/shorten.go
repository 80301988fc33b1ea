package history

import (
	"unicode/utf8"

	"followup/internal/protocol"
)

// shorten cuts the long texts of an entry, and marks it as shortened. It does not change shared values.
func shorten(e *protocol.HistoryEntry) {
	cut := func(text *string) {
		if len(*text) <= longestText {
			return
		}
		end := longestText
		for !utf8.RuneStart((*text)[end]) {
			end--
		}
		*text, e.Shortened = (*text)[:end]+"…", true
	}
	cut(&e.Context)
	cut(&e.PreviousPlan)
	cut(&e.Outcome.Text)
	cut(&e.Outcome.Changed)
	for i := range e.Outcome.Picks {
		cut(&e.Outcome.Picks[i].Other)
		cut(&e.Outcome.Picks[i].Notes)
	}
	if e.Error != nil {
		cut(&e.Error.Message)
	}
	if e.Payload != nil {
		for _, text := range e.Payload.Texts() {
			cut(text)
		}
	}
}
