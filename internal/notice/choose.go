// Package notice decides which of all windows tells the user of a question that they cannot see, when, and how.
package notice

import (
	"cmp"
	"slices"
	"time"
)

// Window is how it stands with the window that a process is for.
type Window struct {
	Tells bool // whether it can tell the user of a question at all
	// Focused tells that it has the focus, Visible that the questions are on its screen.
	Focused, Visible bool
	// Questions are the ids of those that are on its screen by themselves.
	Questions []string
	Left      time.Time // when it last had the focus; zero: it never had
	Folders   []string  // its workspace folders, as URIs
}

// Settings are how the user wants to be told.
type Settings struct {
	Editor bool // by the window itself
	// Desktop is by the system's own notices, Sound by a sound.
	Desktop, Sound bool
}

// Sees tells whether the user sees in the window what is asked.
func (w Window) Sees() bool { return w.Focused && w.Visible }

// Of is how it stands with the window for one question.
func (w Window) Of(id string) Window {
	w.Visible = w.Visible || slices.Contains(w.Questions, id)
	return w
}

// Reaches tells whether the user would come to know of a question by the window.
func (w Window) Reaches(s Settings) bool { return w.Tells && (w.Sees() || How(w, s) != Settings{}) }

// Before reports whether a window suits a question better than another: the user sees it there, its workspace asks, or it had the focus
// last.
func (w Window) Before(other Window, folders []string) bool {
	rank := func(w Window) int {
		switch {
		case w.Sees():
			return 0
		case slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(w.Folders, folder) }):
			return 1
		case w.Focused:
			return 2
		}
		return 3
	}
	return cmp.Or(rank(w)-rank(other), other.Left.Compare(w.Left)) < 0
}

// How is how a window notifies the user: not at all if they see the question, and only inside the window while it has the focus.
func How(w Window, s Settings) Settings {
	switch {
	case w.Sees():
		return Settings{}
	case w.Focused:
		return Settings{Editor: s.Editor}
	}
	s.Editor = s.Editor && !w.Visible // it stands there when the user comes back
	return s
}
