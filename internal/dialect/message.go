package dialect

import (
	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/toolcall"
)

// Message returns the text of an invalid call's error, in the language t. Where the tools' original specification has a
// text for an error, it is that text.
func Message(t locale.Tag, tool string, e *question.Error) string {
	d := e.Detail
	switch e.Code {
	case question.CodeMissingParameter:
		return t.Text("Missing required parameter '{0}'", d.Name)
	case question.CodeParseFailed:
		return t.Text("Failed to parse operations: {0}", detail(t, d))
	case question.CodeTruncated:
		return t.Text("Failed to parse operations: {0}", t.Text("unexpected end of input"))
	case question.CodeTooLarge:
		if d.Name == "" {
			return t.Text("The message is too large: the limit is {0}", size(t, d.Limit))
		}
		return t.Text("Parameter '{0}' is too large: the limit is {1}", d.Name, size(t, d.Limit))
	case question.CodeInvalidValue:
		return invalidValue(t, d)
	case question.CodeUnknownTool:
		return t.Text("Unknown tool '{0}'", tool)
	}
	return t.Text("Invalid operations xml format")
}

// details are the reasons why a call cannot be parsed.
var details = map[question.Reason]locale.Key{
	question.Reason(toolcall.BareLess):        "a '<' does not begin a tag; write it as &lt;",
	question.Reason(toolcall.BareAmpersand):   "an '&' does not begin an entity; write it as &amp;",
	question.Reason(toolcall.UnclosedTag):     "<{0}> is not closed",
	question.Reason(toolcall.StrayEndTag):     "</{0}> has no start tag",
	question.Reason(toolcall.BadAttribute):    `an attribute of <{0}> is not written name="value"`,
	question.Reason(toolcall.NoJSON):          "the arguments are not JSON; found {0} where an object should begin",
	question.Reason(toolcall.Unexpected):      "unexpected {0} in the JSON",
	question.Reason(toolcall.Trailing):        "unexpected {0} after the end of the JSON",
	question.Reason(toolcall.TrailingComma):   "there is a comma before a closing bracket in the JSON",
	question.Reason(toolcall.ControlInString): "a control character in a JSON string is not escaped",
	question.Reason(toolcall.AroundJSON):      "the JSON is inside a code fence or after a byte order mark",
	question.Reason(toolcall.StrayBracket):    "there is a closing bracket after the end of the JSON",
	question.Reason(toolcall.BadEscape):       "a JSON string has an unknown escape before {0}",
	question.ReasonHidden:                     "the call is inside a code block or an element that is not closed",
	question.ReasonNotObject:                  "the arguments are not a JSON object",
	question.ReasonInnerEnd:                   "the JSON inside the string ends too early",
}

var typeNames = map[question.ValueType]locale.Key{
	question.TypeNull:   "null",
	question.TypeBool:   "true or false",
	question.TypeNumber: "a number",
	question.TypeString: "a string",
	question.TypeList:   "a list",
	question.TypeObject: "an object",
}

// detail returns the text of a reason and of its location.
func detail(t locale.Tag, d question.Detail) string {
	key, known := details[d.Reason]
	if !known {
		key = "the input cannot be read"
	}
	words := t.Text(key, d.Name)
	if where := location(t, d.At); where != "" {
		words = t.Text("{0} ({1})", words, where)
	}
	return words
}

// invalidValue returns the text for a field with an invalid value.
func invalidValue(t locale.Tag, d question.Detail) string {
	var why string
	switch d.Reason {
	case question.ReasonCount:
		why = t.Text("it must hold {0} to {1} items, found {2}", d.Min, d.Max, d.Count)
	case question.ReasonDuplicate:
		why = t.Text("each must be unique, found “{0}” twice", d.Found)
	case question.ReasonType:
		why = t.Text("it must be {0}, found {1}", t.Text(typeNames[d.Want]), t.Text(typeNames[d.Got]))
	case question.ReasonRepaired:
		why = t.Text("strict mode repairs nothing, and this would need {0}", d.Found)
	default:
		return t.Text("Invalid value for '{0}'", d.Name)
	}
	if d.At.Excerpt != "" {
		why = t.Text("{0}: “{1}”", why, d.At.Excerpt)
	}
	return t.Text("Invalid value for '{0}': {1}", d.Name, why)
}

// location returns the text of a location, or "" if it is unknown.
func location(t locale.Tag, at question.Place) string {
	where := at.Path
	if at.Line > 0 {
		where = t.Text("line {0}, column {1}", at.Line, at.Column)
	}
	if where != "" && at.Excerpt != "" {
		where = t.Text("{0}: “{1}”", where, at.Excerpt)
	}
	return where
}

// Found returns a sentence to append to Message when that is a fixed text without details: the offending text and its
// location, or the repairs that strict mode refused. It returns "" if Message already says this, or if it is unknown.
func Found(t locale.Tag, e *question.Error) string {
	where := location(t, e.Detail.At)
	switch {
	case e.Code == question.CodeInvalidFormat && e.Detail.Reason == question.ReasonRepaired:
		return t.Text("Strict mode repairs nothing, and this call would need {0}", e.Detail.Found)
	case where == "":
		return ""
	case e.Code == question.CodeInvalidFormat && e.Detail.At.Path != "":
		return t.Text(`'{0}' must be a list of suggestions, such as [{"text": "Yes"}, {"text": "No"}]. Found at {1}`, e.Detail.Name, where)
	case e.Code == question.CodeTruncated:
		return t.Text("The input ends at {0}", where)
	case e.Code == question.CodeInvalidFormat || e.Code == question.CodeMissingParameter:
		return t.Text("Found at {0}", where)
	}
	return ""
}

// size formats a number of bytes in the largest unit that divides it.
func size(t locale.Tag, n int) string {
	switch {
	case n%(1<<20) == 0:
		return t.Text("{0} MiB", n>>20)
	case n%(1<<10) == 0:
		return t.Text("{0} KiB", n>>10)
	}
	return t.Text("{0} bytes", n)
}
