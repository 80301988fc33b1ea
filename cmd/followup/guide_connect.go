package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"followup/internal/connect"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// connect offers the agents of this machine, connects those that the user checks, and disconnects the others.
func (g *guide) connect(ctx context.Context) ([]protocol.GuideMessage, error) {
	messages, err := g.connectAgents(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, errors.New(g.text("The agents could not be connected: {0}", inWords(err, g.speak).Error()))
	}
	return messages, err
}

func (g *guide) connectAgents(ctx context.Context) ([]protocol.GuideMessage, error) {
	m, err := connectMachine(g.p.env, false)
	if err != nil {
		return nil, err
	}
	before := connected{approvals: map[string][]string{}, link: m.Link().State == connect.LinkOurs}
	for _, a := range connect.Agents() {
		if isConnected(m.Look(a)) {
			before.ids = append(before.ids, a.ID)
		}
		if found := m.Configured(a); found.On {
			before.approvals[a.ID] = slices.Concat([]string{}, found.Tools) // never null
		}
	}
	wanted := connected{g.params.Agents, g.params.Approvals, g.params.Link}
	if !g.params.Undo {
		agreed := false
		if wanted, agreed, err = g.chooseAgents(ctx, m); err != nil || !agreed {
			return nil, err
		}
	}
	if m, err = connectMachine(g.p.env, true); err != nil {
		return nil, err
	}
	results, err := g.connectOnly(m, wanted, false)
	if err != nil {
		return nil, err
	}
	var messages []protocol.GuideMessage
	var done, notes, files []string
	failed := func(text string) {
		g.log.Error(text)
		messages = append(messages, protocol.GuideMessage{
			Severity: protocol.GuideError, Text: text, Buttons: []protocol.GuideButton{g.toLog("Open Log")},
		})
	}
	for _, r := range results {
		for _, line := range append(r.Messages, r.Notes...) {
			g.log.Info(line)
		}
		if r.Error != "" {
			failed(r.Error)
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
	linked, err := g.link(m, before.link, wanted.link)
	switch {
	case err != nil:
		failed(inWords(err, g.speak).Error())
	case linked != "":
		done = append(done, linked)
	}
	if len(done) == 0 || g.params.Undo {
		return messages, nil
	}
	var buttons []protocol.GuideButton
	if len(files) > 0 {
		buttons = append(buttons, protocol.GuideButton{Title: g.text("Show File"), Open: files})
	}
	undo := protocol.GuideRunParams{Guide: protocol.GuideConnect, Agents: before.ids, Approvals: before.approvals, Link: before.link, Undo: true}
	buttons = append(buttons, protocol.GuideButton{Title: g.text("Undo"), Guide: &undo})
	if len(wanted.ids) > 0 {
		check := protocol.GuideRunParams{Guide: protocol.GuideDoctor}
		buttons = append(buttons, protocol.GuideButton{Title: g.text("Check the Connections"), Guide: &check})
	}
	return append(messages, information(strings.Join(append(done, notes...), " "), buttons...)...), nil
}

func isConnected(s connect.Status) bool {
	return s.State == connect.Connected || s.State == connect.Partly
}

// connected are agents and, for each, the tools whose requests for permission it sends to the inbox. An absent agent sends none;
// an empty list means all tools.
type connected struct {
	ids       []string
	approvals map[string][]string
	link      bool // terminals find the program by the link
}

// chooseAgents asks the user to check agents, and to confirm the changes.
func (g *guide) chooseAgents(ctx context.Context, m connect.Machine) (wanted connected, agreed bool, err error) {
	var agents, others []connect.Status
	for _, a := range connect.Agents() {
		if s := m.Look(a); s.Found {
			agents = append(agents, s)
		} else {
			others = append(others, s)
		}
	}
	list := protocol.GuidePickParams{
		Title: g.text("Connect Your Agents"), Many: true,
		Placeholder: g.text("Checked agents ask in Followup; the others ask in their own way"),
	}
	type row struct {
		connect.Status
		approvals *connect.Approvals // nil for the agent itself
	}
	var rows []row
	for _, s := range append(agents, others...) {
		rows = append(rows, row{Status: s})
		list.Items = append(list.Items, g.agentItem(m, s))
		if s.Approves && (s.Found || isConnected(s)) {
			found := m.Configured(s.Agent)
			rows = append(rows, row{s, &found})
			list.Items = append(list.Items, protocol.GuideItem{
				Label: g.text("Include permission requests"), Description: s.Name, Icon: "shield", Picked: found.On,
			})
		}
	}
	link := m.Link()
	wanted.link = link.State == connect.LinkOurs
	if link.Offered() || wanted.link {
		list.Items = append(list.Items, protocol.GuideItem{
			Label: g.text("Find followup in every terminal"), Description: shortName(m, link.Name), Icon: "terminal", Picked: true,
		})
	}
	result, err := rpc.Call(ctx, g.editor, protocol.GuidePick, list)
	if err != nil || result.Chosen == nil {
		return wanted, false, err
	}
	wanted.approvals = map[string][]string{}
	was := wanted.link
	wanted.link = slices.Contains(result.Chosen, len(rows))
	for _, i := range result.Chosen {
		if i == len(rows) {
			continue
		}
		switch r := rows[i]; {
		case r.approvals == nil:
			wanted.ids = append(wanted.ids, r.ID)
		case slices.Contains(wanted.ids, r.ID): // otherwise the user unchecked the agent, which is shown above
			wanted.approvals[r.ID] = r.approvals.Tools
		}
	}
	results, err := g.connectOnly(m, wanted, true)
	if err != nil {
		return wanted, false, err
	}
	agreed, err = g.review(ctx, m, results, linkTo(was, wanted.link))
	return wanted, agreed, err
}

// review shows the changes before they are written, and marks those besides Followup's own entry. It reports whether the user
// agrees. If there are no changes, it does not ask.
func (g *guide) review(ctx context.Context, m connect.Machine, results []*connectResult, link linkChange) (bool, error) {
	list := protocol.GuidePickParams{
		Title: g.text("Review the Changes"), Placeholder: g.text(reviewHint),
		Items: []protocol.GuideItem{
			{Label: g.text("Write These Changes"), Icon: "check"},
			{Label: g.text("Show Every Line"), Icon: "diff"},
		},
	}
	const write = 0
	shown := newReview(m, results, link, g.speak)
	if shown.empty() {
		return true, nil
	}
	list.Items = append(list.Items, shown.items...)
	for {
		chosen, ok, err := g.pick(ctx, list)
		if err != nil || !ok || chosen == write {
			return ok && err == nil, err
		}
		// Any other choice shows the complete changes.
		text := protocol.GuideShowTextParams{Name: "Followup.diff", Text: shown.lines}
		if _, err := rpc.Call(ctx, g.editor, protocol.GuideShowText, text); err != nil {
			return false, err
		}
	}
}

// shortName abbreviates a path below the home folder with ~.
func shortName(m connect.Machine, name string) string {
	if below, ok := strings.CutPrefix(name, m.Home+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + below
	}
	return name
}

// agentItem returns the list item for an agent, with its state and files.
func (g *guide) agentItem(m connect.Machine, s connect.Status) protocol.GuideItem {
	item := protocol.GuideItem{
		Label: s.Name, Description: s.Words(g.speak), Picked: isConnected(s) || s.Found && s.State == connect.None,
	}
	if s.Err != nil {
		item.Description = inWords(s.Err, g.speak).Error()
	}
	var files []string
	for _, name := range s.Files {
		files = append(files, shortName(m, name))
	}
	item.Detail = strings.Join(files, ", ")
	return item
}

// connectOnly connects agents, and disconnects the others.
func (g *guide) connectOnly(m connect.Machine, wanted connected, dryRun bool) (results []*connectResult, err error) {
	chosen, err := chosenAgents(m, wanted.ids, false, nil)
	if err != nil {
		return nil, err
	}
	o := connectOptions{dryRun: dryRun, speak: g.speak}
	add := func(result *connectResult, err error) {
		if err != nil {
			g.log.Debug("an agent was not changed", zap.String("agent", result.ID), zap.Error(err))
			result.Error = inWords(err, g.speak).Error()
		}
		results = append(results, result)
	}
	for _, s := range chosen {
		tools, approves := wanted.approvals[s.ID]
		m.Approvals = &connect.Approvals{On: approves, Tools: tools}
		add(connectAgent(o, m, s))
	}
	m.Approvals = nil
	for _, s := range connectedOthers(m, chosen) {
		add(disconnectAgent(o, m, s))
	}
	return results, nil
}

// linkTo returns the change of the link from one state to another.
func linkTo(was, wanted bool) linkChange {
	switch {
	case wanted && !was:
		return linkAdded
	case was && !wanted:
		return linkRemoved
	}
	return linkKept
}

// link creates or removes the link by which terminals find the program, and returns what it did in words.
func (g *guide) link(m connect.Machine, was, wanted bool) (string, error) {
	switch linkTo(was, wanted) {
	case linkAdded:
		if _, err := install(m); err != nil {
			return "", err
		}
		if err := m.AddLink(); err != nil {
			return "", err
		}
		l := m.Link()
		text := g.text("Terminals find followup by the link {0}.", shortName(m, l.Name))
		if !l.OnPath {
			text += " " + pathAdvice(m, l, g.speak)
		}
		return text, nil
	case linkRemoved:
		return g.text("The link {0} was removed.", shortName(m, m.Link().Name)), m.RemoveLink()
	case linkKept:
	}
	return "", nil
}

// offerLink offers the link, or creates it if the user has agreed. If terminals find the program already, it does nothing; neither does
// it for an editor with a folder of its own, such as a test's, whose questions another terminal would not find.
func (g *guide) offerLink(context.Context) ([]protocol.GuideMessage, error) {
	m, err := connectMachine(g.p.env, g.params.Link)
	if err != nil {
		return nil, err
	}
	l := m.Link()
	switch {
	case g.params.Link:
		text, err := g.link(m, l.State == connect.LinkOurs, true)
		if err != nil || text == "" {
			return nil, err
		}
		return information(text), nil
	case !l.Offered() || g.p.env(storageVariable) != "":
		return nil, nil
	}
	agree := protocol.GuideRunParams{Guide: protocol.GuideLink, Link: true}
	return information(g.text("Only the editor's terminals find followup. The link {0} makes every terminal find it.", shortName(m, l.Name)),
		protocol.GuideButton{Title: g.text("Add Link"), Guide: &agree}), nil
}
