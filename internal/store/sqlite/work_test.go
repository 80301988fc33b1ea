package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/engine"
	"followup/internal/waits"
)

// many are exchanges of other tools' logs, each with words of its own, all of the same millisecond.
func many(n int) (all []store.Imported) {
	for i := range n {
		all = append(all, store.Imported{
			Source: "log", Key: fmt.Sprint(i),
			Question: store.Question{Text: fmt.Sprintf("Which of these %d words, common%d or own%d?", i%50, i%50, i), Agent: fmt.Sprint("agent", i%7)},
			Outcome:  store.Outcome{Outcome: question.Answered, Text: fmt.Sprintf("said%d", i), ClosedAt: time.UnixMilli(1_700_000_000_000)},
		})
	}
	return all
}

// Whatever a step does is counted: the largest of any work runs a bounded number of statements, however much there is to do.
func TestStepsAreBounded(t *testing.T) {
	s, c := fresh(t)
	little(s)
	bounded := func(work string) {
		t.Helper()
		if most := 4 * s.stepUnits; s.largest > most {
			t.Errorf("%s: a step ran %d statements, more than %d", work, s.largest, most)
		}
		if s.stepped.Load() < 5 {
			t.Errorf("%s: %d steps only", work, s.stepped.Load())
		}
		s.stepped.Store(0)
	}
	n := s.rebuildFrom + 100
	imported(t, s, many(n)...)
	bounded("importing")
	done := must(s.Delete(t.Context(), store.Selection{Filter: store.Filter{Agents: []string{"agent1", "agent2"}}}))(t)
	bounded("deleting")
	c.Forward(store.Undo)
	if purged := must(s.Purge(t.Context()))(t); purged != done.Count || purged < n/4 {
		t.Errorf("purged %d of %d", purged, done.Count)
	}
	bounded("purging a part")
	integrity(t, s)
	same(t, "of what stays", len(find(t, s, "own3 ")), 1)
	same(t, "of what went", len(find(t, s, "own1 ")), 0)
	converse(t, s, c, "stays", "asked", "uncollected")
	s.stepped.Store(0)
	removed := must(s.Retain(t.Context(), store.Retention{Nothing: true}))(t)
	if removed != n-done.Count+1 {
		t.Errorf("removed %d of %d", removed, n-done.Count)
	}
	bounded("removing the rest")
	integrity(t, s)
	var left int
	ok(t, s.read(t.Context(), func(q querier) error {
		return q.one(`SELECT (SELECT count(*) FROM words) + (SELECT count(*) FROM facets) + (SELECT count(*) FROM tokens) + (SELECT count(*) FROM forgotten)
			+ (SELECT count(*) FROM outcomes) + (SELECT count(*) FROM sqlite_schema WHERE name LIKE 'search_old%')`, nil, []any{&left})
	}))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// What stays when most goes is found again, in a new index.
func TestMostIsRemoved(t *testing.T) {
	s, c := fresh(t)
	little(s)
	n := s.rebuildFrom + 10
	imported(t, s, many(n)...)
	for i := range 5 {
		converse(t, s, c, fmt.Sprint("new", i), fmt.Sprintf("asked fresh%d", i), "")
	}
	if _, err := s.Delete(t.Context(), store.Selection{Filter: store.Filter{To: time.UnixMilli(1_700_000_001_000)}}); err != nil {
		t.Fatal(err)
	}
	converse(t, s, c, "unindexed", "asked latest", "")
	c.Forward(store.Undo)
	if purged := must(s.Purge(t.Context()))(t); purged != n {
		t.Errorf("purged %d", purged)
	}
	same(t, "found", find(t, s, "asked"), []string{"unindexed", "new4", "new3", "new2", "new1", "new0"})
	same(t, "found", find(t, s, "fresh3"), []string{"new3"})
	same(t, "agents", must(s.Facets(t.Context()))(t).Agents, []string{"Roo"})
	if left := traces(t, s.dir, "common10 own"); len(left) > 0 {
		t.Error(left)
	}
	integrity(t, s)
}

// Very many of the same millisecond each find their place with a few looks.
func TestManyOfOneMillisecond(t *testing.T) {
	s, _ := fresh(t)
	n := 20_000
	ok(t, s.write(t.Context(), func(t *tx) error {
		_, err := t.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO outcomes (key, ord, outcome, provenance, closed_at, images, text) SELECT ? + i, -i, '', '', 0, 0, '' FROM n`, n-1, int64(engine.FirstKey(1000)))
		return err
	}))
	ok(t, s.write(t.Context(), func(tx *tx) error {
		for range 100 {
			tx.probes = 0
			if _, err := tx.insertOutcome(1, store.Outcome{Outcome: question.Answered}, 1000); err != nil {
				return err
			}
			if tx.probes > 40 {
				t.Fatalf("it looked %d times", tx.probes)
			}
		}
		return nil
	}))
}

// A writer of another process that waits goes before the next steps of whoever works.
func TestWritersGoFirst(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	works, answers := open(t, dir, c), open(t, dir, c)
	little(works)
	imported(t, works, many(200)...)
	for i := range 60 {
		ask(t, answers, fmt.Sprint(i), "")
	}
	done := make(chan error)
	go func() {
		_, err := works.Retain(t.Context(), store.Retention{Nothing: true})
		done <- err
	}()
	worked := works.stepped.Load()
	total, over := int64(0), false
	for i := range 60 {
		before := works.stepped.Load()
		apply(t, answers, store.Change{Outcomes: []store.Outcome{answered(fmt.Sprint(i), "")}})
		total += works.stepped.Load() - before
		waits.Until(t, "the next step", func() bool {
			select {
			case err := <-done:
				ok(t, err)
				over = true
			default:
			}
			return over || works.stepped.Load() > before
		})
	}
	if !over {
		ok(t, waits.For(t, done))
	}
	if works.stepped.Load() == worked {
		t.Fatal("there was no work to wait for")
	}
	if total > 3*60 {
		t.Errorf("%d steps went before 60 answers", total)
	}
}

// beside is a statement beside which something else goes on.
type beside struct {
	statement
	begin, end func()
}

func (b beside) query(ctx context.Context, args []any) (rows, error) {
	b.begin()
	defer b.end()
	return b.statement.query(ctx, args)
}

// The log begins anew though others go on answering: what comes while it is moved into the file is moved behind that. Or else it
// would grow for as long as there is work.
func TestLogBeginsAnewBesideAnswers(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	works, answers := open(t, dir, c), open(t, dir, c)
	imported(t, works, many(50)...)
	used := func() int64 { return must(logUsed(filepath.Join(dir, fileName+"-wal")))(t) }
	large, given := used(), 0
	reads := must(raw(t, dir).Conn(t.Context()))(t)
	prepare := works.reads.prepare
	works.reads.prepare = func(query string) (statement, error) {
		stmt, err := prepare(query)
		if !strings.Contains(query, "wal_checkpoint") {
			return stmt, err
		}
		begin := func() { // what comes is not moved, as if it came when most is
			must(reads.ExecContext(t.Context(), "BEGIN; SELECT * FROM sessions"))(t)
			ask(t, answers, fmt.Sprint(given), "")
			given++
		}
		return beside{stmt, begin, func() { must(reads.ExecContext(t.Context(), "ROLLBACK"))(t) }}, err
	}
	for range 3 {
		ok(t, works.emptyLog(t.Context()))
		if now := used(); now > large/4 {
			t.Errorf("the log had %d bytes, and has %d when it was emptied beside an answer", large, now)
		}
	}
	if given < 3 {
		t.Errorf("%d came while the log was moved", given)
	}
	ok(t, reads.Close())
}

// What has come while the log was moved is moved too, before a writer may have to wait for the rest.
func TestLittleIsLeftToMove(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	works, answers := open(t, dir, c), open(t, dir, c)
	var events []string
	prepare, come := works.reads.prepare, 3
	works.reads.prepare = func(query string) (statement, error) {
		stmt, err := prepare(query)
		return beside{stmt, func() { events = append(events, "moved") }, func() {
			if come--; come >= 0 {
				ask(t, answers, fmt.Sprint(come), "")
				events = append(events, "came")
			}
		}}, err
	}
	ok(t, works.read(t.Context(), func(q querier) error { return works.moveMost(q, scanned{}) }))
	same(t, "events", events, []string{"moved", "came", "moved", "came", "moved", "came", "moved", "moved"})
}

// While a writer waits, no step is begun.
func TestStepsGiveWay(t *testing.T) {
	works, _ := fresh(t)
	works.waiting.Add(1)
	if err := works.giveWay(soon(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a step was begun while a writer waits: %v", err)
	}
	works.waiting.Add(-1)
	ok(t, works.giveWay(t.Context()))
}

// A step's commit flushes nothing while others wait for the file's one place for writers: all are flushed behind the last. What
// somebody waits for is flushed by its commit, also behind a step.
func TestStepsFlushBehind(t *testing.T) {
	s, c := fresh(t)
	level := func() (level int) {
		t.Helper()
		ok(t, querier{t.Context(), &statements{prepare: s.writes.prepare}}.one("PRAGMA synchronous", nil, []any{&level}))
		return level
	}
	in := 0
	ok(t, s.once(t.Context(), func(t *tx) error {
		return t.one("PRAGMA synchronous", nil, []any{&in})
	}))
	same(t, "in a step", in, 1)
	converse(t, s, c, "q", "", "")
	same(t, "for an answer", level(), 2)

	flushed, steps := s.flushed.Load(), 0
	ok(t, s.steps(t.Context(), func(t *tx, _ *meter) (bool, error) {
		steps++
		return steps < 10, t.dirty(logDirty)
	}))
	same(t, "flushes of ten steps", s.flushed.Load()-flushed, int64(1))

	// The flush opens the log by its name, so it tells when there is none.
	log := filepath.Join(s.dir, fileName+"-wal")
	err := s.once(t.Context(), func(*tx) error { return os.Rename(log, log+"-away") })
	ok(t, os.Rename(log+"-away", log))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a step was not flushed: %v", err)
	}
}
