// Package notice decides which window notifies the user of a question that they cannot see, when, and how.
package notice

import (
	"cmp"
	"slices"
	"time"

	"followup/internal/protocol"
)

// Window is the state of a client's window.
type Window struct {
	Notifies bool // it can notify the user at all
	// Focused means that it has the focus, Visible that the questions are on its screen.
	Focused, Visible bool
	Questions        []string  // ids of questions shown in their own tabs
	Left             time.Time // when it last had the focus; zero if never
	Folders          []protocol.WorkspaceFolder
}

// Settings are how the user wants to be notified: in the window, by the desktop, and by a sound.
type Settings struct{ Editor, Desktop, Sound bool }

// Sees reports whether the user sees the question in the window.
func (w Window) Sees() bool { return w.Focused && w.Visible }

// Of returns the state of the window for one question.
func (w Window) Of(id string) Window {
	w.Visible = w.Visible || slices.Contains(w.Questions, id)
	return w
}

// Reaches reports whether the user would notice a question through the window.
func (w Window) Reaches(s Settings) bool { return w.Notifies && (w.Sees() || How(w, s) != Settings{}) }

// Before reports whether a window suits a question better than another: the user sees the question there, its workspace asks, or it
// had the focus last.
func (w Window) Before(other Window, folders []protocol.WorkspaceFolder) bool {
	rank := func(w Window) int {
		switch {
		case w.Sees():
			return 0
		case Overlap(folders, w.Folders):
			return 1
		case w.Focused:
			return 2
		}
		return 3
	}
	return cmp.Or(rank(w)-rank(other), other.Left.Compare(w.Left)) < 0
}

// Overlap reports whether two lists have a folder in common.
func Overlap(some, others []protocol.WorkspaceFolder) bool {
	return slices.ContainsFunc(some, func(one protocol.WorkspaceFolder) bool {
		return slices.ContainsFunc(others, func(other protocol.WorkspaceFolder) bool { return one.URI == other.URI })
	})
}

// How returns how a window notifies the user: not at all if they see the question, and only inside the window while it has the focus.
func How(w Window, s Settings) Settings {
	switch {
	case w.Sees():
		return Settings{}
	case w.Focused:
		return Settings{Editor: s.Editor}
	}
	s.Editor = s.Editor && !w.Visible // the user sees it when they return
	return s
}
