package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"followup/internal/connect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// connect offers the agents of this machine, connects those that the user checks, and disconnects the others.
func (g *guide) connect(ctx context.Context) ([]protocol.GuideMessage, error) {
	messages, err := g.connectAgents(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, errors.New(g.text(locale.GuideConnectFailed, connect.Words(err, g.speak)))
	}
	return messages, err
}

func (g *guide) connectAgents(ctx context.Context) ([]protocol.GuideMessage, error) {
	m, err := connectMachine(g.p.env, false)
	if err != nil {
		return nil, err
	}
	var before []string
	for _, a := range connect.Agents() {
		if isConnected(m.Look(a)) {
			before = append(before, a.ID)
		}
	}
	ids := g.params.Agents
	if !g.params.Undo {
		agreed := false
		if ids, agreed, err = g.chooseAgents(ctx, m); err != nil || !agreed {
			return nil, err
		}
	}
	if m, err = connectMachine(g.p.env, true); err != nil {
		return nil, err
	}
	results, err := g.connectOnly(m, ids, false)
	if err != nil {
		return nil, err
	}
	var messages []protocol.GuideMessage
	var done, notes, files []string
	for _, r := range results {
		for _, line := range append(r.Messages, r.Notes...) {
			g.log.Info(line)
		}
		if r.Error != "" {
			g.log.Error(r.Error)
			messages = append(messages, protocol.GuideMessage{
				Severity: protocol.GuideError, Text: r.Error, Buttons: []protocol.GuideButton{g.toLog(locale.GuideOpenLog)},
			})
		}
		if !r.Changed {
			continue
		}
		done, notes = append(done, r.Messages[0]), append(notes, r.Notes...)
		for _, f := range r.Files {
			if !f.Removed {
				files = append(files, f.Path)
			}
		}
	}
	if len(done) == 0 || g.params.Undo {
		return messages, nil
	}
	var buttons []protocol.GuideButton
	if len(files) > 0 {
		buttons = append(buttons, protocol.GuideButton{Title: g.text(locale.GuideShowFile), Open: files})
	}
	undo := protocol.GuideRunParams{Guide: protocol.GuideConnect, Agents: before, Undo: true}
	buttons = append(buttons, protocol.GuideButton{Title: g.text(locale.GuideUndo), Guide: &undo})
	return append(messages, information(strings.Join(append(done, notes...), " "), buttons...)...), nil
}

func isConnected(s connect.Status) bool {
	return s.State == connect.Connected || s.State == connect.Partly
}

// chooseAgents has the user check agents, and agree to the settings that connecting adds besides Followup's own entry.
func (g *guide) chooseAgents(ctx context.Context, m connect.Machine) (ids []string, agreed bool, err error) {
	var agents []connect.Status
	for _, a := range connect.Agents() {
		agents = append(agents, m.Look(a))
	}
	slices.SortStableFunc(agents, func(a, b connect.Status) int {
		switch {
		case a.Found == b.Found:
			return 0
		case a.Found:
			return -1
		}
		return 1
	})
	list := protocol.GuidePickParams{
		Title: g.text(locale.GuideConnectTitle), Placeholder: g.text(locale.GuideConnectHint), Many: true,
	}
	for _, s := range agents {
		item := protocol.GuideItem{
			Label: s.Name, Description: s.Words(g.speak), Picked: isConnected(s) || s.Found && s.State == connect.None,
		}
		if s.Err != nil {
			item.Description = connect.Words(s.Err, g.speak)
		}
		var files []string
		for _, name := range s.Files {
			if below, ok := strings.CutPrefix(name, m.Home+string(filepath.Separator)); ok {
				name = "~" + string(filepath.Separator) + below
			}
			files = append(files, name)
		}
		item.Detail = strings.Join(files, ", ")
		list.Items = append(list.Items, item)
	}
	result, err := rpc.Call(ctx, g.editor, protocol.GuidePick, list)
	if err != nil || result.Chosen == nil {
		return nil, false, err
	}
	for _, i := range result.Chosen {
		ids = append(ids, agents[i].ID)
	}
	results, err := g.connectOnly(m, ids, true)
	if err != nil {
		return nil, false, err
	}
	var also []string
	for _, r := range results {
		also = append(also, r.Also...)
	}
	if len(also) == 0 {
		return ids, true, nil
	}
	consent, err := rpc.Call(ctx, g.editor, protocol.GuideConfirm, protocol.GuideConfirmParams{
		Text: g.text(locale.GuideConnectMore), Detail: strings.Join(also, "\n\n"), Button: g.text(locale.GuideConnectButton),
	})
	return ids, consent.Agreed, err
}

// connectOnly connects agents, and disconnects the others.
func (g *guide) connectOnly(m connect.Machine, ids []string, dryRun bool) (results []connectResult, err error) {
	chosen, err := chosenAgents(m, ids, false, nil)
	if err != nil {
		return nil, err
	}
	o := connectOptions{dryRun: dryRun, locale: string(g.speak)}
	one := func(do func(connectOptions, connect.Machine, connect.Status, announce) (connectResult, error), s connect.Status) {
		result, err := do(o, m, s, func([]string) error { return nil })
		if err != nil {
			g.log.Debug("an agent was left as it was", zap.String("agent", s.ID), zap.Error(err))
			result.Error = connect.Words(err, g.speak)
		}
		results = append(results, result)
	}
	for _, s := range chosen {
		one(connectAgent, s)
	}
	for _, s := range connectedOthers(m, chosen) {
		one(disconnectAgent, s)
	}
	return results, nil
}
