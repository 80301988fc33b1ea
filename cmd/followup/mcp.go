package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/mcp"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/web"
)

// mcpCommand is "followup mcp": the server for agents that speak the Model Context Protocol.
func mcpCommand(p process) *cobra.Command {
	level := logLevel{Level: zap.WarnLevel}
	var at place
	var speak locale.Tag
	var to, page string
	patience := mcp.DefaultNotShownAfter
	mistakes := defaultMistakes
	var limit time.Duration
	var strict bool
	var counts protocol.Limits
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Let an agent ask over MCP, the Model Context Protocol",
		Long: "Serve the Model Context Protocol on standard input and output, for the agent that starts this command. The tools ask the user in\n" +
			"every open inbox: editor, browser or terminal. No editor has to run, and a question stays open until it is answered.\n\n" +
			"Exit status: 0 the input ended, 1 failed, 2 wrong usage.",
		Example: "  followup mcp\n  followup mcp --limit 23h",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			o := mcp.Options{Locale: speak, Reading: mcp.Reading{Strict: &strict, MistakeLimit: &mistakes, Limits: &counts}}
			if c.Flags().Changed("limit") {
				o.Limit = &limit
			}
			if o.NotShownAfter = patience; patience == 0 {
				o.NotShownAfter = -1
			}
			return serveMCP(p, level, &at, to, page, o)
		},
	}
	logFlag(c, &level)
	flags := c.Flags()
	flags.Var((*span)(&limit), "limit", "respond after `DURATION` without an answer (0 = never; default: shortly before the agent gives up)")
	flags.Var((*span)(&patience), "not-shown-after", "tell the agent after `DURATION` that no inbox is open (0 = never)")
	readingFlags(flags, &strict, &counts)
	flags.Var(integer{&mistakes, 0, unbounded}, "mistake-limit", "ask the user for guidance after `N` invalid calls in a row (0 = never)")
	pageFlag(flags, &page)
	placeFlags(c, &at, p.env)
	toFlag(flags, &to)
	localeFlag(c, flags, &speak, "messages to agents", p.env)
	return c
}

// defaultMistakes is the protocol's default.
const defaultMistakes = 3

// serveMCP runs a sidecar without an editor, and the MCP server on top of it.
func serveMCP(p process, level logLevel, at *place, to, page string, o mcp.Options) error {
	log := newLog(p, level)
	hub, err := at.hub(o.Locale, log, to)
	if err != nil {
		return err
	}
	if hub != nil {
		o.Hub = &mcp.Hub{To: to, Machine: machine(log)}
	} else if o.StorageFolder, err = writtenStorageFolder(at.storage, p.env); err != nil { // a call returns the error
		log.Error("nothing can be saved", zap.Error(err))
	}
	ctx, stop := untilSignal(context.Background(), ending...)
	defer stop()

	own := p.reach(log).Dial(&rpc.Router{}, hub)
	defer own.End()
	o.In, o.Out, o.Log, o.Version, o.Env = p.stdin, p.stdout, log, version(), p.env
	o.Sidecar = own.Conn
	if files := web.Files(page); files != nil {
		o.App = &mcp.App{
			Page:  func(key string) (string, error) { return web.App(files, key) },
			Texts: func(language string) map[string]string { return web.Texts(files, locale.Match(language)) },
			Connect: func(router *rpc.Router) (*rpc.Conn, func()) {
				page := p.reach(log).Dial(router, nil)
				return page.Conn, page.End
			},
		}
	}
	if folder := o.StorageFolder; folder != "" && !store.IsDatabase(folder) {
		o.WebPage = func() string { return web.Announced(devicesFile(folder)) }
	}
	o.Program = ownCommand()
	o.Notify = func(agent string, asked protocol.Payload) {
		n := notice.Of(protocol.InboxItem{Payload: asked}, o.Locale.Text("{0} asks you", agent))
		where := o.Locale.Text(locale.AgentNotShown, o.Program)
		showOutside(log, relay.OutsideParams{Title: n.Title, Text: n.Text + "\n" + where, Show: true})
	}
	o.Parent = os.Getppid()
	o.Folder, err = os.Getwd()
	if err != nil {
		log.Warn("the working folder is unknown", zap.Error(err))
	}
	err = mcp.Serve(ctx, o)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// ownCommand returns the command that starts this program.
func ownCommand() string {
	if _, err := exec.LookPath("followup"); err == nil || keeperProgram == "" {
		return "followup"
	}
	if strings.ContainsAny(keeperProgram, " \t") {
		return strconv.Quote(keeperProgram)
	}
	return keeperProgram
}

// machine returns this machine's name, since a hub has agents on many machines.
func machine(log *zap.Logger) string {
	name, err := os.Hostname()
	if err != nil {
		log.Warn("the machine has no name", zap.Error(err))
	}
	return name
}
