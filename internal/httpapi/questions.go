package httpapi

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/go-lsp"

	"followup/internal/archive"
	"followup/internal/charset"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/web"
	"followup/internal/webhook"
)

// defaultAgent is the agent's name if a program gives none.
const defaultAgent = "HTTP"

// keyPrefix begins the keys of the sessions that ask over this API.
const keyPrefix = "http "

// maxExpires limits a question's time to expiry.
const maxExpires = 10 * 365 * 24 * time.Hour

// request is a decoded question.
type request struct {
	session protocol.SessionOpenParams
	params  protocol.AskParams
}

// answered returns a handler that sends the state of a question.
func answered(handle func(*link, http.ResponseWriter, *http.Request) (protocol.AskResult, error)) func(*link, http.ResponseWriter, *http.Request) error {
	return func(l *link, w http.ResponseWriter, r *http.Request) error {
		result, err := handle(l, w, r)
		if err != nil {
			return err
		}
		return l.answer(w, r, result)
	}
}

// list handles GET /v1/questions.
func list(l *link, w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	asked := protocol.QuestionListParams{
		Outcome: protocol.AnswerOutcome(cmp.Or(query.Get("outcome"), string(protocol.OutcomeWaiting))), KeyPrefix: keyPrefix, After: query.Get("after"),
	}
	if limit := query.Get("limit"); limit != "" {
		if n, err := strconv.Atoi(limit); err == nil && n != 0 {
			asked.Limit = n
		} else {
			return problem(http.StatusBadRequest, "limit must be a number from 1 to 200")
		}
	}
	page, err := call(r.Context(), l, protocol.QuestionList, asked)
	var refusal *web.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Status == http.StatusUnprocessableEntity:
		return problem(http.StatusBadRequest, refusal.Why)
	case err != nil:
		return err
	}
	listed := protocol.APIQuestions{Questions: []protocol.AskResult{}, Next: page.Next}
	for _, one := range page.Questions {
		listed.Questions = append(listed.Questions, archive.ResultOf(one))
	}
	body, err := json.Marshal(listed)
	if err == nil {
		send(w, http.StatusOK, "application/json", append(body, '\n'))
	}
	return err
}

// ask handles POST /v1/questions.
func (a *API) ask(l *link, w http.ResponseWriter, r *http.Request) (none protocol.AskResult, err error) {
	body, err := l.body(w, r)
	if err != nil {
		return none, err
	}
	asked, err := a.decode(body, time.Now())
	if err != nil {
		return none, err
	}
	return l.ask(r.Context(), asked)
}

// read handles GET /v1/questions/{id}.
func (a *API) read(l *link, _ http.ResponseWriter, r *http.Request) (none protocol.AskResult, err error) {
	wait, err := waitOf(r.URL.Query())
	if err != nil {
		return none, err
	}
	id, err := idOf(r)
	if err != nil {
		return none, err
	}
	if wait == 0 {
		return l.read(r.Context(), id, 0)
	}
	return l.await(r.Context(), id, wait)
}

// withdraw handles DELETE /v1/questions/{id}. A closed question keeps its outcome.
func (a *API) withdraw(l *link, _ http.ResponseWriter, r *http.Request) (none protocol.AskResult, err error) {
	id, err := idOf(r)
	if err != nil {
		return none, err
	}
	if _, err := call(r.Context(), l, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id}); err != nil {
		return none, err
	}
	return l.read(r.Context(), id, 0)
}

// answer sends the state of a question. An outcome counts as collected once the program has received it. The first write after the program
// hung up still succeeds, and resets the connection. So the final newline is written separately.
func (l *link) answer(w http.ResponseWriter, r *http.Request, result protocol.AskResult) error {
	body, err := json.Marshal(result)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if r.Method == http.MethodPost {
		w.Header().Set("Location", "/v1/questions/"+result.QuestionID)
		if result.Outcome == protocol.OutcomeWaiting {
			status = http.StatusCreated
		}
	}
	send(w, status, "application/json", body)
	sent := http.NewResponseController(w)
	err = sent.Flush()
	if err == nil {
		_, _ = w.Write([]byte("\n"))
		err = sent.Flush()
	}
	if err == nil && r.Context().Err() == nil && result.Outcome != protocol.OutcomeWaiting {
		l.collected(result.QuestionID)
	}
	return nil
}

// body reads the request's body at the account's pace, as long as Options.BodyTime allows.
func (l *link) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, problem(http.StatusUnsupportedMediaType, "the Content-Type must be application/json")
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(l.api.options.BodyTime))
	body, err := l.visit.ReadAll(r.Context(), http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("a question can have at most %d MiB", maxBody>>20))
	case errors.Is(err, os.ErrDeadlineExceeded): // it also ends the request's context
		return nil, problem(http.StatusRequestTimeout, "the question did not arrive in time; nothing was asked")
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	case err != nil:
		return nil, problem(http.StatusBadRequest, "the body cannot be read")
	}
	body, err = charset.Decode(body, parameters["charset"])
	switch {
	case errors.Is(err, charset.ErrUnknown):
		return nil, problem(http.StatusUnsupportedMediaType, err.Error()+"; send UTF-8")
	case err != nil:
		return nil, problem(http.StatusBadRequest, "the body cannot be decoded: "+err.Error()+
			"; send UTF-8, or name the encoding, such as application/json; charset=iso-8859-1")
	case len(body) > maxBody:
		return nil, problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("a question can have at most %d MiB", maxBody>>20))
	}
	return body, nil
}

