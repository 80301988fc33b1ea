package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"followup/internal/connect"
	"followup/internal/locale"
)

// way has the differences between connect and disconnect.
type way struct {
	unnamed  func(connect.Machine) error // returns the error if no agent is named
	wanted   func(connect.Status) bool   // selects agents for --all
	nobody   locale.Key                  // printed if there are no such agents
	connects bool
}

// run shows the changes of connecting or disconnecting agents, asks, makes them, and prints the result.
func (w way) run(p process, c *cobra.Command, o connectOptions, args []string) error {
	if err := o.check(c, args); err != nil {
		return err
	}
	m, err := connectMachine(p.env, false)
	if err != nil {
		return err
	}
	if len(args) == 0 && !o.all && !o.only {
		return w.unnamed(m)
	}
	m.Approvals = o.chosenApprovals()
	chosen, err := chosenAgents(m, args, o.all, w.wanted)
	if err != nil {
		return err
	}
	if err := o.checkTools(m, chosen); err != nil {
		return err
	}
	d := &connectRun{p: p, o: o, m: m, connects: chosen}
	if !w.connects {
		d.connects, d.disconnects = nil, chosen
	}
	if o.only {
		d.disconnects = connectedOthers(m, chosen)
	}
	if len(d.connects)+len(d.disconnects) == 0 && !o.json {
		fmt.Fprintln(p.stderr, o.speak.Text(w.nobody))
	}
	d.plan()
	if o.dryRun {
		return d.print()
	}
	if agreed, err := d.agreed(); err != nil || !agreed {
		return err
	}
	if err := d.carryOut(); err != nil {
		return err
	}
	return d.print()
}

// connectRun is a run of connect or disconnect.
type connectRun struct {
	p                     process
	o                     connectOptions
	m                     connect.Machine
	connects, disconnects []connect.Status
	results               []*connectResult // planned, then done
	link                  linkChange
	linked                *linkResult
	shown                 review
	errorsShown           bool
}

// plan finds out what would change.
func (d *connectRun) plan() {
	o := d.o
	o.dryRun = true
	d.results = d.each(o, nil)
	if !o.noLink {
		d.link = d.linkChange()
	}
	d.linked = plannedLink(d.m, d.link)
	d.shown = newReview(d.m, d.results, d.link, o.speak)
}

// linkChange adds the link with an agent, and removes it with the last one.
func (d *connectRun) linkChange() linkChange {
	link := d.m.Link()
	changes := slices.ContainsFunc(d.results, func(r *connectResult) bool { return len(r.planned) > 0 })
	switch {
	case len(d.connects) > 0 && link.Offered():
		return linkAdded
	case len(d.connects) == 0 && changes && link.State == connect.LinkOurs && len(connectedOthers(d.m, d.disconnects)) == 0:
		return linkRemoved
	}
	return linkKept
}

// each connects and disconnects the agents, except those whose earlier result is an error.
func (d *connectRun) each(o connectOptions, earlier []*connectResult) (results []*connectResult) {
	run := func(do func(connectOptions, connect.Machine, connect.Status) (*connectResult, error), s connect.Status) {
		if i := len(results); i < len(earlier) && earlier[i].Error != "" {
			results = append(results, earlier[i])
			return
		}
		result, err := do(o, d.m, s)
		if err != nil {
			result.Error = inWords(err, o.speak).Error()
		}
		results = append(results, result)
	}
	for _, s := range d.connects {
		run(connectAgent, s)
	}
	for _, s := range d.disconnects {
		run(disconnectAgent, s)
	}
	return results
}

// agreed shows the review and asks, unless nothing changes. With --yes it does not ask.
func (d *connectRun) agreed() (bool, error) {
	switch {
	case d.shown.empty():
		return true, nil
	case d.o.yes:
		if !d.o.json {
			d.shown.write(d.p.stdout)
		}
		return true, nil
	case d.o.json:
		return false, errors.Join(d.print(), wrongUsage(needsYes))
	}
	fmt.Fprintln(d.p.stdout, d.o.speak.Text(reviewHint))
	d.shown.write(d.p.stdout)
	d.errorsShown = true
	d.printErrors()
	return d.shown.ask(d.p, d.o.speak)
}

func (d *connectRun) carryOut() (err error) {
	approvals := d.m.Approvals
	if d.m, err = connectMachine(d.p.env, true); err != nil {
		return err
	}
	d.m.Approvals = approvals
	d.results = d.each(d.o, d.results)
	if d.link == linkAdded && !d.m.Complete() {
		d.link = linkKept // no agent was connected, so the program was not installed
	}
	d.linked = changeLink(d.m, d.link, d.o.speak)
	return nil
}

func (d *connectRun) printErrors() {
	for _, r := range d.results {
		if r.Error != "" {
			fmt.Fprintln(d.p.stderr, r.Error)
		}
	}
}

// print prints what would change in a dry run, or what has changed.
func (d *connectRun) print() error {
	failed := slices.ContainsFunc(d.results, func(r *connectResult) bool { return r.Error != "" }) || d.linked != nil && d.linked.Error != ""
	if d.o.json {
		document := map[string]any{"results": d.results}
		if d.linked != nil {
			document["link"] = d.linked
		}
		if err := printJSON(d.p.stdout, document); err != nil {
			return err
		}
	} else if err := d.printText(); err != nil {
		return err
	}
	if failed {
		return status(exitFailed)
	}
	return nil
}

func (d *connectRun) printText() error {
	if !d.errorsShown {
		d.printErrors()
	}
	if d.o.dryRun {
		d.shown.write(d.p.stdout)
		fmt.Fprint(d.p.stdout, d.shown.lines)
	}
	var lines []string
	for _, r := range d.results {
		lines = append(append(lines, r.Messages...), r.Notes...)
	}
	if d.linked != nil {
		lines = append(lines, d.linked.Messages...)
		if d.linked.Error != "" {
			fmt.Fprintln(d.p.stderr, d.linked.Error)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(d.p.stdout, line); err != nil {
			return err
		}
	}
	return nil
}
