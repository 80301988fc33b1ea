package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/reach"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/terminal"
)

// asking is one question of a script.
type asking struct {
	askOptions
	process
	tool    string
	input   json.RawMessage
	folders []protocol.WorkspaceFolder

	hub     *hubclient.Options // nil if the question is asked in a storage
	own     *reach.Sidecar
	session string
	closed  bool // the session
	id      string
	expires int64                      // when the question expires, in milliseconds since 1970; 0 if only this process watches the time
	asked   *protocol.ConversationItem // nil if another process asked it, or it was answered at once
}

const (
	askNobodyText locale.Key = "No inbox is open. Answer the question in an editor with Followup, in a terminal with followup " +
		"answer, or in a browser with followup web."
	askNobodyThere locale.Key = "No inbox is open at the hub. Answer the question on the hub's page, in an editor that is connected " +
		"to the hub, or in a terminal with followup answer --hub."
)

// ask asks, and waits for the outcome. If this process stops waiting, it withdraws the question.
func (a *asking) ask(ctx context.Context, log *zap.Logger, folder string) (result protocol.AskResult, err error) {
	a.own = a.process.reach(log).Dial(&rpc.Router{}, a.hub)
	defer a.own.End()
	var once sync.Once
	a.own.Hung = func(words string) { once.Do(func() { a.say(words) }) }
	always := context.WithoutCancel(ctx)
	asks, waits := ctx, false
	if a.hub == nil { // a keeper needs time to start, however short the timeout is
		var cancel context.CancelFunc
		asks, cancel = extended(ctx, goodbye)
		defer cancel()
	}
	defer func() {
		if err != nil && asks.Err() != nil && !waits {
			var answer protocol.Answer
			answer, err = a.giveUp(ctx, always)
			result = archive.ResultOf(answer)
		}
	}()
	err = a.own.Greet(always, protocol.InitializationOptions{Locale: string(a.speak), StorageFolder: folder, WorkspaceFolders: a.folders})
	if err != nil {
		return result, err
	}
	standing, err := rpc.Call(asks, a.own.Conn, protocol.InboxStatus, protocol.None{})
	switch {
	case err != nil:
		return result, err
	case standing.Storage != nil && !standing.Storage.Saved: // nobody would ever see it. Storage is set because the client named a folder
		if standing.NotOpened != nil {
			return result, fmt.Errorf("the question was not asked: %w", notOpened(folder, standing.NotOpened))
		}
		return result, fmt.Errorf("the question was not asked: the storage in %s has not responded for some time; %s", store.Redacted(folder), tryLater)
	case !standing.Shown && a.needInbox && !a.here():
		return protocol.AskResult{Outcome: protocol.OutcomeNotShown}, nil
	}
	if standing.Storage != nil && standing.Storage.Problem != "" {
		a.say(standing.Storage.Problem)
	}
	if a.id = a.await; a.id == "" {
		answer, err := a.put(asks)
		if err == nil && answer.Outcome != protocol.OutcomeWaiting {
			err = a.close(always)
		}
		if err != nil || answer.Outcome != protocol.OutcomeWaiting {
			return archive.ResultOf(answer), err
		}
	}
	if a.asked != nil && a.here() {
		defer a.offer(ctx)()
	} else if !standing.Shown {
		a.say(a.speak.Text(a.atHub(askNobodyText, askNobodyThere)))
	}
	waits = true
	request := jsonrpc2.ID{Str: "wait", IsString: true}
	call := rpc.CallUntil[protocol.QuestionParams, protocol.Answer]
	if a.hub != nil {
		call = rpc.CallOrLeave
	}
	answer, err := call(ctx, a.own.Conn, request, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: a.id})
	if ctx.Err() != nil && err != nil {
		answer, err = a.giveUp(ctx, always)
	}
	if a.session != "" {
		answer, err = a.refused(always, answer, err)
	}
	var wrong *jsonrpc2.Error
	if errors.As(err, &wrong) {
		switch wrong.Code {
		case protocol.CodeCancelled: // another client withdrew it
			answer, err = protocol.Answer{QuestionID: a.id, Outcome: protocol.OutcomeWithdrawn}, nil
		case protocol.CodeUnknown:
			return result, errors.New(a.speak.Text("There is no question {0}.", archive.Inline(a.id)))
		default:
			return result, errors.New(wrong.Message)
		}
	}
	if err == nil && a.session != "" {
		err = a.close(always)
	}
	return archive.ResultOf(answer), err
}

// here reports whether the user can answer where the script runs.
func (a *asking) here() bool {
	in, ok := a.stdin.(*os.File)
	return ok && a.hub == nil && !a.quiet && isTerminal(in) && isTerminal(a.stderr) && foreground(in)
}

