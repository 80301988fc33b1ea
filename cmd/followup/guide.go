package main

import (
	"context"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// guideCommand is "followup guide": the editor's commands of several steps.
func guideCommand(p process) *cobra.Command {
	return &cobra.Command{
		Use: "guide", Short: "Lead an editor's user through a task", Hidden: true, Args: noArguments,
		Long:    "Speak JSON-RPC 2.0 on standard input and output, as serve does, and run the guides that an editor asks for.",
		Example: "  followup guide",
		RunE: func(*cobra.Command, []string) error {
			log := newLog(p, logLevel{Level: zap.InfoLevel})
			return serveGuides(p, log)
		},
	}
}

// guide is a running guide.
type guide struct {
	p      process
	log    *zap.Logger
	editor *rpc.Conn
	speak  locale.Tag
	params protocol.GuideRunParams
	again  chan struct{} // receives a value when the user starts the guide again
	done   float64       // progress in percent
}

// steps has the guides by name. Each returns the messages to show at the end.
var steps = map[protocol.GuideName]func(*guide, context.Context) ([]protocol.GuideMessage, error){
	protocol.GuideBrowser: (*guide).browser,
	protocol.GuideConnect: (*guide).connect,
	protocol.GuideDoctor:  (*guide).doctor,
	protocol.GuideExport:  (*guide).export,
	protocol.GuideHub:     (*guide).hub,
	protocol.GuideImport:  (*guide).importLogs,
	protocol.GuideLink:    (*guide).offerLink,
	protocol.GuideSample:  (*guide).sample,
}

// serveGuides runs guides until the editor closes the input.
func serveGuides(p process, log *zap.Logger) error {
	router := &rpc.Router{}
	again := make(chan struct{}, 1)
	var editor *rpc.Conn
	rpc.OnNotification(router, protocol.GuideAgain, func(context.Context, protocol.None) error {
		select {
		case again <- struct{}{}:
		default:
		}
		return nil
	})
	dialed := make(chan struct{})
	rpc.OnWaiting(router, protocol.GuideRun, func(ctx context.Context, params protocol.GuideRunParams) (protocol.GuideResult, error) {
		run, ok := steps[params.Guide]
		if !ok {
			return protocol.GuideResult{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "there is no guide %q", params.Guide)
		}
		<-dialed
		g := &guide{p: p, log: log, editor: editor, speak: locale.Match(params.Options.Locale), params: params, again: again}
		messages, err := run(g, ctx)
		var wrong *jsonrpc2.Error
		if err != nil && ctx.Err() == nil && !errors.As(err, &wrong) {
			err = rpc.Errorf(protocol.CodeRefused, "%s", err)
		}
		return protocol.GuideResult{Messages: messages}, err
	})
	editor = rpc.Dial(context.Background(), router, rpc.Options{In: p.stdin, Out: p.stdout, Log: log})
	close(dialed)
	<-editor.Done()
	<-editor.Flushed()
	return editor.Err()
}

// atKeeper calls do with a connection to the keeper of the editor's inbox.
func (g *guide) atKeeper(ctx context.Context, router *rpc.Router, do func(context.Context, *rpc.Conn) error) error {
	options := g.params.Options
	options.StorageFolder = editorStorage(g.p, g.log, options)
	return g.p.whileLinked(ctx, g.log, nil, options, router, do)
}

// failed returns an error for the user: what failed, by its key, and why.
func (g *guide) failed(key locale.Key, ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return errors.New(g.speak.Text(key, plainError(err)))
}

func (g *guide) text(key locale.Key, args ...any) string { return g.speak.Text(key, args...) }

// pick asks the user to choose one item. It returns false if they cancel.
func (g *guide) pick(ctx context.Context, p protocol.GuidePickParams) (int, bool, error) {
	result, err := rpc.Call(ctx, g.editor, protocol.GuidePick, p)
	if err != nil || len(result.Chosen) == 0 {
		return 0, false, err
	}
	return result.Chosen[0], true, nil
}

// whileAgain calls do each time the user starts the guide again, until end is called.
func (g *guide) whileAgain(do func()) (end func()) {
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-g.again:
				do()
			case <-over:
				return
			}
		}
	}()
	return func() { close(over) }
}

func information(text string, buttons ...protocol.GuideButton) []protocol.GuideMessage {
	return []protocol.GuideMessage{{Severity: protocol.GuideInformation, Text: text, Buttons: buttons}}
}

func warning(text string, buttons ...protocol.GuideButton) []protocol.GuideMessage {
	return []protocol.GuideMessage{{Severity: protocol.GuideWarning, Text: text, Buttons: buttons}}
}

// The extension's commands that buttons run.
const (
	commandFocus       = "followup.focus"
	commandShowHistory = "followup.showHistory"
	commandShowLog     = "followup.showLog"
)

// toLog is a button that shows the log.
func (g *guide) toLog(key locale.Key) protocol.GuideButton {
	return protocol.GuideButton{Title: g.text(key), Command: commandShowLog}
}
