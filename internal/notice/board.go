package notice

import (
	"slices"
	"sync"
	"time"

	"followup/internal/protocol"
)

const (
	// patience is how long a question waits, before a notification, for a view that opens by itself.
	patience = 300 * time.Millisecond
	// takeOver is how long a window that has notified the user may be gone before another one notifies.
	takeOver = 10 * time.Second
)

// Board knows all windows, and chooses the one that notifies the user of each question that they do not see. If no window shows the
// question in time, the last notifiers do, such as a phone without an open page.
type Board struct {
	after func(in time.Duration, run func())
	now   func() time.Time

	mu        sync.Mutex
	questions map[key]*question
}

type key struct{ person, id string }

// question is a question that waits for a person.
type question struct {
	key     key
	folders []protocol.WorkspaceFolder
	windows map[*Desk]protocol.Notice // those that may notify
	by      *Desk                     // the window that has notified, or in which the user saw it; nil if none
	shown   bool                      // that window still shows the notice
	due     time.Time                 // of the next decision; zero if there is none
	last    map[*Desk]lastState       // of last notifiers
}

// lastState is a last notifier's state for a question.
type lastState int

const (
	waiting lastState = iota // until its delay has passed
	late                     // its delay has passed while a window showed the question
	notified
)

// New returns a board without windows. after must call run once, after the given time.
func New(after func(in time.Duration, run func()), now func() time.Time) *Board {
	return &Board{after: after, now: now, questions: map[key]*question{}}
}

// Desk is a window, or a last notifier, at the board.
type Desk struct {
	board    *Board
	person   string
	opened   time.Time
	wake     func()
	outside  func(protocol.Notice, Settings)
	window   Window
	settings Settings
	next     protocol.NoticeChange
	last     *LastNotifier // nil for a window
}

// LastNotifier notifies a person of questions that no window shows. Its functions must not block.
type LastNotifier struct {
	// After is how long a question waits for an answer or another notifier.
	After time.Duration
	// Notify is called once for each question, and End when a question that it was called with closes.
	Notify func(protocol.Notice)
	End    func(id string)
}

// Open adds a window of a person; it notifies once Attend allows it. wake is called when Next has something to return, and outside
// notifies the user outside of the window. Neither may block.
func (b *Board) Open(person string, wake func(), outside func(n protocol.Notice, how Settings)) *Desk {
	return &Desk{board: b, person: person, opened: b.now(), wake: wake, outside: outside, settings: Settings{Editor: true}}
}

// OpenLast adds a last notifier of a person.
func (b *Board) OpenLast(person string, last LastNotifier) *Desk {
	return &Desk{board: b, person: person, opened: b.now(), last: &last}
}

// Close removes a window. Another one repeats its notifications, unless it reconnects in time.
func (d *Desk) Close() {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	for _, q := range d.board.questions {
		d.leave(q)
	}
}

// leave removes a window from a question.
func (d *Desk) leave(q *question) {
	delete(q.windows, d)
	delete(q.last, d)
	d.board.hurry(q)
	if q.by == d {
		q.by, q.shown = nil, false
		d.board.decideIn(q, takeOver)
	}
	if len(q.windows) == 0 {
		delete(d.board.questions, q.key)
	}
}

// Opened returns when the window was opened.
func (d *Desk) Opened() time.Time { return d.opened }

// Asked adds a question that waits for the user.
func (d *Desk) Asked(n protocol.Notice, folders []protocol.WorkspaceFolder) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	d.add(n, folders)
}

func (d *Desk) add(n protocol.Notice, folders []protocol.WorkspaceFolder) *question {
	k := key{d.person, n.QuestionID}
	q := d.board.questions[k]
	if q == nil {
		q = &question{key: k, folders: folders, windows: map[*Desk]protocol.Notice{}}
		d.board.questions[k] = q
	}
	q.windows[d] = n
	if d.last == nil {
		d.board.decideIn(q, patience)
	} else if _, known := q.last[d]; !known {
		d.board.notifyLast(q, d)
	}
	return q
}

// notifyLast makes a last notifier notify its person of a question after its delay, if no window shows the question then.
func (b *Board) notifyLast(q *question, d *Desk) {
	if q.last == nil {
		q.last = map[*Desk]lastState{}
	}
	q.last[d] = waiting
	b.after(d.last.After, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if state, open := q.last[d]; !open || state != waiting {
			return
		}
		if q.seen() {
			q.last[d] = late
			return
		}
		q.last[d] = notified
		d.last.Notify(q.windows[d])
	})
}

