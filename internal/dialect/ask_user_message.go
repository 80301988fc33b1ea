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
		why = t.Text(locale.ValueDuplicate, d.Found)
	case question.ReasonType:
		why = t.Text(locale.ValueType, t.Text(typeKeys[d.Want]), t.Text(typeKeys[d.Got]))
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

var typeKeys = map[question.ValueType]locale.Key{
	question.TypeNull:   locale.TypeNull,
	question.TypeBool:   locale.TypeBool,
	question.TypeNumber: locale.TypeNumber,
	question.TypeString: locale.TypeString,
	question.TypeList:   locale.TypeList,
	question.TypeObject: locale.TypeObject,
}
