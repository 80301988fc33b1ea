package dialect

import (
	"followup/internal/locale"
	"followup/internal/question"
)

// Message returns what is said to the agent about an invalid call of the tool, in the language t. The words of the codes
// that the seeds give are the seeds'.
func Message(t locale.Tag, tool string, e *question.Error) string {
	d := e.Detail
	switch e.Code {
	case question.CodeMissingParameter:
		return t.Text(locale.MissingParameter, d.Name)
	case question.CodeParseFailed:
		return t.Text(locale.ParseFailed, detail(t, d))
	case question.CodeTruncated:
		return t.Text(locale.ParseFailed, t.Text(locale.UnexpectedEnd))
	case question.CodeTooLarge:
		if d.Name == "" {
			return t.Text(locale.MessageTooLarge, size(t, d.Limit))
		}
		return t.Text(locale.TooLarge, d.Name, size(t, d.Limit))
	case question.CodeInvalidValue:
		return invalidValue(t, d)
	case question.CodeUnknownTool:
		return t.Text(locale.UnknownTool, tool)
	}
	return t.Text(locale.InvalidFormat)
}

// detailKeys are the words for each reason; those with true name something.
var detailKeys = map[question.Reason]struct {
	key   locale.Key
	named bool
}{
	question.ReasonBareLess:        {locale.BareLess, false},
	question.ReasonBareAmpersand:   {locale.BareAmpersand, false},
	question.ReasonUnclosedTag:     {locale.UnclosedTag, true},
	question.ReasonStrayEndTag:     {locale.StrayEndTag, true},
	question.ReasonBadAttribute:    {locale.BadAttribute, true},
	question.ReasonHidden:          {locale.Hidden, false},
	question.ReasonNoJSON:          {locale.NoJSON, true},
	question.ReasonNotObject:       {locale.NotObject, false},
	question.ReasonUnexpected:      {locale.Unexpected, true},
	question.ReasonBadEscape:       {locale.BadEscape, true},
	question.ReasonTrailing:        {locale.Trailing, true},
	question.ReasonInnerEnd:        {locale.InnerEnd, false},
	question.ReasonTrailingComma:   {locale.TrailingComma, false},
	question.ReasonControlInString: {locale.ControlInString, false},
	question.ReasonAroundJSON:      {locale.AroundJSON, false},
}

func detail(t locale.Tag, d question.Detail) string {
	words, ok := detailKeys[d.Reason]
	switch {
	case !ok:
		return t.Text(locale.Unreadable)
	case words.named:
		return t.Text(words.key, d.Name)
	}
	return t.Text(words.key)
}

// size says a number of bytes in the largest unit that leaves nothing over.
func size(t locale.Tag, n int) string {
	switch {
	case n%(1<<20) == 0:
		return t.Text(locale.Mebibytes, n>>20)
	case n%(1<<10) == 0:
		return t.Text(locale.Kibibytes, n>>10)
	}
	return t.Text(locale.Bytes, n)
}