// hurry restarts the last notifiers whose delay has passed while a window showed the question, if none shows it now.
func (b *Board) hurry(q *question) {
	for d, state := range q.last {
		if state == late && !q.seen() {
			b.notifyLast(q, d)
		}
	}
}

// seen reports whether a window shows the question to its user.
func (q *question) seen() bool {
	for d := range q.windows {
		if d.window.Of(q.key.id).Sees() {
			return true
		}
	}
	return false
}

// Closed removes a question that no longer waits, and its notification.
func (d *Desk) Closed(id string) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	if q := d.board.questions[key{d.person, id}]; q != nil {
		if q.by == d {
			q.withdraw()
		}
		if q.last[d] == notified {
			d.last.End(id)
		}
		d.leave(q)
	}
}

// Resume adds a question whose notification the window still shows from an earlier connection.
func (d *Desk) Resume(n protocol.Notice, folders []protocol.WorkspaceFolder) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	switch q := d.add(n, folders); q.by {
	case d:
	case nil:
		q.by, q.shown, q.due = d, true, time.Time{}
		d.board.withdrawSeen(q)
	default: // another one has notified meanwhile
		d.end(n.QuestionID)
	}
}

// End removes the notification of a question that does not wait.
func (d *Desk) End(id string) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	d.end(id)
}

func (d *Desk) end(id string) {
	d.next.Ended = append(d.next.Ended, id)
	d.wake()
}

// Attend sets the state of the window. Notifications of questions that the user now sees in it are removed.
func (d *Desk) Attend(w Window) {
	d.change(func() {
		w.Left = d.window.Left
		if d.window.Focused && !w.Focused {
			w.Left = d.board.now()
		}
		d.window = w
	})
}

// Configure sets how the user wants to be notified.
func (d *Desk) Configure(s Settings) { d.change(func() { d.settings = s }) }

func (d *Desk) change(do func()) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	do()
	for _, q := range d.board.questions {
		if _, knows := q.windows[d]; knows {
			d.board.withdrawSeen(q)
			d.board.decideIn(q, patience)
			d.board.hurry(q)
		}
	}
}

// Next returns what the window must show and remove now; false if there is nothing.
func (d *Desk) Next() (change protocol.NoticeChange, any bool) {
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	change, d.next = d.next, protocol.NoticeChange{}
	return change, len(change.Notices)+len(change.Ended) > 0
}

// withdrawSeen removes the notification of a question that the user sees, or that the window must no longer show.
func (b *Board) withdrawSeen(q *question) {
	if q.seen() || q.by != nil && !q.by.settings.Editor {
		q.withdraw()
	}
}

func (q *question) withdraw() {
	if !q.shown {
		return
	}
	q.shown = false
	next := &q.by.next
	unsent := len(next.Notices)
	next.Notices = slices.DeleteFunc(next.Notices, func(n protocol.Notice) bool { return n.QuestionID == q.key.id })
	if len(next.Notices) == unsent {
		q.by.end(q.key.id)
	}
}

// decideIn schedules the choice of the window that notifies the user, unless one has notified, or the choice is scheduled.
func (b *Board) decideIn(q *question, in time.Duration) {
	if q.by != nil || !q.due.IsZero() {
		return
	}
	q.due = b.now().Add(in)
	b.after(in, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if !q.due.IsZero() && !b.now().Before(q.due) {
			q.due = time.Time{}
			b.decide(q)
		}
	})
}

// decide makes the best window notify the user. If none can, the next change of a window decides again.
func (b *Board) decide(q *question) {
	id := q.key.id
	for d := range q.windows {
		if w := d.window.Of(id); w.Reaches(d.settings) && (q.by == nil || w.Before(q.by.window.Of(id), q.folders)) {
			q.by = d
		}
	}
	if q.by == nil {
		return
	}
	d, n := q.by, q.windows[q.by]
	how := How(d.window.Of(id), d.settings)
	if how.Editor {
		q.shown = true
		d.next.Notices = append(d.next.Notices, n)
		d.wake()
	}
	if how.Desktop || how.Sound {
		d.outside(n, how)
	}
}
