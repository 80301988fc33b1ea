package dialect

import (
	"followup/internal/locale"
	"followup/internal/question"
)

// invalidValue words why the value of a field is invalid.
func invalidValue(t locale.Tag, d question.Detail) string {
	var why string
	switch d.Reason {
	case question.ReasonCount:
		why = t.Text(locale.ValueCount, d.Min, d.Max, d.Count)
	case question.ReasonDuplicate:
		why = t.Text(locale.ValueDuplicate, shortened(d.Found))
	case question.ReasonType:
		why = t.Text(locale.ValueType, t.Text(typeKeys[d.Want]), t.Text(typeKeys[d.Got]))
	case question.ReasonMended:
		why = t.Text(locale.ValueMended, d.Found)
	default:
		return t.Text(locale.InvalidValue, d.Name)
	}
	return t.Text(locale.InvalidValueDetail, d.Name, why)
}

var typeKeys = map[question.ValueType]locale.Key{
	question.TypeNull:   locale.TypeNull,
	question.TypeBool:   locale.TypeBool,
	question.TypeNumber: locale.TypeNumber,
	question.TypeString: locale.TypeString,
	question.TypeList:   locale.TypeList,
	question.TypeObject: locale.TypeObject,
}

// quotedRunes is how many characters of a text a message repeats.
const quotedRunes = 120

func shortened(text string) string {
	n := 0
	for i := range text {
		if n++; n > quotedRunes {
			return text[:i] + "…"
		}
	}
	return text
}
