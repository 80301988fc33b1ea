package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/charset"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// askOptions are the flags and arguments of "followup ask".
type askOptions struct {
	question    string
	suggestions []string
	multi       bool
	header      string
	call        string // a file with the arguments of AskUserQuestion
	await       string // the id of an earlier question

	agent, workspace string
	timeout          time.Duration
	keep             bool
	needInbox        bool
	json             bool
	quiet            bool
	place            place
	to               string
	speak            locale.Tag
	level            logLevel
}

// Exit statuses of "followup ask", in addition to those of all commands. "From a shell" in docs/protocol.md lists them.
const (
	exitDismissed = 3
	exitTimedOut  = 4
	exitNotShown  = 5
	exitReplied   = 6
	exitWithdrawn = 7
	exitSignal    = 128 // plus the signal's number
)

const askStatuses = `Exit status: 0 answered, 1 failed, or ended in another way, 2 wrong usage, 3 dismissed, 4 no answer in time, 5 nobody could see it
(with --need-inbox: no inbox is open), 6 the user wrote about the questions instead of answering them, 7 withdrawn elsewhere, 130 interrupted, 141 the
reader of the output went away, 143 terminated.`

// askCommand is "followup ask": questions from scripts.
func askCommand(p process) *cobra.Command {
	o := askOptions{level: logLevel{Level: zap.FatalLevel}}
	c := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask the user from a script, and print the answer",
		Long: "Ask the user in every open inbox, wait for the answer and print it: the user's words, or each choice on a line. If QUESTION is -,\n" +
			"read it from standard input. On a terminal the question can be answered there, too; the first answer counts.\n\n" +
			"After --timeout the question expires; a signal or a closed output withdraws it; --keep leaves it open instead.\n\n" + askStatuses,
		Example: "  followup ask 'Deploy to production?' --suggest Yes --suggest No\n" +
			"  db=$(followup ask 'Which database?' -s PostgreSQL -s SQLite --timeout 10m) || exit\n" +
			"  git log -1 --format=%B | followup ask - --suggest Push --suggest Abort",
		Args: func(_ *cobra.Command, args []string) error { return o.take(args) },
		RunE: func(*cobra.Command, []string) error { return runAsk(p, o) },
	}
	flags := c.Flags()
	flags.StringArrayVarP(&o.suggestions, "suggest", "s", nil, "offer `TEXT` as an answer (repeatable)")
	flags.BoolVarP(&o.multi, "multi", "m", false, "let the user choose several suggestions")
	flags.StringVar(&o.header, "header", "", "show `TEXT` above the question")
	flags.StringVar(&o.call, "questions", "", "ask the questions in `FILE`, the JSON input of AskUserQuestion (- = standard input)")
	flags.StringVar(&o.await, "await", "", "wait for an earlier question; followup inbox lists each `ID`")
	flags.StringVar(&o.agent, "agent", "followup ask", "show `NAME` as the asker")
	flags.StringVar(&o.workspace, "workspace", "", "show `DIR` as the question's folder (default: this one)")
	flags.Var((*span)(&o.timeout), "timeout", "give up after `DURATION`, such as 90s or 2h (0 = never)")
	flags.BoolVar(&o.keep, "keep", false, "leave an unanswered question open, and print its id")
	flags.BoolVar(&o.needInbox, "need-inbox", false, "do not ask unless an inbox is open")
	flags.BoolVar(&o.json, "json", false, "print the outcome as one JSON document")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only errors on standard error")
	wordsLogFlag(c, &o.level)
	_ = cobra.MarkFlagDirname(flags, "workspace")
	notEmpty(c, "questions", "await", "workspace")
	placeFlags(c, &o.place, p.env)
	completesWith(c, "await", p.openQuestions(&o.place))
	toFlag(flags, &o.to)
	localeFlag(c, flags, &o.speak, "messages", p.env)
	return c
}

// take sets the options from the arguments, and rejects contradictory combinations.
func (o *askOptions) take(args []string) error {
	ways := len(args)
	for _, other := range []string{o.call, o.await} {
		if other != "" {
			ways++
		}
	}
	one := o.call == "" && o.await == ""
	switch {
	case len(args) > 1:
		return wrongUsage("unexpected argument %q: put the question in quotation marks, and offer answers with --suggest", args[1])
	case ways == 0:
		return wrongUsage("the question is missing")
	case ways > 1:
		return wrongUsage("give only one of a question, --questions and --await")
	case !one && (len(o.suggestions) > 0 || o.multi || o.header != ""):
		return wrongUsage("--suggest, --multi and --header cannot be combined with --questions or --await")
	case (o.multi || o.header != "") && len(o.suggestions) < 2:
		return wrongUsage("--multi and --header need at least two suggestions")
	case (o.multi || o.header != "") && len(o.suggestions) > question.MaxRaised:
		return wrongUsage("--multi and --header take at most %d suggestions", question.MaxRaised)
	case strings.TrimSpace(o.agent) == "":
		return wrongUsage("--agent needs a name")
	}
	if one {
		o.question = args[0]
	}
	return o.checkSuggestions()
}

