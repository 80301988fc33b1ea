package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"followup/internal/question"
)

// readApproval parses the arguments of a request for permission. Programs write them, so nothing is repaired: an unknown field
// might be one that the user has to see.
func readApproval(input []byte, o Options) question.Call {
	call := question.Call{Tool: question.ToolApproval}
	invalid := func(code question.Code, d question.Detail) question.Call {
		call.Err = &question.Error{Code: code, Detail: d}
		return call
	}
	if limit := o.Limits.WithDefaults().Message; len(input) > limit {
		return invalid(question.CodeTooLarge, question.Detail{Limit: limit})
	}
	var read question.Approval
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&read)
	_, end := decoder.Token()
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return invalid(question.CodeInvalidValue, question.Detail{Name: mistyped.Field})
	case err != nil || !errors.Is(end, io.EOF) || !utf8.Valid(input):
		return invalid(question.CodeInvalidValue, question.Detail{Name: "input"})
	}
	if call.Err = read.Check(); call.Err == nil {
		call.Approval = &read
		call.Repairs, call.Notices = []question.Code{}, []question.Code{}
	}
	return call
}
