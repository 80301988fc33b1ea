package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/archive"
	"followup/internal/connect"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/reach"
	"followup/internal/rpc"
	"followup/internal/store"
)

// doctorCommand is "followup doctor".
func doctorCommand(p process) *cobra.Command {
	var asJSON bool
	var storage string
	var speak locale.Tag
	c := &cobra.Command{
		Use:   "doctor [AGENT…]",
		Short: "Check that agents can ask, and say what to do if not",
		Long: "Check that questions can be saved, that an inbox is open and that terminals find followup. Then try the tools, the hook and the plugin of each connected\n" +
			"agent, or of each AGENT, as the agent itself would, and look for settings that keep it from asking, including those of the\n" +
			"project in this folder. No question is asked and no setting is changed.\n\n" +
			"Exit status: 0 all is well, 1 something is wrong, 2 wrong usage.",
		Example:           "  followup doctor\n  followup doctor codex",
		ValidArgsFunction: completeAgents,
		RunE: interruptible(func(ctx context.Context, args []string) error {
			findings, err := examine(ctx, p, storage, speak, args)
			if err != nil {
				return err
			}
			return printFindings(p, findings, asJSON)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	storageFlag(c.Flags(), &storage, p.env)
	localeFlag(c, c.Flags(), &speak, "the output", p.env)
	return c
}

const (
	doctorLockedBy locale.Key = "{1} (process {2}) has locked the history in {0}, so no question can be saved. Close that program, " +
		"then run this again."
	doctorPush       locale.Key = "{0} is notified while no page is open. Nothing was sent yet."
	doctorPushed     locale.Key = "{0} is notified while no page is open. The last notification was delivered at {1}."
	doctorPushFailed locale.Key = "{0} was not notified at {1}: {2}. Open its page, and turn notifications off and on again."

	doctorNotify       locale.Key = "{0} is notified of questions that nobody sees. Nothing was sent yet."
	doctorNotified     locale.Key = "{0} is notified of questions that nobody sees. The last notification was delivered at {1}."
	doctorNotifyFailed locale.Key = "{0} was not notified at {1}: {2}. Check the address and the secret of --notify."

	doctorNotShown locale.Key = "No inbox is open: agents ask in their own way, or wait. Open an editor with Followup, run followup answer, " +
		"or open the page of followup web."
)

func examine(ctx context.Context, p process, storage string, speak locale.Tag, ids []string) (findings []connect.Finding, err error) {
	m, err := connectMachine(p.env, false)
	if err != nil {
		return nil, err
	}
	chosen, err := chosenAgents(m, ids, len(ids) == 0, func(s connect.Status) bool { return s.State != connect.None })
	if err != nil {
		return nil, err
	}
	add := func(ok bool, key locale.Key, args ...any) {
		findings = append(findings, connect.Finding{OK: ok, Text: speak.Text(key, args...)})
	}
	if m.Folder, err = os.Getwd(); err != nil {
		m.Folder = "" // if the folder was removed, there is no project
	}
	folder, err := readStorageFolder(storage, p.env)
	var absent noFolder
	if err != nil && !errors.As(err, &absent) {
		return nil, err
	}
	var shown bool
	var notified protocol.PushListResult
	var program string
	var pid int
	if absent == "" {
		shown, notified, err = lookAtInbox(ctx, p, folder)
		program, pid = lockHolder(folder, keeperPIDOf(folder, p.env)) // an idle keeper does not notice the lock
	}
	switch {
	case absent != "":
		add(false, "There is no folder {0}. Check --storage and FOLLOWUP_STORAGE; the first question creates it.", string(absent))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case pid != 0:
		add(false, doctorLockedBy, store.Redacted(folder), program, pid)
	case err != nil:
		add(false, "Questions cannot be saved in {0}: {1}. Until this is fixed, agents ask in their own way.", store.Redacted(folder),
			strings.TrimRight(err.Error(), ".。"))
	default:
		add(true, "Questions are kept in {0}.", store.Redacted(folder))
		if shown {
			add(true, "An inbox is open.")
		} else {
			add(false, doctorNotShown)
		}
		report := func(all []protocol.PushReceiver, never, delivered, failed locale.Key) {
			for _, r := range all {
				switch at := time.UnixMilli(r.LastAt).Local().Format(time.DateTime); {
				case r.Problem != "":
					add(false, failed, r.Name, at, r.Problem)
				case r.LastAt == 0:
					add(true, never, r.Name)
				default:
					add(true, delivered, r.Name, at)
				}
			}
		}
		report(notified.Browsers, doctorPush, doctorPushed, doctorPushFailed)
		report(notified.Addresses, doctorNotify, doctorNotified, doctorNotifyFailed)
	}
	findings = append(findings, examineLink(m, speak)...)
	if len(chosen) == 0 {
		add(false, doctorNoAgent)
		return findings, nil
	}
	if build, there := m.Installed(); there {
		switch is, err := m.Try(ctx); {
		case err != nil:
			add(false, "{0}, which agents start, does not run: {1}. To install it again: followup connect --all", m.Program(), err)
			return findings, nil // further checks would only repeat it
		case thisBuild().Newer(build):
			add(false, "Agents start {0}, version {1}, older than this one ({2}). To update it: followup connect --all", m.Program(), is, version())
		default:
			add(true, "Agents start {0}, version {1}.", m.Program(), is)
		}
	}
	for _, s := range chosen {
		findings = append(findings, m.Examine(ctx, s, speak)...)
	}
	return findings, ctx.Err()
}

const (
	doctorLinked   locale.Key = "Terminals find followup by the link {0}."
	doctorUnlinked locale.Key = "Only the editor's terminals find followup by its name. followup connect offers the link {0} for all terminals."
	doctorDangling locale.Key = "The link {0} leads to {1}, which is missing. To install it again: followup connect --all"
	doctorOwnFile  locale.Key = "{0} is not Followup's link, and is left alone."
)

// examineLink checks the link by which terminals find the program.
func examineLink(m connect.Machine, speak locale.Tag) []connect.Finding {
	l := m.Link()
	_, missing := os.Stat(m.Program())
	finding := func(ok bool, key locale.Key, args ...any) []connect.Finding {
		return []connect.Finding{{OK: ok, Text: speak.Text(key, args...)}}
	}
	switch {
	case l.State == connect.LinkOurs && missing != nil:
		return finding(false, doctorDangling, l.Name, m.Program())
	case l.State == connect.LinkOurs && !l.OnPath:
		return []connect.Finding{{Text: pathAdvice(m, l, speak)}}
	case l.State == connect.LinkOurs:
		return finding(true, doctorLinked, l.Name)
	case l.State == connect.LinkForeign:
		return finding(true, doctorOwnFile, l.Name)
	case l.Offered():
		return finding(true, doctorUnlinked, l.Name)
	}
	return nil // terminals find another installation, or this is Windows
}

// keeperPIDOf returns the process id of a place's keeper; 0 if unknown.
func keeperPIDOf(place string, env func(string) string) int {
	folder, err := reach.KeeperFolder(place, env)
	if err != nil {
		return 0
	}
	info, err := keeper.ReadInfo(folder)
	if err != nil {
		return 0
	}
	return info.PID
}

// lookAtInbox reports whether an inbox is open, and which receivers are notified otherwise. It fails if nothing can be saved.
func lookAtInbox(ctx context.Context, p process, place string) (shown bool, notified protocol.PushListResult, err error) {
	o := protocol.InitializationOptions{StorageFolder: place}
	err = p.whileLinked(ctx, p.quietLog(), nil, o, &rpc.Router{}, func(ctx context.Context, conn *rpc.Conn) error {
		status, err := rpc.Call(ctx, conn, protocol.InboxStatus, protocol.None{})
		switch {
		case err != nil:
			return err
		case status.NotOpened != nil:
			return errors.New(status.NotOpened.Cause)
		case status.Storage != nil && !status.Storage.Saved:
			return errors.New(status.Storage.Problem)
		}
		shown = status.Shown
		notified, err = rpc.Call(ctx, conn, protocol.PushList, protocol.None{})
		return err
	})
	return shown, notified, plainError(err)
}

func printFindings(p process, findings []connect.Finding, asJSON bool) error {
	wrong := false
	for _, f := range findings {
		wrong = wrong || !f.OK
		if asJSON {
			continue
		}
		mark := "ok"
		if !f.OK {
			mark = "!!"
		}
		if _, err := fmt.Fprintf(p.stdout, "%s  %s\n", mark, archive.Inline(f.Text)); err != nil {
			return err
		}
	}
	if asJSON {
		if err := printJSON(p.stdout, map[string]any{"findings": findings}); err != nil {
			return err
		}
	}
	if wrong {
		return status(exitFailed)
	}
	return nil
}
