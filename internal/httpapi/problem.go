package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/web"
)

// failure is a problem as an error.
type failure struct {
	protocol.Problem
	after time.Duration // when it may be tried again; 0: nothing is said of that
}

func (f *failure) Error() string { return f.Detail }

func problem(status int, detail string) *failure {
	return &failure{Problem: protocol.Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}}
}

func unknown(id string) error {
	return problem(http.StatusNotFound, "there is no question "+strconv.Quote(id)+"; it may have been deleted")
}

func busy(detail string) error {
	f := problem(http.StatusTooManyRequests, detail)
	f.after = time.Second
	return f
}

// invalid says why a call is no question.
func invalid(why *protocol.CallError) error {
	f := problem(http.StatusUnprocessableEntity, "not a valid question")
	if why != nil {
		f.Code, f.Detail = why.Code, why.Message
		if why.Found != "" {
			f.Detail += " " + why.Found
		}
	}
	return f
}

// statuses are those of the protocol's codes.
var statuses = map[int64]int{
	jsonrpc2.CodeInvalidParams: http.StatusUnprocessableEntity, protocol.CodeUnknown: http.StatusNotFound,
	protocol.CodeForbidden: http.StatusForbidden, protocol.CodeBusy: http.StatusTooManyRequests,
}

// worded returns a problem for an error of a call. That a question was withdrawn stays as it is.
func worded(err error) error {
	var wrong *jsonrpc2.Error
	if err == nil || isWithdrawn(err) {
		return err
	}
	if errors.As(err, &wrong) {
		if wrong.Code == protocol.CodeConflict {
			return problem(http.StatusConflict, "another question has this id")
		}
		switch status := statuses[wrong.Code]; status {
		case 0:
		case http.StatusTooManyRequests:
			return busy(wrong.Message)
		default:
			return problem(status, wrong.Message)
		}
		return away(wrong.Message)
	}
	return away("the inbox does not answer at the moment")
}

func away(detail string) error {
	f := problem(http.StatusServiceUnavailable, detail)
	f.after = time.Second
	return f
}

// fail answers with a problem.
func fail(w http.ResponseWriter, err error) {
	f := &failure{}
	var refusal *web.Refusal
	switch {
	case errors.As(err, &refusal):
		f = problem(refusal.Status, refusal.Why)
		f.after = refusal.After
	case errors.Is(err, context.Canceled):
		return // nobody reads it
	case !errors.As(err, &f):
		f = problem(http.StatusInternalServerError, "the log has the details")
	}
	if f.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((f.after+time.Second-1)/time.Second)))
	}
	if f.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, _ := json.Marshal(f.Problem) // strings and numbers
	send(w, f.Status, "application/problem+json", body)
}

// send answers.
func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
