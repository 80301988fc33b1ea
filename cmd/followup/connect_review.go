package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"followup/internal/archive"
	"followup/internal/connect"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// review has the changes of agents' files before they are written, for the editor's list and for the terminal.
type review struct {
	items []protocol.GuideItem
	lines string // all changes as a unified diff
}

const linkPurpose locale.Key = "a link by which every terminal finds followup"

const reviewHint locale.Key = "Nothing is written yet. ⚠ marks additional settings, such as hooks"

// Icons of the items.
const (
	iconNew     = "new-file"
	iconChanged = "edit"
	iconRemoved = "trash"
	iconWarning = "warning"
)

// newReview returns the review of planned results, and of a change of the link.
func newReview(m connect.Machine, results []*connectResult, link linkChange, speak locale.Tag) (r review) {
	installs := false
	for _, result := range results {
		installs = installs || result.installs
		for i, change := range result.planned {
			r.lines += result.Files[i].Diff
			r.items = append(r.items, protocol.GuideItem{Label: shortName(m, change.Name), Description: result.Name, Icon: changeIcon(change)})
			for _, setting := range change.Beyond {
				r.items = append(r.items, protocol.GuideItem{
					Label: setting.At, Description: "= " + setting.Value, Icon: iconWarning,
					Detail: speak.Text("Also set {0}", speak.Text(setting.Why)),
				})
			}
		}
	}
	if installs {
		r.items = append(r.items, protocol.GuideItem{
			Label: shortName(m, m.Program()), Icon: iconNew, Detail: speak.Text("The program that agents start, and its plugins"),
		})
	}
	switch l := m.Link(); link {
	case linkAdded:
		item := protocol.GuideItem{Label: shortName(m, l.Name), Description: speak.Text(linkPurpose), Icon: iconNew}
		if !l.OnPath {
			item.Detail = pathAdvice(m, l, speak)
		}
		r.items = append(r.items, item)
	case linkRemoved:
		r.items = append(r.items, protocol.GuideItem{Label: shortName(m, l.Name), Description: speak.Text(linkPurpose), Icon: iconRemoved})
	case linkKept:
	}
	return r
}

func changeIcon(c connect.Change) string {
	switch {
	case c.Created:
		return iconNew
	case c.Removed:
		return iconRemoved
	}
	return iconChanged
}

func (r review) empty() bool { return len(r.items) == 0 }

// signs are the icons in a terminal.
var signs = map[string]string{iconNew: "+", iconChanged: "~", iconRemoved: "-", iconWarning: "⚠"}

// write prints the items, each with its detail on a line of its own.
func (r review) write(to io.Writer) {
	for _, item := range r.items {
		line := signs[item.Icon] + " " + item.Label
		switch {
		case item.Icon == iconWarning:
			line += " " + item.Description
		case item.Description != "":
			line += " (" + item.Description + ")"
		}
		fmt.Fprintln(to, archive.Inline(line))
		if item.Detail != "" {
			fmt.Fprintln(to, "    "+archive.Inline(item.Detail))
		}
	}
}

const (
	// needsYes is the usage error of a command that would have to ask a script.
	needsYes = "nothing was changed; without a terminal to ask on, add --yes, or --dry-run to see every line"

	askWrite locale.Key = "Write these changes? y: yes, d: show every line, n: no"
	declined locale.Key = "Nothing was changed."
)

// ask asks on the terminal whether to make the changes. Without a terminal, that is a usage error.
func (r review) ask(p process, speak locale.Tag) (bool, error) {
	return askOnTerminal(p, speak, askWrite, r.lines)
}

// askOnTerminal asks for y or n, or for d to see the lines. Anything else than y declines, which ends the command with exitFailed.
func askOnTerminal(p process, speak locale.Tag, question locale.Key, lines string) (bool, error) {
	in, ok := p.stdin.(*os.File)
	if !ok || !isTerminal(in) || !isTerminal(p.stdout) || !foreground(in) {
		return false, wrongUsage(needsYes)
	}
	p.forgetTyped()
	answers := bufio.NewReader(in)
	for {
		fmt.Fprint(p.stdout, speak.Text(question), " ")
		answer, err := answers.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return true, nil
		case "d":
			fmt.Fprint(p.stdout, lines)
			continue
		}
		if err != nil {
			fmt.Fprintln(p.stdout) // the user has ended the input
		}
		fmt.Fprintln(p.stderr, speak.Text(declined))
		return false, status(exitFailed)
	}
}

// linkChange is what happens to the link by which terminals find the program.
type linkChange int

const (
	linkKept linkChange = iota
	linkAdded
	linkRemoved
)

// linkResult is the result for the link.
type linkResult struct {
	Path     string   `json:"path"`
	Created  bool     `json:"created,omitempty"`
	Removed  bool     `json:"removed,omitempty"`
	Messages []string `json:"messages"`
	Error    string   `json:"error,omitempty"`
}

// plannedLink returns what a change of the link would do; nil if nothing.
func plannedLink(m connect.Machine, change linkChange) *linkResult {
	if change == linkKept {
		return nil
	}
	return &linkResult{Path: m.Link().Name, Created: change == linkAdded, Removed: change == linkRemoved, Messages: []string{}}
}

// changeLink creates or removes the link; it returns nil if it stays as it is.
func changeLink(m connect.Machine, change linkChange, speak locale.Tag) *linkResult {
	r := plannedLink(m, change)
	var err error
	switch change {
	case linkAdded:
		err = m.AddLink()
		r.Messages = append(r.Messages, speak.Text("created: {0}", r.Path))
		if l := m.Link(); !l.OnPath {
			r.Messages = append(r.Messages, pathAdvice(m, l, speak))
		}
	case linkRemoved:
		err = m.RemoveLink()
		r.Messages = append(r.Messages, speak.Text("removed: {0}", r.Path))
	case linkKept:
	}
	if err != nil {
		r = &linkResult{Path: r.Path, Messages: []string{}, Error: inWords(err, speak).Error()}
	}
	return r
}

// pathAdvice says how to put the link's folder on the PATH.
func pathAdvice(m connect.Machine, l connect.Link, speak locale.Tag) string {
	line, file := m.PathAdvice()
	return speak.Text("{0} is not on your PATH: log in again or, if that does not help, add this line to {1}: {2}", shortName(m, filepath.Dir(l.Name)), file, line)
}
