// Package notice decides which of all windows tells the user of a question that they cannot see, when, and how. Which one that is, is
// agreed by bids: the window that suits best waits the least before it claims the question for itself, and a claim is one window's alone.
package notice

import (
	"slices"
	"time"
)

// Window is how it stands with the window that a process is for.
type Window struct {
	// Tells tells whether it can tell the user of a question at all.
	Tells bool
	// Focused tells that it has the focus, Visible that the questions are on its screen.
	Focused, Visible bool
	// Questions are the ids of those that are on its screen by themselves.
	Questions []string
	// Left is when it last had the focus; zero: it never had.
	Left time.Time
	// Folders are its workspace folders, as URIs.
	Folders []string
}

// Settings are how the user wants to be told.
type Settings struct {
	// Editor is by the window itself.
	Editor bool
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

// What the windows leave each other, each of them longer than it usually takes to hear of another one's claim.
const (
	asOwn       = 300 * time.Millisecond // in this time the view has appeared, where it does so by itself
	asOther     = 700 * time.Millisecond
	leftLongAgo = 700 * time.Millisecond // at most, on top of that
	halfOfIt    = 2 * time.Minute        // a window that was left so long ago waits half of that
)

// Bid is how long a window leaves a question with these folders to the others: not at all where the user sees it; then comes the window
// of the workspace that asks, then the one that had the focus last. A question without folders is every window's.
func Bid(w Window, folders []string, now time.Time) time.Duration {
	switch {
	case w.Sees():
		return 0
	case slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(w.Folders, folder) }):
		return asOwn
	case w.Focused:
		return asOther
	case w.Left.IsZero():
		return asOther + leftLongAgo
	}
	ago := max(0, now.Sub(w.Left))
	return asOther + leftLongAgo/20 + time.Duration(float64(leftLongAgo)*0.95*float64(ago)/float64(ago+halfOfIt))
}

// How is how a window that has the right to tells of a question: not at all where the user sees it, and otherwise than in the window only
// where that does not have the focus.
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