// checkSuggestions rejects suggestions that are empty or look alike.
func (o *askOptions) checkSuggestions() error {
	first := map[string]int{}
	for i, answer := range o.suggestions {
		words := strings.TrimSpace(answer)
		if question.Invisible(words) {
			return wrongUsage("suggestion %d of %d is empty", i+1, len(o.suggestions))
		}
		if earlier, known := first[words]; known {
			return wrongUsage("suggestions %d and %d are the same: %q", earlier+1, i+1, words)
		}
		first[words] = i
	}
	return nil
}

// toCall returns the tool call that the options describe.
func (o *askOptions) toCall(stdin io.Reader) (tool string, input json.RawMessage, err error) {
	if o.call != "" {
		text, err := o.read(stdin, o.call)
		if err != nil {
			return "", nil, err
		}
		input, err = json.Marshal(text) // a string may hold a call's arguments, even invalid ones
		return question.ToolAskUser, input, err
	}
	if o.question == "-" {
		if o.question, err = o.read(stdin, o.question); err != nil {
			return "", nil, err
		}
		o.question = strings.TrimRight(o.question, "\r\n")
	}
	if question.Invisible(o.question) {
		return "", nil, wrongUsage("the question is empty")
	}
	if !o.multi && o.header == "" {
		suggest := []protocol.Suggestion{}
		for _, answer := range o.suggestions {
			suggest = append(suggest, protocol.Suggestion{Answer: answer})
		}
		input, err = json.Marshal(map[string]any{"question": o.question, "follow_up": suggest})
		return question.ToolFollowup, input, err
	}
	asked := protocol.Question{Question: o.question, Header: o.header, MultiSelect: o.multi}
	for _, label := range o.suggestions {
		asked.Options = append(asked.Options, protocol.Option{Label: label})
	}
	input, err = json.Marshal(protocol.Questionnaire{Questions: []protocol.Question{asked}})
	return question.ToolAskUser, input, err
}

// read reads a file, or standard input if name is "-".
func (o *askOptions) read(stdin io.Reader, name string) (string, error) {
	from := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", wrongUsage("could not read the questions: %w", err)
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, question.DefaultMessageLimit+1))
	switch {
	case err != nil:
		return "", wrongUsage("could not read the question: %w", err)
	case len(text) > question.DefaultMessageLimit:
		return "", wrongUsage("the question is longer than %d MiB", question.DefaultMessageLimit>>20)
	}
	text, err = charset.Decode(text, "")
	if err != nil {
		return "", wrongUsage("could not read the question: %w; write it in UTF-8", err)
	}
	return string(text), nil
}

// folders returns the folders to which the question belongs.
func (o *askOptions) folders() []protocol.WorkspaceFolder {
	folder, err := filepath.Abs(cmp.Or(o.workspace, "."))
	if err != nil {
		return nil
	}
	return []protocol.WorkspaceFolder{protocol.FolderOf(folder)}
}

// runAsk asks, and prints the outcome.
func runAsk(p process, o askOptions) error {
	var tool string
	var input json.RawMessage
	if o.await == "" {
		var err error
		if tool, input, err = o.toCall(p.stdin); err != nil {
			return err
		}
	}
	log := newWordsLog(p, "followup ask", o.level)
	hub, folder, err := o.place.settle(p, o.speak, log, o.to)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background(), ending...)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a missing reader becomes a write error
	if out, ok := p.stdout.(*os.File); ok && !isTerminal(out) {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		watchReader(out, func() { cancel(signalled{syscall.SIGPIPE}) })
	}
	a := &asking{askOptions: o, process: p, tool: tool, input: input, folders: o.folders()}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.timeout, errTimedOut)
		defer cancel()
		if hub == nil && !o.keep { // a hub's clock may differ
			a.expires = time.Now().Add(o.timeout).UnixMilli()
		}
	}
	if a.hub = hub; hub != nil {
		hub.StateChanged = a.reportAway()
	}
	result, err := a.ask(ctx, log, folder)
	if err != nil {
		return plainError(err)
	}
	return a.print(result)
}

var errTimedOut = errors.New("nobody answered in time")
