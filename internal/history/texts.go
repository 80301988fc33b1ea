package history

import (
	"strings"
	"unicode/utf8"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/markdown"
	"followup/internal/protocol"
	"followup/internal/store/words"
)

const (
	// searchedText is how many bytes of an entry's texts are searched for matches, which limits the cost of a page.
	searchedText = 16 << 10
	// mostMatches limits the matches of an entry.
	mostMatches = 200
	// beginning is how many bytes of a question or an answer a narrow list shows.
	beginning = 60
	// excerptLead and excerptTail are the bytes before and after an excerpt's match.
	excerptLead, excerptTail = 24, 300
)

// mark adds a search's matches to an entry. The entry is not shortened yet, since a match may be past the page's text.
func mark(e *protocol.HistoryEntry, finder *words.Finder) {
	asked, said, others := searched(e)
	shown := finds(finder, front(asked)) || finds(finder, front(said))
	seen := map[words.Match]bool{}
	left := searchedText
	for _, text := range append([]string{asked, said}, others...) {
		text = upTo(text, left)
		left -= len(text)
		finder.Find(text, func(at int, match words.Match) bool {
			if !shown && e.Excerpt == "" {
				e.Excerpt = excerpt(finder, text, at)
			}
			if !seen[match] {
				seen[match] = true
				// The clone does not keep the whole text in memory.
				e.Matches = append(e.Matches, protocol.HistoryMatch{Word: strings.Clone(match.Word), Start: match.Start, End: match.End})
			}
			return len(e.Matches) < mostMatches
		})
	}
}

// searched returns an entry's texts: the question, the answer, and everything else.
func searched(e *protocol.HistoryEntry) (asked, said string, others []string) {
	if o := e.Outcome.Outcome; o == protocol.OutcomeAnswered || o == protocol.OutcomeReplied {
		said = archive.OutcomeSummary(locale.English, *e)
	}
	for _, pick := range e.Outcome.Picks {
		others = append(others, pick.Other, pick.Notes)
	}
	if p := e.Payload; p != nil {
		for i, text := range p.Texts() {
			if i == 0 {
				asked = *text
			} else {
				others = append(others, *text)
			}
		}
		if p.Approval != nil {
			asked = archive.QuestionSummary(locale.English, *e)
		}
		others = append(others, e.Outcome.Changed)
	}
	if e.Error != nil {
		others = append(others, e.Error.Message)
	}
	return asked, said, append(others, e.Outcome.Text, e.Context)
}

// front returns the beginning of a text as a line of the list.
func front(text string) string {
	return upTo(oneLine(markdown.Plain(upTo(text, 4*beginning))), beginning)
}

// excerpt returns a line around a match, without Markdown's marks unless they contain the match.
func excerpt(finder *words.Finder, text string, at int) string {
	from := max(0, at-excerptLead)
	if space := strings.LastIndexByte(text[:from], ' '); space >= from-excerptLead {
		from = space + 1
	}
	for !utf8.RuneStart(text[from]) {
		from++
	}
	piece := upTo(text[from:], excerptLead+excerptTail)
	line := oneLine(piece)
	if plain := oneLine(markdown.Plain(piece)); finds(finder, plain) {
		line = plain
	}
	if from > 0 {
		line = "…" + line
	}
	if from+len(piece) < len(text) {
		line += "…"
	}
	return line
}

func finds(finder *words.Finder, text string) (found bool) {
	finder.Find(text, func(int, words.Match) bool {
		found = true
		return false
	})
	return found
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// upTo returns at most that many bytes of a text, cut between characters.
func upTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// shorten cuts the long texts of an entry, and marks it as shortened. It does not change shared values.
func shorten(e *protocol.HistoryEntry) {
	cut := func(text *string) {
		if len(*text) > longestText {
			*text, e.Shortened = upTo(*text, longestText)+"…", true
		}
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
