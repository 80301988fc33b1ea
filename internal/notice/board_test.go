package notice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"followup/internal/protocol"
)

// world is a board with a manual clock, and its events in order.
type world struct {
	t     *testing.T
	board *Board
	now   time.Time
	due   []*timer
	log   []string
}

type timer struct {
	at  time.Time
	run func()
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, now: time.UnixMilli(1e12)}
	w.board = New(w.after, func() time.Time { return w.now })
	return w
}

// desk opens a window that can notify.
func (w *world) desk(name string, window Window) *Desk {
	var d *Desk
	note := func(format string, args ...any) { w.log = append(w.log, name+" "+fmt.Sprintf(format, args...)) }
	d = w.board.Open("me", func() {
		w.after(0, func() {
			change, _ := d.Next()
			for _, id := range change.Ended {
				note("ends %s", id)
			}
			for _, n := range change.Notices {
				note("shows %s", n.QuestionID)
			}
		})
	}, func(n protocol.Notice, how Settings) {
		w.after(0, func() { note("outside %s desktop=%v sound=%v", n.QuestionID, how.Desktop, how.Sound) })
	})
	window.Notifies = true
	d.Configure(Settings{Editor: true, Desktop: true, Sound: true})
	d.Attend(window)
	return d
}

func (w *world) after(in time.Duration, run func()) {
	w.due = append(w.due, &timer{at: w.now.Add(in), run: run})
}

// forward advances the clock, and runs what is due in order.
func (w *world) forward(by time.Duration) {
	end := w.now.Add(by)
	for {
		slices.SortStableFunc(w.due, func(a, b *timer) int { return a.at.Compare(b.at) })
		if len(w.due) == 0 || w.due[0].at.After(end) {
			break
		}
		next := w.due[0]
		w.due = w.due[1:]
		w.now = next.at
		next.run()
	}
	w.now = end
}

func (w *world) ask(id string, desks ...*Desk) {
	for _, d := range desks {
		d.Asked(protocol.Notice{QuestionID: id}, []protocol.WorkspaceFolder{{URI: "file:///w"}})
	}
}

func (w *world) want(when string, log ...string) {
	w.t.Helper()
	got, want := strings.Join(w.log, "; "), strings.Join(log, "; ")
	if got != want {
		w.t.Errorf("%s:\ngot  %s\nwant %s", when, got, want)
	}
	w.log = nil
}

var (
	focused = Window{Focused: true}
	seeing  = Window{Focused: true, Visible: true}
	asking  = Window{Folders: []protocol.WorkspaceFolder{{URI: "file:///w"}}}
)

func TestOneWindowNotifies(t *testing.T) {
	w := newWorld(t)
	a, b, c := w.desk("a", Window{}), w.desk("b", asking), w.desk("c", focused)
	w.ask("1", a, b, c)
	w.forward(time.Minute)
	w.want("the window with the workspace", "b shows 1", "b outside 1 desktop=true sound=true")
	b.Asked(protocol.Notice{QuestionID: "1"}, nil)
	w.forward(time.Minute)
	w.want("asked again")
	for _, d := range []*Desk{a, b, c} {
		d.Closed("1")
	}
	w.forward(time.Minute)
	w.want("closed", "b ends 1")
	if len(w.board.questions) > 0 {
		t.Errorf("still known: %v", w.board.questions)
	}
	b.Attend(Window{})
	w.ask("2", a, b, c)
	w.forward(time.Minute)
	w.want("no window has the workspace", "c shows 2")
}

func TestTheLastWindowNotifies(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", focused), w.desk("b", Window{})
	a.Attend(Window{Notifies: true})
	w.forward(time.Second)
	w.ask("1", a, b)
	w.forward(time.Minute)
	w.want("the window that had the focus last", "a shows 1", "a outside 1 desktop=true sound=true")
}

