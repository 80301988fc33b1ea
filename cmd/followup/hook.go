package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/hook"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// hookCommand is "followup hook": an agent's own question, answered in the inbox. It never ends with status 2, which is the agents' word
// for a refusal.
func hookCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.WarnLevel}
	var at place
	var language, to string
	var approvals bool
	c := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer an agent's own question in the inbox, as its hook",
		Long: "Read what an agent sends its hooks on standard input, ask its question in every open inbox, and print the answer in the agent's own\n" +
			"format. Other events pass, and so do questions that nobody could see: nothing is printed, and the agent shows its own dialog.\n\n" +
			"Agents: " + strings.Join(hook.Agents(), ", ") + ".\n\n" + hubHelp + "\n\n" + storageHelp + "\n\n" +
			"Exit status: 0 answered, or left to the agent; 1 failed, which leaves it to the agent too. Copilot CLI, which would deny its tool\n" +
			"then, always gets 0. The status is never 2, which agents take for a refusal.",
		Example:   "  followup hook claude-code",
		ValidArgs: hook.Agents(),
		Args:      cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("it takes the name of one agent: %s", strings.Join(hook.Agents(), ", "))
			}
			if !slices.Contains(hook.Agents(), args[0]) {
				return errors.New(unknownName("agent", args[0], hook.Agents(), "there are "+strings.Join(hook.Agents(), ", ")).Error())
			}
			err := runHook(p, level, &at, to, locale.Match(language), args[0], approvals)
			if err != nil && hook.Strict(args[0]) {
				fmt.Fprintf(p.stderr, "%s: %v\n", c.CommandPath(), err)
				return nil
			}
			return err
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return errors.New(wrongFlag(c, err).Error()) })
	logFlag(c, &level)
	placeFlags(c, &at, p.env)
	toFlag(c.Flags(), &to)
	c.Flags().BoolVar(&approvals, "approvals", false, "ask for permission in the inbox, too: "+strings.Join(hook.Approving(), ", "))
	localeFlag(c, c.Flags(), &language, "what agents are told", p.env)
	return c
}

// What an agent tells comes at once, and is not endless.
const (
	hookInputTime = 10 * time.Second
	hookInputMost = 16 << 20
)

// signalTime is how long the signal that tells why may come behind the end of whoever reads.
const signalTime = time.Second

// errGone is the cause of a hook's end that nobody waits for any more.
var errGone = errors.New("the agent does not wait any more")

func runHook(p process, level logLevel, at *place, to string, language locale.Tag, agent string, approvals bool) (err error) {
	log := newLog(p, level)
	defer func() { _ = log.Sync() }()
	defer func() {
		if broken := recover(); broken != nil { // it would end with status 2
			log.Error("a panic", zap.Any("panic", broken), zap.Stack("stack"))
			err = fmt.Errorf("it broke: %v", broken)
		}
	}()
	if file, ok := p.stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return errors.New("an agent runs it, and tells on standard input what it asks")
	}
	ctx, stop := hookContext(p)
	defer stop(nil)
	told := json.NewDecoder(io.LimitReader(p.stdin, hookInputMost))
	first, err := readHook(told)
	if err != nil {
		return fmt.Errorf("what the agent tells cannot be read: %w", err)
	}
	call, err := hook.Read(agent, first, approvals, language)
	if err != nil || call == nil {
		return err
	}
	if call.Approves() {
		defer func() {
			if err != nil {
				log.Info("the agent's own dialog asks", zap.Error(err))
				err = nil
			}
		}()
	}
	if call.Follows() {
		go func() { stop(followHook(told)) }()
	}
	hub, folder, err := at.settle(p, language, log, to)
	if err != nil {
		return err
	}
	if call.Approves() && hub == nil && !isKept(folder, p.env) {
		return nil // nobody shows an inbox
	}
	own := startOwnSidecar(p, log, &rpc.Router{}, hub)
	if !call.Approves() { // the end of this process ends the link: a keeper that hangs is not waited for
		defer own.endIn(ctx)
	}
	if err := own.greet(ctx, protocol.InitializationOptions{Locale: string(language), StorageFolder: folder}); err != nil {
		return err
	}
	working, err := os.Getwd()
	if err != nil {
		log.Warn("the working folder is not known", zap.Error(err))
	}
	answer, err := hook.Ask(ctx, call, hook.Options{
		Log: log, Sidecar: own.conn, Locale: language, Folder: working, To: to, AtHub: hub != nil,
	})
	if err != nil || answer == nil {
		return err
	}
	return printJSON(p.stdout, answer)
}

// readHook reads one JSON document, behind which the input need not end.
func readHook(told *json.Decoder) (json.RawMessage, error) {
	type result struct {
		message json.RawMessage
		err     error
	}
	came := make(chan result, 1)
	go func() {
		var r result
		r.err = told.Decode(&r.message)
		came <- r
	}()
	select {
	case r := <-came:
		if errors.Is(r.err, io.EOF) {
			return nil, errors.New("there is nothing on standard input")
		}
		return r.message, r.err
	case <-time.After(hookInputTime):
		return nil, fmt.Errorf("nothing whole has come within %v", hookInputTime)
	}
}

// followHook waits until the agent tells that its question is over, or ends.
func followHook(told *json.Decoder) (cause error) {
	var over hook.Closed
	if _ = told.Decode(&over); over.Closed != "" { // whatever else stands there
		return over
	}
	return errGone
}

// hookContext ends when the agent does not wait any more: it tells by SIGTERM that its own dialog was answered. A second signal ends the
// process at once.
func hookContext(p process) (ctx context.Context, stop context.CancelCauseFunc) {
	ctx, stop = context.WithCancelCause(context.Background())
	signals := endingSignals()
	go func() {
		came := <-signals
		signal.Stop(signals)
		if came == syscall.SIGTERM {
			stop(hook.ErrElsewhere)
		} else {
			stop(errGone)
		}
	}()
	watchParent(os.Getppid(), func() { stop(errGone) })
	if out, ok := p.stdout.(*os.File); ok {
		watchReader(out, func() { time.AfterFunc(signalTime, func() { stop(errGone) }) })
	}
	return ctx, stop
}
