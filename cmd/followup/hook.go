package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/charset"
	"followup/internal/hook"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/reach"
	"followup/internal/rpc"
)

// hookCommand is "followup hook": the inbox answers an agent's own question. It never exits with status 2, which agents treat as
// a refusal.
func hookCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.WarnLevel}
	var at place
	var speak locale.Tag
	var to string
	var approvals, confirms bool
	c := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Ask an agent's own questions in the inbox, as its hook",
		Long: "Read an agent's hook event on standard input, ask its question in every open inbox, and print the answer in the agent's own\n" +
			"format. For other events, and if no inbox is open, print nothing: the agent then shows its own dialog.\n\n" +
			"Agents: " + strings.Join(hook.Agents(), ", ") + ".\n\n" +
			"Exit status: 0 answered, or left to the agent; 1 failed, also left to the agent. For Copilot CLI, which denies a tool whose hook\n" +
			"fails, it is always 0. It is never 2, which agents take for a refusal.",
		Example:   "  followup hook claude-code",
		ValidArgs: hook.Agents(),
		Args:      cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one agent: %s", strings.Join(hook.Agents(), ", "))
			}
			if !slices.Contains(hook.Agents(), args[0]) {
				return errors.New(unknownName("agent", args[0], hook.Agents(), "use one of "+strings.Join(hook.Agents(), ", ")).Error())
			}
			if confirms {
				return runConfirm(p, level, &at, to, speak)
			}
			err := runHook(p, level, &at, to, speak, args[0], approvals)
			if err != nil && hook.Strict(args[0]) {
				fmt.Fprintf(p.stderr, "%s: %v\n", c.CommandPath(), err)
				return nil
			}
			var wrong usageError
			if errors.As(err, &wrong) { // without its status
				err = errors.New(wrong.Error())
			}
			return err
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return errors.New(wrongFlag(c, err).Error()) })
	logFlag(c, &level)
	placeFlags(c, &at, p.env)
	toFlag(c.Flags(), &to)
	c.Flags().BoolVar(&approvals, "approvals", false, "ask for permission in the inbox, too (only "+strings.Join(hook.Approving(), ", ")+")")
	c.Flags().BoolVar(&confirms, confirmFlag, false, "read a sent decision, and report which one took effect")
	_ = c.Flags().MarkHidden(confirmFlag) // the flag exists
	localeFlag(c, c.Flags(), &speak, "messages to agents", p.env)
	return c
}

// Limits of the agent's message, which arrives at once and is finite.
const (
	hookInputTime = 10 * time.Second
	hookInputMost = 16 << 20
)

// signalTime is how long to wait for a signal, the real cause, after the reader has closed the pipe.
const signalTime = time.Second

func runHook(p process, level logLevel, at *place, to string, language locale.Tag, agent string, approvals bool) (err error) {
	log := newLog(p, level)
	defer func() {
		if broken := recover(); broken != nil { // Go would exit with status 2
			log.Error("a panic", zap.Any("panic", broken), zap.Stack("stack"))
			err = fmt.Errorf("internal error: %v", broken)
		}
	}()
	if file, ok := p.stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return errors.New("an agent runs this command and sends the question on standard input; it cannot be used in a terminal")
	}
	ctx, stop := hookContext(p)
	defer stop(nil)
	input := json.NewDecoder(charset.NewReader(io.LimitReader(p.stdin, hookInputMost))) // programs on Windows may write a byte order mark
	first, err := readHook(input)
	if err != nil {
		return fmt.Errorf("cannot read the agent's message: %w", err)
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
		go func() { stop(followHook(input)) }()
	}
	hub, folder, err := at.settle(p, language, log, to)
	if err != nil {
		return err
	}
	if call.Approves() && hub == nil && !reach.IsKept(folder, p.env) {
		return nil // no inbox is open
	}
	own := p.reach(log).Dial(&rpc.Router{}, hub)
	if !call.Approves() { // otherwise the link ends with this process, without waiting for a keeper that hangs
		defer own.EndIn(ctx)
	}
	if err := own.Greet(ctx, protocol.InitializationOptions{Locale: string(language), StorageFolder: folder}); err != nil {
		return err
	}
	working, err := os.Getwd()
	if err != nil {
		log.Warn("the working folder is unknown", zap.Error(err))
	}
	answer, err := hook.Ask(ctx, call, hook.Options{
		Log: log, Sidecar: own.Conn, Locale: language, Folder: working, To: to, AtHub: hub != nil,
	})
	if err == nil && answer != nil {
		err = printJSON(p.stdout, answer)
	}
	if sent := call.Sent(); sent != nil { // after the answer, so that the agent does not wait for it
		confirmLater(ctx, p, log, own.Conn, folder, call, sent)
	}
	return err
}

// readHook reads one JSON document. The input may stay open after it.
func readHook(input *json.Decoder) (json.RawMessage, error) {
	type result struct {
		message json.RawMessage
		err     error
	}
	came := make(chan result, 1)
	go func() {
		var r result
		r.err = input.Decode(&r.message)
		came <- r
	}()
	select {
	case r := <-came:
		if errors.Is(r.err, io.EOF) {
			return nil, errors.New("standard input is empty")
		}
		if err := charset.Check(r.message); r.err == nil && err != nil {
			return nil, fmt.Errorf("%w; the agent must send UTF-8", err)
		}
		return r.message, r.err
	case <-time.After(hookInputTime):
		return nil, fmt.Errorf("no complete message arrived within %v", hookInputTime)
	}
}

// followHook blocks until the agent reports that its question is closed, or until its input ends.
func followHook(input *json.Decoder) (cause error) {
	var over hook.Closed
	if _ = input.Decode(&over); over.Closed != "" { // other fields are ignored
		return over
	}
	return hook.ErrGone
}

// hookContext returns a context that ends when the agent stops waiting. The agent sends SIGTERM once its own dialog was answered, when the
// hook's time is over, and when it exits.
// A second signal ends the process at once.
func hookContext(p process) (ctx context.Context, stop context.CancelCauseFunc) {
	ctx, stop = context.WithCancelCause(context.Background())
	ended, _ := untilSignal(ctx, ending...)
	context.AfterFunc(ended, func() {
		if errors.Is(context.Cause(ended), signalled{syscall.SIGTERM}) {
			stop(hook.ErrStopped)
		} else {
			stop(hook.ErrGone)
		}
	})
	watchParent(os.Getppid(), func() { stop(hook.ErrGone) })
	if out, ok := p.stdout.(*os.File); ok {
		watchReader(out, func() { time.AfterFunc(signalTime, func() { stop(hook.ErrGone) }) })
	}
	return ctx, stop
}
