package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// A move that was interrupted between the two files is repeated. Each question exists once, with what was recorded meanwhile.
func TestInterruptedMove(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	for i := range 3 {
		id := fmt.Sprint("q", i)
		ask(t, s, id, "common")
		apply(t, s, store.Change{Outcomes: []store.Outcome{{QuestionID: id, Outcome: question.Answered, Text: "said", Images: []question.Image{png}, ClosedAt: c.Now()}}})
	}
	other := must(raw(t, s.dir, inboxName).Conn(t.Context()))(t)
	must(other.ExecContext(t.Context(), "BEGIN IMMEDIATE"))(t) // questions can be copied but not removed
	count := func(f *file, table string) (n int) {
		t.Helper()
		ok(t, f.Read(t.Context(), func(q *sqlstore.Queries) { q.One("SELECT count(*) FROM "+table, nil, &n) }))
		return n
	}
	for count(s.files.history, "entries") < 3 { // a busy machine may be interrupted before it has copied anything
		if err := s.Move(soon(t)); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
	}
	same(t, "in both", []int{count(s.files.inbox, "questions"), count(s.files.history, "entries")}, []int{3, 3})
	check := func(when string) {
		t.Helper()
		same(t, when+", history", ids(must(s.History(t.Context(), store.Filter{}, 0, 9))(t).Entries), []string{"q2", "q1", "q0"})
		same(t, when+", search", len(find(t, s, "common said")), 3)
		same(t, when+", ids", must(s.IDs(t.Context(), "q", 9))(t), []string{"q0", "q1", "q2"})
		same(t, when+", images", len(must(s.Question(t.Context(), "q1"))(t).Outcome.Images), 1)
	}
	must(other.ExecContext(t.Context(), "ROLLBACK"))(t)
	ok(t, other.Close())
	apply(t, s, store.Change{Collected: []string{"q1"}}) // before it is removed from the inbox
	check("between")
	ok(t, s.Move(t.Context()))
	same(t, "moved", []int{count(s.files.inbox, "questions"), count(s.files.inbox, "images"), count(s.files.history, "entries"), count(s.files.history, "entry_images")}, []int{0, 0, 3, 3})
	apply(t, s, store.Change{Collected: []string{"q2", "unknown"}}) // after it
	for id, collected := range map[string]bool{"q0": false, "q1": true, "q2": true} {
		if q := must(s.Question(t.Context(), id))(t); q.Collected != collected {
			t.Errorf("%s is collected: %v", id, q.Collected)
		}
	}
	check("moved")
	same(t, "notes", count(s.files.inbox, "collected"), 0)
	same(t, "retained", must(s.Retain(t.Context(), store.Retention{Nothing: true}))(t), 2)
}

// A moved question does not change, whatever is written later.
func TestMovedQuestionsStay(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "q", "asked", "said")
	ok(t, s.Idle(t.Context()))
	was := must(s.Question(t.Context(), "q"))(t)
	result := apply(t, s, store.Change{
		Questions: []store.Question{{ID: "q", State: store.Pending, Text: "again"}}, Drafts: []store.Draft{{QuestionID: "q", Document: []byte("late")}},
		Outcomes: []store.Outcome{answered("q", "late")},
	})
	same(t, "order", result.Orders, map[string]int64{"q": was.Order})
	ok(t, s.Idle(t.Context()))
	same(t, "question", must(s.Question(t.Context(), "q"))(t), was)
	same(t, "open", len(must(s.OpenQuestions(t.Context(), 0, 9))(t)), 0)
}

// A purge that could not clean the files is repeated, even if no rows are left, since the deletion stays recorded.
func TestInterruptedPurge(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	converse(t, s, c, "q", "xylophonists", "")
	ok(t, s.Idle(t.Context()))
	remove(t, s, "q")
	c.Forward(store.Undo)
	other := must(raw(t, s.dir, inboxName).Conn(t.Context()))(t)
	must(other.ExecContext(t.Context(), "BEGIN IMMEDIATE"))(t) // the inbox cannot be rewritten
	if _, err := s.Purge(soon(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if n := must(s.Count(t.Context(), store.Selection{}))(t); n != 0 {
		t.Errorf("%d are left", n)
	}
	must(other.ExecContext(t.Context(), "ROLLBACK"))(t)
	ok(t, other.Close())
	must(s.Purge(t.Context()))(t)
	if left := traces(t, s.dir, "xylophonists"); len(left) > 0 {
		t.Error(left)
	}
	deletions := 0
	ok(t, s.files.history.Read(t.Context(), func(q *sqlstore.Queries) { q.One("SELECT count(*) FROM deletions WHERE ended = ''", nil, &deletions) }))
	same(t, "deletions", deletions, 0)
}

// answering closes another question whenever some are moved.
type answering struct {
	sqlstore.Backend
	answer func()
}

func (a answering) Recover(ctx context.Context) error {
	a.answer()
	return a.Backend.Recover(ctx)
}

// A read of the history and a purge wait for questions closed before, but not for those closed meanwhile.
func TestMoveEndsDespiteAnswers(t *testing.T) {
	t.Parallel()
	s, c := fresh(t)
	for i := range 100 {
		converse(t, s, c, fmt.Sprint("before", i), "", "")
	}
	const many = 50
	n := 0
	s.Backend = answering{s.Backend, func() {
		if n++; n < many {
			converse(t, s, c, fmt.Sprint("meanwhile", n), "", "")
		}
	}}
	if page := must(s.History(t.Context(), store.Filter{}, 0, 200))(t); len(page.Entries) < 100 {
		t.Errorf("got %d", len(page.Entries))
	}
	if ok(t, s.Idle(t.Context())); n >= many {
		t.Error("it continued as long as questions were closed")
	}
}