// offer also shows the question on the terminal until stop is called; the first answer wins. Standard output stays reserved for
// the answer.
func (a *asking) offer(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	lines := terminal.NewLines(terminal.Options{In: a.stdin, Out: a.stderr, Locale: a.speak, Forget: a.forgetTyped}, a.own.Conn)
	over := make(chan struct{})
	go func() {
		defer close(over)
		err := lines.Ask(ctx, &protocol.InboxItem{
			QuestionID: a.id, Agent: archive.Inline(a.agent), Workspaces: a.folders, Payload: *a.asked.Payload, AskedAt: a.asked.AskedAt,
			State: protocol.ItemPending, Envelope: protocol.Envelope{Expires: a.expires},
		})
		a.forgetTyped() // the keys are not for the shell
		if err != nil {
			fmt.Fprintln(a.stderr) // after the prompt
		}
	}()
	return func() {
		cancel()
		<-over
	}
}

// put asks the question in its own conversation.
func (a *asking) put(ctx context.Context) (answer protocol.Answer, err error) {
	a.id = newID()
	never := 0
	opened, err := rpc.Call(ctx, a.own.Conn, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: archive.Inline(a.agent), Key: "ask " + a.id, WorkspaceFolders: a.folders, Locale: string(a.speak), MistakeLimit: &never,
		Limits: &protocol.Limits{Questions: question.MaxRaised, Options: question.MaxRaised},
	})
	if err != nil {
		return answer, err
	}
	a.session = opened.Session
	// Cancelling this request would withdraw the question. So this request only asks, and another one waits. It also rejects an
	// invalid call.
	answer, err = rpc.Call(ctx, a.own.Conn, protocol.QuestionAsk, protocol.AskParams{
		Session: a.session, QuestionID: a.id, Tool: a.tool, Input: a.input, Deadline: 1, New: true,
		Envelope: protocol.Envelope{To: a.to, Expires: a.expires},
	})
	if err != nil || answer.Outcome != protocol.OutcomeWaiting {
		return a.refused(ctx, answer, err)
	}
	state, err := rpc.Call(ctx, a.own.Conn, protocol.SessionGet, protocol.SessionParams{Session: a.session})
	if err == nil && len(state.Conversation) > 0 { // closed questions leave memory
		a.asked = &state.Conversation[0]
	}
	if a.asked != nil && a.asked.Error != nil {
		answer, err = rpc.Call(ctx, a.own.Conn, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: a.id})
	}
	return a.refused(ctx, answer, err)
}

// refused returns a usage error if the call was rejected as invalid, and closes the conversation.
func (a *asking) refused(ctx context.Context, answer protocol.Answer, err error) (protocol.Answer, error) {
	if err == nil && answer.Outcome == protocol.OutcomeInvalid {
		_, err = rpc.Call(ctx, a.own.Conn, protocol.SessionClose, protocol.SessionCloseParams{Session: a.session})
		return answer, errors.Join(wrongUsage("%s", answer.Text), err)
	}
	return answer, err
}

// giveUp stops waiting: it takes the question back, or leaves it open. It still returns an answer that arrived in the meantime.
func (a *asking) giveUp(ended, ctx context.Context) (answer protocol.Answer, err error) {
	var interrupt error // nil if the time ran out
	var by signalled
	if errors.As(context.Cause(ended), &by) {
		interrupt = by.status()
	}
	answer.Outcome = protocol.OutcomeExpired
	if !a.isAsked() {
		return answer, interrupt
	}
	if answer.QuestionID = a.id; a.keep || a.await != "" {
		answer.Outcome = protocol.OutcomeWaiting
		if interrupt != nil {
			a.sayKept()
		}
		return answer, interrupt
	}
	withdrawal := protocol.WithdrawParams{QuestionID: a.id, Outcome: protocol.OutcomeExpired}
	if interrupt != nil {
		withdrawal.Outcome = protocol.OutcomeWithdrawn
	}
	soon, cancel := context.WithTimeout(ctx, goodbye)
	defer cancel()
	closed, err := rpc.Call(soon, a.own.Conn, protocol.QuestionWithdraw, withdrawal)
	switch {
	case soon.Err() != nil:
		a.say(a.speak.Text(a.atHub(askKept, askLeft), a.id))
		answer.Outcome = protocol.OutcomeWaiting
		return answer, interrupt
	case err != nil:
		return answer, err
	case !closed.Accepted:
		return rpc.Call(ctx, a.own.Conn, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: a.id})
	}
	return answer, cmp.Or(a.close(ctx), interrupt)
}