func TestNoNoticeOfSeenQuestions(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", asking), w.desk("b", seeing)
	w.ask("1", a, b)
	w.forward(time.Minute)
	w.want("seen in another window")
	b.Attend(Window{Notifies: true, Focused: true})
	w.forward(time.Minute)
	w.want("seen before")
	w.ask("2", b)
	w.forward(time.Minute)
	w.want("another view has the focus", "b shows 2")
	b.Attend(Window{Notifies: true, Focused: true, Visible: true})
	w.forward(time.Minute)
	w.want("seen now", "b ends 2")
	b.Closed("2")
	w.forward(time.Minute)
	w.want("closed")
}

// The view opens by itself just after the question arrives.
func TestViewAppears(t *testing.T) {
	w := newWorld(t)
	a := w.desk("a", Window{Focused: true, Folders: asking.Folders})
	w.ask("1", a)
	w.forward(patience / 2)
	a.Attend(Window{Notifies: true, Focused: true, Visible: true, Folders: asking.Folders})
	w.forward(time.Minute)
	w.want("seen in time")
}

func TestNotifyingWindowCloses(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", asking), w.desk("b", Window{})
	w.ask("1", a, b)
	w.forward(takeOver / 2)
	w.want("notified", "a shows 1", "a outside 1 desktop=true sound=true")
	w.forward(5 * takeOver)
	w.want("while the window is open")
	a.Close()
	w.forward(takeOver / 2)
	a = w.desk("a", asking)
	a.Resume(protocol.Notice{QuestionID: "1"}, nil)
	a.Close()
	w.forward(takeOver * 3 / 4)
	w.want("closed, reopened and closed again")
	w.forward(takeOver)
	w.want("taken over", "b shows 1", "b outside 1 desktop=true sound=true")
}

func TestNoNotice(t *testing.T) {
	w := newWorld(t)
	a := w.desk("a", asking)
	w.ask("1", a)
	a.Closed("1")
	w.forward(time.Minute)
	w.want("answered immediately")

	a.Attend(Window{})
	w.ask("2", a)
	w.forward(time.Minute)
	w.want("it cannot notify")
	a.Attend(Window{Notifies: true})
	w.forward(time.Minute)
	w.want("now it can notify", "a shows 2", "a outside 2 desktop=true sound=true")
	a.Configure(Settings{})
	w.forward(time.Minute)
	w.want("notifications are off", "a ends 2")
	w.ask("3", a)
	w.forward(time.Minute)
	w.want("another question")
}

// A window that would not notify leaves the question to another one.
func TestWindowThatCannotNotify(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", Window{Visible: true, Folders: asking.Folders}), w.desk("b", focused)
	for _, d := range []*Desk{a, b} {
		d.Configure(Settings{Editor: true})
	}
	w.ask("1", a, b)
	w.forward(time.Minute)
	w.want("the window with the workspace is in the background, its view open", "b shows 1")

	b.Closed("1")
	a.Closed("1")
	w.forward(time.Minute)
	w.want("closed", "b ends 1")
	b.Attend(Window{})
	w.ask("2", a)
	w.forward(time.Minute)
	w.want("no window can notify")
	a.Attend(Window{Notifies: true, Folders: asking.Folders})
	w.forward(time.Minute)
	w.want("the view is hidden", "a shows 2")
	a.Closed("2")
	w.forward(time.Minute)
	w.want("closed", "a ends 2")
	a.Configure(Settings{})
	w.ask("3", a)
	w.forward(time.Minute)
	w.want("notifications are off")
	a.Configure(Settings{Sound: true})
	w.forward(time.Minute)
	w.want("only a sound", "a outside 3 desktop=false sound=true")
}

// A window that shows a question in its own tab gets no notification of it.
func TestQuestionInItsOwnTab(t *testing.T) {
	w := newWorld(t)
	a := w.desk("a", Window{Focused: true, Questions: []string{"1"}})
	w.ask("1", a)
	w.ask("2", a)
	w.forward(time.Minute)
	w.want("the first one is in its own tab", "a shows 2")
	a.Attend(Window{Notifies: true, Focused: true, Questions: []string{"2"}})
	w.forward(time.Minute)
	w.want("the second one is opened in a tab", "a ends 2")
	a.Attend(Window{Notifies: true, Questions: []string{"3"}})
	w.ask("3", a)
	w.forward(time.Minute)
	w.want("shown in the window, without the focus", "a outside 3 desktop=true sound=true")
}