// decode parses a question. The sidecar checks later whether it is a valid call, with the same errors as for agents.
func (a *API) decode(body []byte, now time.Time) (request, error) {
	var q protocol.APIQuestion
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&q)
	if err == nil && decoder.More() {
		err = errors.New("unexpected data after the object")
	}
	if err != nil {
		return request{}, problem(http.StatusBadRequest, "the body is not a question: "+strings.TrimPrefix(err.Error(), "json: "))
	}
	p := protocol.AskParams{Tool: question.ToolFollowup, Callback: q.Callback, PrivateCallback: a.options.Callbacks == webhook.Private}
	p.To = q.To
	fields := map[string]json.RawMessage{}
	switch one := q.Question != "" || q.FollowUp != nil; {
	case one && q.Questions != nil:
		return request{}, problem(http.StatusBadRequest, "give either question or questions, not both")
	case one:
		fields["question"], _ = json.Marshal(q.Question) // a string
		if q.FollowUp != nil {
			fields["follow_up"] = q.FollowUp
		}
	case q.Questions != nil:
		p.Tool, fields["questions"] = question.ToolAskUser, q.Questions
	default:
		return request{}, problem(http.StatusBadRequest, "question is missing")
	}
	if p.Input, err = json.Marshal(fields); err != nil {
		return request{}, err
	}
	if q.ID == "" {
		q.ID, p.New = uuid.Must(uuid.NewV7()).String(), true
	} else if q.ID, err = canonicalID(q.ID); err != nil {
		return request{}, problem(http.StatusBadRequest, "id must be a UUID")
	}
	p.QuestionID = q.ID
	if q.Expires != "" {
		in, err := time.ParseDuration(q.Expires)
		if err != nil || in <= 0 || in > maxExpires {
			return request{}, problem(http.StatusBadRequest, "expires must be a duration such as 90s, 30m or 12h")
		}
		p.Expires = now.Add(in).UnixMilli()
	}
	if q.Callback != nil && a.options.Callbacks == webhook.Off {
		return request{}, problem(http.StatusForbidden, "callbacks are off; --callbacks turns them on")
	}
	folders, err := foldersOf(q.Workspace)
	if err != nil {
		return request{}, err
	}
	content, err := json.Marshal(q)
	if err != nil {
		return request{}, err
	}
	// The session's key depends on the content, so that the same id with other content conflicts.
	sum := sha256.Sum256(content)
	return request{protocol.SessionOpenParams{
		Agent: cmp.Or(strings.TrimSpace(archive.Inline(q.Agent)), defaultAgent), Key: keyPrefix + hex.EncodeToString(sum[:]), WorkspaceFolders: folders,
	}, p}, nil
}

// foldersOf returns the workspace folder with a path or a file URI.
func foldersOf(named string) ([]protocol.WorkspaceFolder, error) {
	u, err := url.Parse(named)
	switch {
	case named == "":
		return []protocol.WorkspaceFolder{}, nil
	case err == nil && u.Scheme == "file" && u.Path != "":
		return []protocol.WorkspaceFolder{{URI: lsp.DocumentURI(named), Name: filepath.Base(u.Path)}}, nil
	case strings.HasPrefix(named, "/") || filepath.IsAbs(named):
		return []protocol.WorkspaceFolder{protocol.FolderOf(named)}, nil
	}
	return nil, problem(http.StatusBadRequest, "workspace must be an absolute path or a file URI")
}

// idOf returns the id in the path. Only UUIDs are question ids.
func idOf(r *http.Request) (string, error) {
	id, err := canonicalID(r.PathValue("id"))
	if err != nil {
		return "", unknown(r.PathValue("id"))
	}
	return id, nil
}

// canonicalID returns a UUID in lower case: some platforms and databases change the case of ids that they keep.
func canonicalID(text string) (string, error) {
	id, err := uuid.Parse(text)
	if err == nil && id.String() != strings.ToLower(text) {
		err = errors.New("not the usual form of a UUID")
	}
	return id.String(), err
}

// waitOf returns the duration of ?wait=.
func waitOf(query url.Values) (time.Duration, error) {
	given := query.Get("wait")
	if given == "" {
		return 0, nil
	}
	wait, err := time.ParseDuration(given)
	if err != nil || wait < 0 || wait > maxWait {
		return 0, problem(http.StatusBadRequest, "wait must be a duration of at most 60s, such as 30s")
	}
	return wait, nil
}
