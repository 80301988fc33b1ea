package notice

import (
	"slices"
	"sync"
	"time"

	"followup/internal/protocol"
)

const (
	// patience is how long the user has to see a question by themselves: where the view opens by itself, it has appeared by then.
	patience = 300 * time.Millisecond
	// takeOver is how long a window that has told of a question may be away before another one does.
	takeOver = 10 * time.Second
)

// Board knows all windows, and decides which one tells its user of each question that they do not see.
type Board struct {
	after func(in time.Duration, run func()) (stop func())
	now   func() time.Time

	mu    sync.Mutex
	asked map[key]*asked
}

type key struct{ person, id string }

// asked is a question that waits for a person.
type asked struct {
	key     key
	folders []string
	windows map[*Desk]protocol.Notice // those that have been told that it waits
	by      *Desk                     // the window that has told of it, or in which the user saw it; nil before
	shown   bool                      // that window still tells of it
	stop    func()                    // ends the waiting before the next decision; nil if there is none
}

// New returns a board without windows. After has run called once, in the given time, unless it is stopped before.
func New(after func(in time.Duration, run func()) (stop func()), now func() time.Time) *Board {
	return &Board{after: after, now: now, asked: map[key]*asked{}}
}

// Desk is a window's place at the board.
type Desk struct {
	board    *Board
	person   string
	began    time.Time
	tell     func()
	outside  func(protocol.Notice, Settings)
	window   Window
	settings Settings
	told     []protocol.Notice
	ended    []string
}

// Open adds a window of a person's; it notifies once Attend says so. tell is called when Next has something to return, and outside notifies
// the user outside of the window. Neither may block.
func (b *Board) Open(person string, tell func(), outside func(n protocol.Notice, how Settings)) *Desk {
	return &Desk{board: b, person: person, began: b.now(), tell: tell, outside: outside, settings: Settings{Editor: true}}
}

// Close removes a window. Another one tells of what this one has told, unless it comes back.
func (d *Desk) Close() {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	for _, a := range d.board.asked {
		d.leave(a)
	}
}

// leave removes a window from a question.
func (d *Desk) leave(a *asked) {
	delete(a.windows, d)
	if a.by == d {
		a.by, a.shown = nil, false
		d.board.decideIn(a, takeOver)
	}
	if len(a.windows) == 0 {
		a.cancel()
		delete(d.board.asked, a.key)
	}
}

func (a *asked) cancel() {
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}

// Asked notes that a question waits for the user. One from before this window is old, and the user finds it.
func (d *Desk) Asked(n protocol.Notice, folders []string, at time.Time) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	if !at.Before(d.began) {
		d.add(n, folders)
	}
}

func (d *Desk) add(n protocol.Notice, folders []string) *asked {
	k := key{d.person, n.QuestionID}
	a := d.board.asked[k]
	if a == nil {
		a = &asked{key: k, folders: folders, windows: map[*Desk]protocol.Notice{}}
		d.board.asked[k] = a
	}
	a.windows[d] = n
	d.board.decideIn(a, patience)
	return a
}

// Over notes that a question does not wait any more: what was told of it goes.
func (d *Desk) Over(id string) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	if a := d.board.asked[key{d.person, id}]; a != nil {
		if a.by == d {
			a.hide()
		}
		d.leave(a)
	}
}

// Adopt notes that the window still tells of a question that waits, since it was connected before.
func (d *Desk) Adopt(n protocol.Notice, folders []string) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	switch a := d.add(n, folders); a.by {
	case d:
	case nil:
		a.cancel()
		a.by, a.shown = d, true
		d.board.look(a)
	default: // another one tells of it by now
		d.end(n.QuestionID)
	}
}

// End has the window tell no longer of a question that does not wait.
func (d *Desk) End(id string) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	d.end(id)
}

func (d *Desk) end(id string) {
	d.ended = append(d.ended, id)
	d.tell()
}

// Attend notes how it stands with the window. What the user sees in it now is told no longer.
func (d *Desk) Attend(w Window) {
	d.change(func() {
		w.Left = d.window.Left
		if d.window.Focused && !w.Focused {
			w.Left = d.board.now()
		}
		d.window = w
	})
}

// Configure notes how the user wants to be told.
func (d *Desk) Configure(s Settings) { d.change(func() { d.settings = s }) }

func (d *Desk) change(do func()) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	do()
	for _, a := range d.board.asked {
		if _, knows := a.windows[d]; knows {
			d.board.look(a)
			d.board.decideIn(a, patience)
		}
	}
}

// Next gives what the window has to be told now; false when there is nothing.
func (d *Desk) Next() (change protocol.NoticeChange, any bool) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	change.Told, change.Ended = d.told, d.ended
	d.told, d.ended = nil, nil
	return change, len(change.Told)+len(change.Ended) > 0
}

// look takes back what is told of a question that the user sees, or that the window is not to tell of.
func (b *Board) look(a *asked) {
	seen := a.by != nil && !a.by.settings.Editor
	for d := range a.windows {
		seen = seen || d.window.Of(a.key.id).Sees()
	}
	if seen {
		a.hide()
	}
}

// hide takes back what a window was told.
func (a *asked) hide() {
	if !a.shown {
		return
	}
	a.shown = false
	is := func(n protocol.Notice) bool { return n.QuestionID == a.key.id }
	if d := a.by; slices.ContainsFunc(d.told, is) { // it was not told yet
		d.told = slices.DeleteFunc(d.told, is)
	} else {
		d.end(a.key.id)
	}
}

// decideIn decides in some time who tells of a question, unless somebody has, or that is under way.
func (b *Board) decideIn(a *asked, in time.Duration) {
	if a.by == nil && a.stop == nil {
		a.stop = b.after(in, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			if a.stop != nil {
				a.stop = nil
				b.decide(a)
			}
		})
	}
}

// decide has the best window tell of a question. If none can, the next change of a window decides again.
func (b *Board) decide(a *asked) {
	id := a.key.id
	for d := range a.windows {
		if w := d.window.Of(id); w.Reaches(d.settings) && (a.by == nil || w.Before(a.by.window.Of(id), a.folders)) {
			a.by = d
		}
	}
	if a.by == nil {
		return
	}
	d, n := a.by, a.windows[a.by]
	how := How(d.window.Of(id), d.settings)
	if how.Editor {
		a.shown = true
		d.told = append(d.told, n)
		d.tell()
	}
	if how.Desktop || how.Sound {
		d.outside(n, how)
	}
}
