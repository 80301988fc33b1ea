package hook

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/imagefile"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
)

// Options configure a hook.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Sidecar is a connection to a sidecar after the handshake.
	Sidecar *rpc.Conn
	// Locale is the language of messages to the agent.
	Locale locale.Tag
	// Folder is the working folder, for agents that do not send theirs.
	Folder string
	// To is the person or the group to ask at a hub. If empty, everybody.
	To string
	// AtHub means that the sidecar is a hub, which takes longer to reach than a keeper, and may restart.
	AtHub bool
	// Look is how often to check whether an inbox is still open while the agent's own dialog waits. Zero means every second.
	Look time.Duration
	// Patience is how long the inbox may be closed meanwhile, since an editor that reloads its window returns soon. Zero means 15 s.
	Patience time.Duration
}

// ErrElsewhere is the cause of a context that ends because the user has answered in the agent's own dialog.
var ErrElsewhere = errors.New("the user answered in the agent's own dialog")

// ErrStopped is the cause when the agent has stopped its hook: the user has answered in the agent's own dialog, the hook's time is over, or
// the agent exits.
var ErrStopped = errors.New("the agent has stopped its hook")

// ErrGone is the cause when the agent has exited, or no longer waits.
var ErrGone = errors.New("the agent no longer waits")

// Time limits for asking a hub or a keeper, after which nobody counts as seeing the question. The limit is shorter if the agent's
// own dialog waits: a local keeper responds within milliseconds, or hangs. A second leaves room for a busy machine, and is the
// longest delay at which a dialog still seems to follow from the user's action.
const (
	reach         = 15 * time.Second
	approvalReach = time.Second
)

func (a *asking) reach() time.Duration {
	if a.call.approves && !a.call.beside && !a.AtHub {
		return approvalReach
	}
	return reach
}

// goodbye bounds the withdrawal of a question when the hook is stopped.
const goodbye = 3 * time.Second

// idNamespace derives questions' ids from those of agents.
var idNamespace = uuid.MustParse("5b7a3ee1-6a1f-4a49-8a5b-0f5a8f5f3c0e")

// Ask asks the user, and returns the JSON document that the hook prints. If nobody could see the question or it was withdrawn,
// Ask returns nil, so that the agent shows its own dialog. An error is the reason why nothing can be asked. When ctx ends, Ask
// withdraws the question. If the cause is ErrElsewhere, the question counts as answered elsewhere. After ErrStopped it does if the agent's
// log has the answer.
func Ask(ctx context.Context, c *Call, o Options) (any, error) {
	c.locale = o.Locale
	o.Look, o.Patience = cmp.Or(o.Look, time.Second), cmp.Or(o.Patience, 15*time.Second)
	a := &asking{Options: o, call: c}
	answer, err := a.ask(ctx)
	if leftToAgent(ctx, err) {
		return nil, nil
	}
	var wrong *jsonrpc2.Error
	switch {
	case errors.As(err, &wrong):
		return nil, errors.New(wrong.Message)
	case err != nil:
		return nil, err
	case answer.Outcome == protocol.OutcomeInvalid:
		return nil, fmt.Errorf("the call cannot be shown: %s", answer.Text)
	}
	if answer.Provenance == protocol.ProvenanceTimer {
		noteTimer(answer.Structured, o.Locale)
	}
	r := reply{Answer: answer}
	if c.approves {
		return c.printed(r), nil
	}
	if r.given() {
		if r.beside, err = keepImages(answer); err != nil { // deliver the answer without them
			o.Log.Warn("could not save images of the answer", zap.Error(err))
			lost := len(answer.Images) - len(r.beside)
			r.beside = append(r.beside, o.Locale.Text("Images of the answer that could not be delivered: {0} ({1})", lost, err))
		}
	}
	r.words = strings.Join(append([]string{answer.Plain()}, r.beside...), "\n\n")
	if answer.Quoted != "" {
		r.beside = append(r.beside, answer.Quoted)
	}
	above := o.Locale.Text("This question was put to the user. What follows is the result, although the call counts as blocked.")
	r.result = above + "\n\n" + r.words
	return c.printed(r), nil
}

// printed returns the document to print for an outcome. It is nil, so that the agent shows its own dialog, unless the user
// decided on the request, or answered or dismissed the question.
func (c *Call) printed(r reply) any {
	switch {
	case c.approves && r.Outcome.IsDecision():
		return c.agent.decide(c, r, r.Outcome == protocol.OutcomeAllowed)
	case !c.approves && (r.given() || r.Outcome == protocol.OutcomeDismissed):
		return c.agent.answer(c, r)
	}
	return nil
}

