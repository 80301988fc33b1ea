package notice

import (
	"slices"
	"sync"
	"time"

	"followup/internal/protocol"
)

// Options are what a desk runs on.
type Options struct {
	// Claim makes this desk the one that notifies the user of a question, unless another one is; Unclaim gives that up.
	Claim   func(id string) bool
	Unclaim func(ids []string)
	// Tell is called when there is something to tell the window: Next is to be called when the line is free. It must not block.
	Tell func()
	// Desktop tells outside of the window, as far as it is told to. It may take its time.
	Desktop func(n protocol.Notice, how Settings)
	// After has run called once, in the given time, unless it is stopped before; Go has it called beside.
	After func(in time.Duration, run func()) (stop func())
	Go    func(run func())
	// Now is the clock.
	Now func() time.Time
	// Retry is how often a desk tries to claim a question that another one has claimed.
	Retry time.Duration
}

// Desk is what one process knows of the questions that its user may have to be told of, each once.
type Desk struct {
	options Options
	began   time.Time

	mu       sync.Mutex
	window   Window
	settings Settings
	waiting  map[string]*asked
	told     []protocol.Notice
	ended    []string
	over     []string // to be unclaimed
}

// asked is a question that waits for the user.
type asked struct {
	notice  protocol.Notice
	folders []string
	stop    func() // ends the bid; nil while none runs
	ours    bool   // this process has the right to tell of it, and has done so if that was needed
	refused int    // how often another one had it
	shown   bool   // the window tells of it
	adopted bool   // it does so since a process before this one
}

// New makes a desk for a window that cannot tell of anything before Attend says so.
func New(o Options) *Desk {
	return &Desk{options: o, began: o.Now(), settings: Settings{Editor: true}, waiting: map[string]*asked{}}
}

// Asked notes that a question waits for the user. One that was asked before this process began is old: somebody was told of it, or
// finds it when they look.
func (d *Desk) Asked(n protocol.Notice, folders []string, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting[n.QuestionID] != nil || at.Before(d.began) {
		return
	}
	a := &asked{notice: n, folders: folders}
	d.waiting[n.QuestionID] = a
	d.bid(a, 0)
}

// Over notes that a question does not wait any more: what was told of it goes.
func (d *Desk) Over(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.waiting[id]
	if a == nil {
		return
	}
	delete(d.waiting, id)
	d.unbid(a)
	d.hide(a)
	if a.ours {
		d.unclaim(id)
	}
}

// Adopt notes that the window still tells of a question that waits, since a process before this one: this one ends that.
func (d *Desk) Adopt(n protocol.Notice, folders []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.waiting[n.QuestionID]
	if a == nil {
		a = &asked{notice: n, folders: folders}
		d.waiting[n.QuestionID] = a
	}
	if a.ours {
		return
	}
	a.shown, a.adopted = true, true
	if d.seen(a) {
		d.hide(a)
	}
	d.bid(a, 0)
}

// End has the window tell no longer of a question that does not wait.
func (d *Desk) End(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = append(d.ended, id)
	d.options.Tell()
}

// Attend notes how it stands with the window. What the user sees in it now is told no longer.
func (d *Desk) Attend(w Window) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.Left = d.window.Left
	if d.window.Focused && !w.Focused {
		w.Left = d.options.Now()
	}
	before := d.window
	d.window = w
	for id, a := range d.waiting {
		if d.seen(a) {
			d.hide(a)
		}
		was, is := before.Of(id), w.Of(id)
		if was.Tells != is.Tells || was.Sees() != is.Sees() || was.Reaches(d.settings) != is.Reaches(d.settings) {
			d.bid(a, 0)
		}
	}
}

// seen tells whether the user sees a question in the window.
func (d *Desk) seen(a *asked) bool { return d.window.Of(a.notice.QuestionID).Sees() }

// reaches tells whether the user would come to know of a question by the window.
func (d *Desk) reaches(a *asked) bool {
	return d.window.Of(a.notice.QuestionID).Reaches(d.settings)
}

// Configure notes how the user wants to be told.
func (d *Desk) Configure(s Settings) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.settings
	d.settings = s
	for id, a := range d.waiting {
		if !s.Editor {
			d.hide(a)
		}
		if d.window.Of(id).Reaches(before) != d.reaches(a) {
			d.bid(a, 0)
		}
	}
}

// Next gives what the window has to be told now; false when there is nothing.
func (d *Desk) Next() (change protocol.NoticeChange, any bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change.Told, change.Ended = d.told, d.ended
	d.told, d.ended = nil, nil
	return change, len(change.Told)+len(change.Ended) > 0
}

// bid lets the others come first, for some time more than the given one, and claims the question then. Where nothing would be told, the
// question stays theirs.
func (d *Desk) bid(a *asked, more time.Duration) {
	d.unbid(a)
	if !d.reaches(a) || a.ours {
		return
	}
	window := d.window.Of(a.notice.QuestionID)
	a.stop = d.options.After(more+Bid(window, a.folders, d.options.Now()), func() { d.claim(a) })
}

func (d *Desk) unbid(a *asked) {
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}

// waits tells whether a question still waits.
func (d *Desk) waits(a *asked) bool { return d.waiting[a.notice.QuestionID] == a }

func (d *Desk) claim(a *asked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.waits(a) || !d.reaches(a) || a.ours {
		return
	}
	if a.ours = d.options.Claim(a.notice.QuestionID); a.ours {
		d.tell(a)
		return
	}
	if a.refused++; a.refused > 1 {
		a.adopted = false
		d.hide(a) // by now it is not the sidecar before this one that has it
	}
	d.bid(a, d.options.Retry) // the other one may end
}

// tell tells of a question that is this process's to tell of.
func (d *Desk) tell(a *asked) {
	if a.adopted {
		return // it is told already
	}
	how := How(d.window.Of(a.notice.QuestionID), d.settings)
	if how.Editor {
		a.shown = true
		d.told = append(d.told, a.notice)
		d.options.Tell()
	}
	if how.Desktop || how.Sound {
		d.options.Go(func() { d.options.Desktop(a.notice, how) })
	}
}

// hide takes back what the window was told.
func (d *Desk) hide(a *asked) {
	if !a.shown {
		return
	}
	a.shown = false
	id := a.notice.QuestionID
	if at := slices.IndexFunc(d.told, func(n protocol.Notice) bool { return n.QuestionID == id }); at >= 0 {
		d.told = slices.Delete(d.told, at, at+1) // it was not told yet
		return
	}
	d.ended = append(d.ended, id)
	d.options.Tell()
}

// unclaim gives up what is over, together with what else is by then: the others have heard of its end before they could claim it.
func (d *Desk) unclaim(id string) {
	if d.over = append(d.over, id); len(d.over) > 1 {
		return
	}
	d.options.After(d.options.Retry, func() {
		d.mu.Lock()
		over := d.over
		d.over = nil
		d.mu.Unlock()
		d.options.Unclaim(over)
	})
}
