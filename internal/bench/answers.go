package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// flushed turns this program into the process whose flushes are counted.
var flushed = flag.Int("flushed", 0, "only answer so many questions in a new store in the folder that follows")

// answersInTurn is the number of answers per turn. Its 99th percentile is the second largest.
const answersInTurn = 200

var storeAnswers = part{
	"the store: an answer to disk; the measure: the bare SQLite commit (WAL, FULL, the same driver and settings) of a row as wide, without " +
		"any index: one page. An answer is three: the outcome, its question, and the log by which other windows learn of it; hence the other one",
	printAnswers,
}

// durable is a way to write an answer to disk.
type durable struct {
	name    string
	write   func()
	targets [2]string // for the median and the 99th percentile
	flushes string
	medians []float64 // of each turn, in nanoseconds
	tails   []float64 // the 99th percentile of each turn
}

// printAnswers alternates the ways at each answer, so that all of them see the same disk.
func printAnswers(w io.Writer, turns int) {
	dir := largeStore()
	s, end := openStore(dir)
	beside, err := os.MkdirTemp(filepath.Dir(dir), "beside-") // on the same disk
	check(err)
	answers, bytes := newAnswers(s), 256
	ways := []*durable{
		{name: "the bare commit", flushes: "1"},
		{name: "append + fsync of as many bytes", flushes: "1"},
		{name: "the bare commit of three such rows, in three tables", flushes: "1"},
		{name: fmt.Sprintf("an answer, with %d questions of history", *entries), write: answers.next, targets: [2]string{"at most 1.3", "at most 10"}},
	}
	sample := outcomeOf(newID(), answers.write.sentence(6), time.Time{})
	one, three := newBareCommit(filepath.Join(beside, "one.db"), 1), newBareCommit(filepath.Join(beside, "three.db"), 3)
	ways[0].write = func() { bytes = one.insert(sample) }
	ways[2].write = func() { three.insert(sample) }
	file, err := os.OpenFile(filepath.Join(beside, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	check(err)
	ways[1].write = func() {
		_, err := file.Write(make([]byte, bytes))
		check(err)
		check(file.Sync())
	}
	for turn := range turns + 1 {
		answers.ask(answersInTurn)
		check(s.Idle(context.Background())) // resets both logs, as happens in practice
		one.checkpoint()
		three.checkpoint()
		times := make([][]time.Duration, len(ways))
		for n := range answersInTurn {
			for i := range ways {
				i = (i + n) % len(ways) // deferred disk work of one affects the others equally
				times[i] = append(times[i], passed(ways[i].write)())
			}
		}
		for i, way := range ways {
			if turn > 0 { // the first turn warms up
				slices.Sort(times[i])
				median, tail := float64(times[i][answersInTurn/2]), float64(times[i][answersInTurn*99/100])
				way.medians, way.tails = append(way.medians, median), append(way.tails, tail)
			}
		}
	}
	check(file.Close())
	one.end()
	three.end()
	end()
	ways[3].flushes = countFlushes(beside)
	check(os.RemoveAll(beside))
	writeAnswers(w, ways)
}

func writeAnswers(w io.Writer, ways []*durable) {
	fmt.Fprintln(w, "  \tp50\tto reach\tp99 by its p50\tto reach\tp99\tflushes of the log\t")
	for _, way := range ways {
		target := way.targets[0]
		if way == ways[0] {
			target = "(the measure)"
		}
		fmt.Fprintf(w, "  %s\t%.2f×\t%s\t%.1f×\t%s\t%.2f×\t%s\t\n", way.name, ratio(way.medians, ways[0].medians), target,
			ratio(way.tails, way.medians), way.targets[1], ratio(way.tails, ways[0].tails), way.flushes)
	}
	fmt.Fprintf(w, "  an answer by the bare commit of as many pages\t%.2f×\tat most 1.3\t\t\t\t\t\n", ratio(ways[3].medians, ways[2].medians))
}

// ratio returns the median of the turns' ratios.
func ratio(values, by []float64) float64 {
	ratios := make([]float64, len(values))
	for i, value := range values {
		ratios[i] = value / by[i]
	}
	return middle(ratios)
}

// middle returns the median.
func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// answers answers the questions of a store one after the other. As in the server, collecting an answer is written together with the
// next question.
type answers struct {
	store     store.Store
	write     *writer
	session   string
	open      []store.Outcome // one per open question
	collected []string
}

func newAnswers(s store.Store) *answers {
	a := &answers{store: s, write: newWriter(), session: newID()}
	a.apply(store.Change{Sessions: []store.Session{{ID: a.session, Document: []byte(`{"agent":"Roo","locale":"en","limit":3}`)}}})
	return a
}

func (a *answers) apply(c store.Change) {
	results, err := a.store.Commit(context.Background(), []store.Change{c})
	check(err)
	check(results[0].Err)
}

// ask opens several questions at once.
func (a *answers) ask(count int) {
	c := store.Change{Collected: a.collected}
	a.collected = nil
	for range count {
		q := a.write.exchange(1).Question
		q.ID, q.Session, q.State, q.AskedAt = newID(), a.session, store.Pending, time.Now()
		c.Questions = append(c.Questions, q)
		a.open = append(a.open, outcomeOf(q.ID, a.write.sentence(6), time.Time{}))
	}
	a.apply(c)
}

// next answers the next question.
func (a *answers) next() {
	a.apply(store.Change{Outcomes: a.open[:1]})
	a.collected, a.open = append(a.collected, a.open[0].QuestionID), a.open[1:]
}

// bareCommit inserts an outcome into tables with the store's columns, with the minimum that a commit needs.
type bareCommit struct {
	db         *sql.DB
	statements []*sql.Stmt
}

func newBareCommit(path string, tables int) *bareCommit {
	b := &bareCommit{db: connect(path, "journal_mode(wal)", "synchronous(2)", "wal_autocheckpoint(0)", "secure_delete(1)", "temp_store(2)")}
	for n := range tables {
		_, err := b.db.Exec(fmt.Sprintf(`CREATE TABLE outcomes_%d (key INTEGER PRIMARY KEY, ord INTEGER, outcome TEXT, provenance TEXT, closed_at INTEGER,
			deleted_at INTEGER, images INTEGER, text TEXT, answer BLOB)`, n))
		check(err)
		statement, err := b.db.Prepare(fmt.Sprintf("INSERT INTO outcomes_%d (ord, outcome, provenance, closed_at, images, text, answer) VALUES (?, ?, ?, ?, 0, ?, ?)", n))
		check(err)
		b.statements = append(b.statements, statement)
	}
	return b
}

// insert returns the size of the row in bytes.
func (b *bareCommit) insert(o store.Outcome) int {
	run := func(query string) {
		if len(b.statements) > 1 {
			_, err := b.db.Exec(query)
			check(err)
		}
	}
	run("BEGIN IMMEDIATE")
	for _, statement := range b.statements {
		_, err := statement.Exec(1, string(o.Outcome), string(o.Provenance), time.Now().UnixMilli(), o.Text, []byte(o.Answer))
		check(err)
	}
	run("COMMIT")
	return len(o.Outcome) + len(o.Provenance) + len(o.Text) + len(o.Answer) + 4*8
}

func (b *bareCommit) checkpoint() {
	_, err := b.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
	check(err)
}

func (b *bareCommit) end() {
	for _, statement := range b.statements {
		check(statement.Close())
	}
	check(b.db.Close())
}

// answerAll creates a store in a folder, asks, and answers one question after the other.
func answerAll(dir string, count int) {
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	a := newAnswers(s)
	a.ask(count)
	for range count {
		a.next()
	}
	check(s.Close())
}

// countFlushes returns how many flushes of the write-ahead log an answer takes: the difference between a process with 200 answers
// and one with 100, divided by 100, as seen by the system.
func countFlushes(dir string) string {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return "not counted: strace is not here"
	}
	self, err := os.Executable()
	check(err)
	count := func(answers int) int {
		folder := filepath.Join(dir, strconv.Itoa(answers))
		trace := folder + ".trace"
		command(strace, "-f", "-y", "-e", "trace=fsync,fdatasync,sync_file_range,sync,msync", "-o", trace, self, "-flushed", strconv.Itoa(answers), folder)
		calls, err := os.ReadFile(trace)
		check(err)
		return strings.Count(string(calls), "-wal>")
	}
	return fmt.Sprintf("%.2f", float64(count(200)-count(100))/100)
}
