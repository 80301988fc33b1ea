package dialect

import (
	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/toolcall"
)

// Message returns the error of an invalid call of the tool, in the language t, worded as the seeds do where they give the words.
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

// details word why a call cannot be parsed.
var details = map[question.Reason]locale.Key{
	question.Reason(toolcall.BareLess):        locale.BareLess,
	question.Reason(toolcall.BareAmpersand):   locale.BareAmpersand,
	question.Reason(toolcall.UnclosedTag):     locale.UnclosedTag,
	question.Reason(toolcall.StrayEndTag):     locale.StrayEndTag,
	question.Reason(toolcall.BadAttribute):    locale.BadAttribute,
	question.Reason(toolcall.NoJSON):          locale.NoJSON,
	question.Reason(toolcall.Unexpected):      locale.Unexpected,
	question.Reason(toolcall.Trailing):        locale.Trailing,
	question.Reason(toolcall.TrailingComma):   locale.TrailingComma,
	question.Reason(toolcall.ControlInString): locale.ControlInString,
	question.Reason(toolcall.AroundJSON):      locale.AroundJSON,
	question.Reason(toolcall.StrayBracket):    locale.StrayBracket,
	question.Reason(toolcall.BadEscape):       locale.BadEscape,
	question.ReasonHidden:                     locale.Hidden,
	question.ReasonNotObject:                  locale.NotObject,
	question.ReasonInnerEnd:                   locale.InnerEnd,
}

// typeNames name the types of values.
var typeNames = map[question.ValueType]locale.Key{
	question.TypeNull:   locale.TypeNull,
	question.TypeBool:   locale.TypeBool,
	question.TypeNumber: locale.TypeNumber,
	question.TypeString: locale.TypeString,
	question.TypeList:   locale.TypeList,
	question.TypeObject: locale.TypeObject,
}

// detail words a reason, and where it was found.
func detail(t locale.Tag, d question.Detail) string {
	key, known := details[d.Reason]
	if !known {
		key = locale.Unreadable
	}
	words := t.Text(key, d.Name)
	if where := stands(t, d.At); where != "" {
		words = t.Text(locale.Placed, words, where)
	}
	return words
}

// invalidValue words why the value of a field is invalid.
func invalidValue(t locale.Tag, d question.Detail) string {
	var why string
	switch d.Reason {
	case question.ReasonCount:
		why = t.Text(locale.ValueCount, d.Min, d.Max, d.Count)
	case question.ReasonDuplicate:
		why = t.Text(locale.ValueDuplicate, d.Found)
	case question.ReasonType:
		why = t.Text(locale.ValueType, t.Text(typeNames[d.Want]), t.Text(typeNames[d.Got]))
	case question.ReasonMended:
		why = t.Text(locale.ValueMended, d.Found)
	default:
		return t.Text(locale.InvalidValue, d.Name)
	}
	if d.At.Excerpt != "" {
		why = t.Text(locale.PlaceExcerpt, why, d.At.Excerpt)
	}
	return t.Text(locale.InvalidValueDetail, d.Name, why)
}

// stands words where something stands; empty where that is not known.
func stands(t locale.Tag, at question.Place) string {
	where := at.Path
	if at.Line > 0 {
		where = t.Text(locale.PlaceLine, at.Line, at.Column)
	}
	if where != "" && at.Excerpt != "" {
		where = t.Text(locale.PlaceExcerpt, where, at.Excerpt)
	}
	return where
}

// Found is what follows the Message of an error whose words are fixed by the seeds, and have no room for it: what is wrong,
// quoted, and where it stands, or what strict mode would have to mend. It is empty where that is not known, or in the message already.
func Found(t locale.Tag, e *question.Error) string {
	where := stands(t, e.Detail.At)
	switch {
	case e.Code == question.CodeInvalidFormat && e.Detail.Reason == question.ReasonMended:
		return t.Text(locale.Mended, e.Detail.Found)
	case where == "":
		return ""
	case e.Code == question.CodeInvalidFormat && e.Detail.At.Path != "":
		return t.Text(locale.NoList, e.Detail.Name, where)
	case e.Code == question.CodeTruncated:
		return t.Text(locale.EndsAt, where)
	case e.Code == question.CodeInvalidFormat || e.Code == question.CodeMissingParameter:
		return t.Text(locale.Found, where)
	}
	return ""
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