// isAsked reports whether the question may exist.
func (a *asking) isAsked() bool { return a.session != "" || a.await != "" }

// atHub returns the text there if the question is at a hub, otherwise here.
func (a *asking) atHub(here, there locale.Key) locale.Key {
	if a.hub != nil {
		return there
	}
	return here
}

// goodbye bounds how long the other end may take to process the end of the wait.
const goodbye = 5 * time.Second

// extended returns a context that ends some time after ctx.
func extended(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(by, cancel)
		context.AfterFunc(late, func() { timer.Stop() })
	})
	return late, func() {
		stop()
		cancel()
	}
}

// close ends the conversation after its answer, even if that comes later.
func (a *asking) close(ctx context.Context) error {
	if a.closed {
		return nil
	}
	a.closed = true
	soon, cancel := context.WithTimeout(ctx, goodbye)
	defer cancel()
	_, err := rpc.Call(soon, a.own.Conn, protocol.SessionClose, protocol.SessionCloseParams{Session: a.session, Finish: true})
	if soon.Err() != nil {
		return nil //nolint:nilerr // the other end ends the conversation later
	}
	return err
}

// reportAway returns a function that prints that the hub is unreachable, once for each reason.
func (a *asking) reportAway() func(hubclient.State) {
	var last string
	return func(now hubclient.State) {
		if now.Away != "" && now.Away != last && now.State == protocol.HubConnecting {
			a.say(now.Away)
		}
		last = now.Away
	}
}

// say prints a message for the user, apart from the answer.
func (a *asking) say(text string) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, "followup ask: %s\n", archive.Plain(text))
	}
}

const (
	askKept locale.Key = "The question stays open. To wait for its answer: followup ask --await {0}"
	askLeft locale.Key = "The hub cannot be reached, so the question was not withdrawn: it stays open there. Its id is {0}."
)

func (a *asking) sayKept() {
	if (a.keep || a.await != "") && a.isAsked() {
		a.say(a.speak.Text(askKept, a.id))
	}
}

const (
	askNobodyEnds      locale.Key = "The question was not asked because no inbox is open. followup answer or followup web opens one."
	askNobodyThereEnds locale.Key = "The question was not asked because no inbox is open at the hub. Open the hub's page, or an " +
		"editor that is connected to the hub."
)

const askEnded locale.Key = "The question ended without an answer: {0}"

// words describes an outcome without an answer.
func (a *asking) words(outcome protocol.Outcome) string {
	return archive.OutcomeSummary(a.speak, protocol.HistoryEntry{Outcome: protocol.ItemOutcome{Outcome: outcome}})
}

// print prints the outcome. Its error has the exit status.
func (a *asking) print(result protocol.AskResult) error {
	if a.json {
		if err := printJSON(a.stdout, result); err != nil {
			return err
		}
	}
	ended := func(code status, key locale.Key, args ...any) error {
		a.say(a.speak.Text(key, args...))
		return code
	}
	switch result.Outcome {
	case protocol.OutcomeDismissed:
		return ended(exitDismissed, "The question was dismissed.")
	case protocol.OutcomeExpired, protocol.OutcomeWaiting:
		if a.timeout == 0 { // another asker's
			return ended(exitTimedOut, askEnded, a.words(result.Outcome))
		}
		_ = ended(exitTimedOut, "No answer within {0}.", a.timeout)
		a.sayKept()
		return status(exitTimedOut)
	case protocol.OutcomeNotShown:
		if a.await == "" {
			return ended(exitNotShown, a.atHub(askNobodyEnds, askNobodyThereEnds))
		}
		return ended(exitNotShown, askEnded, a.words(result.Outcome))
	case protocol.OutcomeWithdrawn:
		return ended(exitWithdrawn, "The question was withdrawn elsewhere.")
	case protocol.OutcomeAnswered, protocol.OutcomeReplied:
	default: // an agent's question has further outcomes
		return errors.New(a.speak.Text(askEnded, a.words(result.Outcome)))
	}
	if !a.json {
		text := result.Text
		if isTerminal(a.stdout) { // the picked option may contain an agent's control characters
			text = archive.Plain(text)
		}
		if _, err := fmt.Fprintln(a.stdout, text); err != nil {
			return err
		}
		if len(result.Images) > 0 {
			a.say(a.speak.Text("Images in the answer: {0}. Use --json to print them.", len(result.Images)))
		}
	}
	if result.Outcome == protocol.OutcomeReplied {
		return ended(exitReplied, "The user wrote about the question instead of answering it.")
	}
	return nil
}