// A window's notification from an earlier connection is not repeated, and ends like a current one.
func TestResumedNotice(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", asking), w.desk("b", Window{})
	w.ask("1", b)
	a.Resume(protocol.Notice{QuestionID: "1"}, nil)
	a.Resume(protocol.Notice{QuestionID: "1"}, nil)
	w.forward(time.Minute)
	w.want("shown by the earlier connection")
	w.ask("2", b)
	w.forward(time.Minute)
	a.Resume(protocol.Notice{QuestionID: "2"}, nil)
	w.forward(time.Minute)
	w.want("another window has notified", "b shows 2", "b outside 2 desktop=true sound=true", "a ends 2")
	b.Closed("1")
	a.Closed("1")
	w.forward(time.Minute)
	w.want("closed", "a ends 1")
	a.Resume(protocol.Notice{QuestionID: "3"}, nil)
	a.Attend(Window{Notifies: true, Focused: true, Visible: true})
	w.forward(time.Minute)
	slices.Sort(w.log)
	w.want("the user sees them", "a ends 3", "b ends 2")
}

// At a hub a question may be for several people: each is notified once.
func TestEachPersonIsNotified(t *testing.T) {
	w := newWorld(t)
	a, b := w.desk("a", focused), w.desk("b", focused)
	b.person = "you"
	w.ask("1", a, b)
	w.forward(time.Minute)
	slices.Sort(w.log)
	w.want("both", "a shows 1", "b shows 1")
}

// phone adds a last notifier with a delay of a minute.
func (w *world) phone(name string) *Desk {
	note := func(what string) func(string) {
		return func(id string) { w.log = append(w.log, name+" "+what+" "+id) }
	}
	return w.board.OpenLast("me", LastNotifier{
		After: time.Minute, Notify: func(n protocol.Notice) { note("rings")(n.QuestionID) }, End: note("ends"),
	})
}

func TestLastNotifier(t *testing.T) {
	w := newWorld(t)
	a, p := w.desk("a", Window{}), w.phone("phone")
	w.ask("1", a, p)
	w.forward(59 * time.Second)
	w.want("the window notifies first", "a shows 1", "a outside 1 desktop=true sound=true")
	w.ask("1", a, p)
	w.forward(time.Second)
	w.want("no answer after the delay", "phone rings 1")
	w.ask("1", a, p)
	w.forward(time.Hour)
	w.want("asked again")
	for _, d := range []*Desk{a, p} {
		d.Closed("1")
	}
	w.forward(time.Second)
	w.want("closed", "phone ends 1", "a ends 1")

	w.ask("2", p)
	w.forward(30 * time.Second)
	p.Closed("2")
	w.forward(time.Hour)
	w.want("answered in time")

	w.ask("3", p)
	w.forward(30 * time.Second)
	p.Close()
	w.forward(time.Hour)
	w.want("the phone was removed")
	if len(w.board.questions) > 0 {
		t.Errorf("still known: %v", w.board.questions)
	}
}

// While the user sees the question, no phone rings. After the user leaves, it rings after its delay.
func TestLastNotifierOfASeenQuestion(t *testing.T) {
	w := newWorld(t)
	a, p := w.desk("a", seeing), w.phone("phone")
	w.ask("1", p, a)
	w.forward(time.Hour)
	w.want("on the screen")
	a.Attend(Window{Focused: true})
	w.forward(59 * time.Second)
	w.want("just left")
	a.Attend(seeing)
	w.forward(time.Hour)
	w.want("back")
	a.Close()
	w.forward(time.Minute)
	w.want("the window was closed", "phone rings 1")

	b := w.desk("b", seeing)
	b.person = "you"
	w.ask("2", p, b)
	w.forward(time.Minute)
	w.want("another person's screen", "phone rings 2")
}