// leftToAgent reports whether an error leaves the question to the agent's own dialog: it was withdrawn, or nobody could see it.
func leftToAgent(ctx context.Context, err error) bool {
	var wrong *jsonrpc2.Error
	return errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled || ctx.Err() != nil ||
		errors.Is(err, errNobody) || errors.Is(err, ErrElsewhere)
}

// asking is the state of a call while Ask runs.
type asking struct {
	Options
	call *Call
}

// errNobody means that no inbox is open.
var errNobody = errors.New("no inbox is open")

func (a *asking) ask(ctx context.Context) (answer protocol.Answer, err error) {
	soon, cancel := context.WithTimeout(ctx, a.reach())
	defer cancel()
	params, err := a.begin(soon)
	if err != nil {
		if errors.Is(soon.Err(), context.DeadlineExceeded) {
			err = errNobody
		}
		return answer, err
	}
	return a.wait(ctx, params)
}

// begin opens the session, and returns the question's parameters. It returns errNobody if no inbox is open.
func (a *asking) begin(ctx context.Context) (params protocol.AskParams, err error) {
	bound, folder := true, cmp.Or(a.call.folder, a.Folder)
	status, err := rpc.Call(ctx, a.Sidecar, protocol.InboxStatus, protocol.None{})
	switch {
	case err != nil:
		return params, err
	case status.Storage == nil:
		return params, errors.New(a.Locale.Text(locale.AgentNoHome))
	case !status.Storage.Saved:
		return params, errors.New(status.Storage.Problem)
	case !status.Shown:
		return params, errNobody
	}
	opened, err := rpc.Call(ctx, a.Sidecar, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: a.call.agent.name, Key: "hook " + folder + " " + a.call.conversation, WorkspaceFolders: folders(folder),
		Locale: string(a.Locale), Bound: &bound, MistakeLimit: new(int),
		Limits: &protocol.Limits{Questions: most, Options: most},
	})
	if err != nil {
		return params, err
	}
	id, err := a.freshID(ctx, opened.Session, a.id(opened.Session))
	return protocol.AskParams{
		Session: opened.Session, QuestionID: id, Tool: a.call.tool, Input: a.call.input,
		Envelope: protocol.Envelope{Context: a.call.context, To: a.To, NoCancel: a.call.agent.noCancel, Beside: a.call.beside},
	}, err
}

// most is the maximum number of questions that can be shown for an agent, and of options for each.
const most = 12

// id returns the question's id. It is derived from the call, so that a repeated hook and the agent's log have the same one. Since
// some models number the calls of each turn, it also depends on the call's question.
func (a *asking) id(session string) string {
	switch {
	case question.IsUniqueCall(a.call.call):
		return question.IDOfCall(a.call.call)
	case a.call.id == "":
		return uuid.Must(uuid.NewV7()).String()
	}
	return uuid.NewSHA1(idNamespace, []byte(session+"\x00"+a.call.id+"\x00"+string(a.call.input))).String()
}

// freshID returns the id, or another one if its question was taken back: an agent that was killed before the answer and then
// resumed may run its hook for the same call again.
func (a *asking) freshID(ctx context.Context, session, id string) (string, error) {
	state, err := rpc.Call(ctx, a.Sidecar, protocol.SessionGet, protocol.SessionParams{Session: session})
	if err != nil {
		return "", err
	}
	takenBack := map[string]bool{}
	for _, item := range state.Conversation {
		end := item.Outcome
		takenBack[item.QuestionID] = end != nil && end.Outcome.IsTakenBack() && !end.Elsewhere
	}
	for first, n := id, 1; takenBack[id]; n++ {
		id = uuid.NewSHA1(idNamespace, fmt.Appendf(nil, "%s\x00%s\x00%d", session, first, n)).String()
	}
	return id, nil
}

