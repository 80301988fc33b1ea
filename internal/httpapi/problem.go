package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/bounded"
	"followup/internal/protocol"
	"followup/internal/web"
)

// problem returns an error that is sent with an HTTP status.
func problem(status int, detail string) error { return &web.Refusal{Status: status, Why: detail} }

// later returns an error that asks the client to retry soon.
func later(status int, detail string) error {
	return &web.Refusal{Status: status, Why: detail, After: time.Second}
}

func unknown(id string) error {
	return problem(http.StatusNotFound, "there is no question "+strconv.Quote(bounded.Text(id))+"; it may have been deleted")
}

// invalid is the error of a malformed question.
type invalid protocol.CallError

func (i *invalid) Error() string { return strings.TrimSpace(i.Message + " " + i.Found) }

// statuses maps the protocol's error codes to HTTP statuses.
var statuses = map[int64]int{
	jsonrpc2.CodeInvalidParams: http.StatusUnprocessableEntity, protocol.CodeUnknown: http.StatusNotFound,
	protocol.CodeForbidden: http.StatusForbidden, protocol.CodeBusy: http.StatusTooManyRequests,
}

// worded converts the error of a call to a problem. It returns a withdrawal unchanged, unless the connection has ended: then the question
// may still be open.
func (l *link) worded(err error) error {
	var wrong *jsonrpc2.Error
	var why *web.Farewell
	switch {
	case err == nil:
		return nil
	case l.visit.Over != nil && errors.As(context.Cause(l.visit.Over), &why) && why.Code == web.StatusRevoked:
		return problem(http.StatusUnauthorized, why.Reason)
	case l.ctx.Err() != nil:
		return noInbox
	case isWithdrawn(err):
		return err
	}
	if errors.As(err, &wrong) {
		switch status := statuses[wrong.Code]; {
		case wrong.Code == protocol.CodeConflict:
			return problem(http.StatusConflict, "another question has this id")
		case status == 0:
			return later(http.StatusServiceUnavailable, wrong.Message)
		case status == http.StatusTooManyRequests:
			return later(status, wrong.Message)
		default:
			return problem(status, wrong.Message)
		}
	}
	return noInbox
}

// noInbox is the error of a request that may be repeated.
var noInbox = later(http.StatusServiceUnavailable, "the inbox does not answer at the moment")

// fail sends an error as a problem document (RFC 9457).
func fail(w http.ResponseWriter, err error) {
	p := protocol.Problem{Type: "about:blank", Status: http.StatusInternalServerError, Detail: "the log has the details"}
	var refusal *web.Refusal
	var call *invalid
	switch {
	case errors.As(err, &refusal):
		p.Status, p.Detail = refusal.Status, refusal.Why
		refusal.SetRetryAfter(w.Header())
	case errors.As(err, &call):
		p.Status, p.Detail, p.Code = http.StatusUnprocessableEntity, call.Error(), call.Code
	case errors.Is(err, context.Canceled): // the server is stopping, or nobody reads it
		fail(w, noInbox)
		return
	}
	p.Detail = bounded.Text(p.Detail)
	p.Title = http.StatusText(p.Status)
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, _ := json.Marshal(p) // strings and numbers
	send(w, p.Status, "application/problem+json", body)
}

func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