// wait asks, and waits for the answer until a watcher ends ctx.
func (a *asking) wait(ctx context.Context, params protocol.AskParams) (protocol.Answer, error) {
	type result struct {
		answer protocol.Answer
		err    error
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	came := make(chan result, 1)
	go func() {
		// Not ctx: cancelling the request would withdraw the question without a reason.
		answer, err := rpc.Call(context.WithoutCancel(ctx), a.Sidecar, protocol.QuestionAsk, params)
		came <- result{answer, err}
	}()
	var watchers sync.WaitGroup
	if !a.call.beside {
		watchers.Go(func() { a.watch(ctx, end) })
	}
	if a.call.log != nil {
		watchers.Go(func() { a.follow(ctx, end) })
	}
	select {
	case got := <-came:
		end(nil)
		watchers.Wait()
		if got.err == nil && got.answer.Outcome.IsDecision() {
			a.send(params.QuestionID, nil)
		}
		return got.answer, got.err
	case <-ctx.Done():
	}
	watchers.Wait()
	why := a.cause(ctx)
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	withdrawal := protocol.WithdrawParams{QuestionID: params.QuestionID, Elsewhere: a.call.beside && errors.Is(why, ErrElsewhere)}
	switch {
	case errors.Is(why, errNobody):
		withdrawal.Outcome = protocol.OutcomeNotShown
	case errors.Is(why, ErrGone):
		withdrawal.Outcome = protocol.OutcomeDisconnected
	}
	var there Closed
	if errors.As(why, &there) && !a.call.approves {
		withdrawal.Text, withdrawal.Picks = a.call.answered(there.Answers)
	}
	withdrawn, err := rpc.Call(leaving, a.Sidecar, protocol.QuestionWithdraw, withdrawal)
	switch {
	case err != nil:
		a.Log.Warn("could not withdraw the question", zap.Error(err))
	case !withdrawn.Accepted && errors.Is(why, errNobody): // answered just before the withdrawal
		got := <-came
		return got.answer, got.err
	case !withdrawn.Accepted && withdrawn.Outcome.Outcome.IsDecision(): // decided at the same moment, and not sent any more
		a.send(params.QuestionID, why)
	}
	return protocol.Answer{}, why
}

// cause returns why ctx has ended. If the agent has stopped its hook while its own dialog was open, only its log can show, perhaps a moment
// later, whether the user has answered there: otherwise the dialog may still be open.
func (a *asking) cause(ctx context.Context) error {
	why := context.Cause(ctx)
	if !a.call.beside || !errors.Is(why, ErrStopped) {
		return why
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Look)
	defer cancel()
	for a.call.log == nil || !a.call.log.over() {
		if a.call.log == nil || !pause(late, a.Look/10) {
			return ErrGone
		}
	}
	return Closed{Answers: a.call.log.answers}
}

// follow ends the wait when the agent's log contains the answer.
func (a *asking) follow(ctx context.Context, end context.CancelCauseFunc) {
	for !a.call.log.over() {
		if !pause(ctx, a.Look) {
			return
		}
	}
	end(Closed{Answers: a.call.log.answers})
}

// watch ends the wait when no inbox has been open for a while, since the agent's own dialog waits for this one.
func (a *asking) watch(ctx context.Context, end context.CancelCauseFunc) {
	for seen := time.Now(); pause(ctx, a.Look); {
		if a.isShown(ctx) {
			seen = time.Now()
		} else if time.Since(seen) > a.Patience {
			a.Log.Info("no inbox is open any more")
			end(errNobody)
			return
		}
	}
}

// pause waits, and reports whether ctx has not ended meanwhile.
func pause(ctx context.Context, duration time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(duration):
		return true
	}
}

// isShown reports whether an inbox may be open. For a request for permission, a keeper that hangs counts as no inbox, and so does one that
// saves nothing, since it announces no decision before it is saved.
func (a *asking) isShown(ctx context.Context) bool {
	if a.call.approves && !a.AtHub {
		soon, cancel := context.WithTimeout(ctx, a.reach())
		defer cancel()
		ctx = soon
	}
	status, err := rpc.Call(ctx, a.Sidecar, protocol.InboxStatus, protocol.None{})
	if a.call.approves && status.Storage != nil && !status.Storage.Saved {
		status.Shown = false
	}
	return err == nil && status.Shown || err != nil && !errors.Is(err, context.DeadlineExceeded)
}

// folders returns the agent's working folder.
func folders(folder string) []protocol.WorkspaceFolder {
	if folder == "" {
		return nil
	}
	return []protocol.WorkspaceFolder{protocol.FolderOf(folder)}
}

// keepImages writes an answer's images to files, since hooks cannot return images, and returns their paths. After an error it
// returns those written before. The files are not removed, because the agent reads them.
func keepImages(answer protocol.Answer) (paths []string, err error) {
	var folder imagefile.Folder
	for i, image := range answer.Images {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return paths, err
		}
		path, err := folder.Write(fmt.Sprintf("%s-%d", answer.QuestionID, i+1), image.MimeType, data)
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// userWords returns the user's words in the answer to a single question.
func userWords(answer protocol.Answer) string {
	const open, end = "<answer>\n", "\n</answer>"
	return strings.TrimSuffix(strings.TrimPrefix(answer.Text, open), end)
}

// noteTimer adds a note to each answer that a timer chose, for agents that only get the answers.
func noteTimer(s *protocol.Structured, t locale.Tag) {
	if s == nil {
		return
	}
	for question := range s.Answers {
		if s.Annotations == nil {
			s.Annotations = map[string]protocol.Annotation{}
		}
		annotation := s.Annotations[question]
		annotation.Notes = t.Text("The user did not answer within the time they set: a timer chose this.")
		s.Annotations[question] = annotation
	}
}
