package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

var (
	// flushed turns this program into the process whose flushes are counted.
	flushed = flag.Int("flushed", 0, "only answer this many questions in a new store, in the folder given as argument")
	purged  = flag.Int("purged", 20_000, "how many questions of history to remove and import while others are answered")
)

var storeBenchmarks = []benchmark{
	{"the store: an answer to disk; the measure: the bare SQLite commit (WAL, FULL, the same driver and settings) of a row as wide, without " +
		"any index: one page, like an answer's", measureAnswers},
	{"the store: an answer during long work; the measure: an answer while nothing else runs, just before it", measureBeside},
	{"the store: an answer during the removal of a history; the measure: an answer while nothing else runs", func(t *table) { t.newBeside().remove("p99 by p99 at most 4") }},
	{"the store: a page of the history, in a small store and in the large one; the measure: the newest 50 of the same store, by key", func(t *table) {
		t.comparePages(t.openStore(t.smallStore()), t.openStore(t.largeStore(*entries)))
	}},
}

// answersInTurn is the number of answers per turn.
const answersInTurn = 200

func measureAnswers(t *table) {
	dir := t.largeStore(*entries)
	s, beside := t.openStore(dir), t.folder(filepath.Dir(dir)) // on the same disk
	answers := newAnswers(s)
	sample := outcomeOf(newID(), answers.write.sentence(6), time.Time{})
	db := t.connect(filepath.Join(beside, "bare.db"), "journal_mode(wal)", "synchronous(2)", "wal_autocheckpoint(0)", "secure_delete(1)", "temp_store(2)")
	_, err := db.Exec("CREATE TABLE outcomes (outcome TEXT, provenance TEXT, closed_at INTEGER, text TEXT, answer BLOB)")
	check(err)
	insert, err := db.Prepare("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)")
	check(err)
	file, err := os.Create(filepath.Join(beside, "log"))
	check(err)
	t.cleanup(func() { check(file.Close()) })

	t.measure("the bare commit", timed(func() {
		_, err := insert.Exec(string(sample.Outcome), string(sample.Provenance), time.Now().UnixMilli(), sample.Text, []byte(sample.Answer))
		check(err)
	}))
	t.row("append + fsync of as many bytes", "", timed(func() {
		_, err := file.Write(make([]byte, len(sample.Outcome)+len(sample.Provenance)+len(sample.Text)+len(sample.Answer)+4*8))
		check(errors.Join(err, file.Sync()))
	}))
	t.row(fmt.Sprintf("an answer, with %d questions of history", *entries), "p50 at most 1.3, p99 by p50 at most 10", timed(answers.next))
	t.alternate(answersInTurn, func() {
		answers.ask(answersInTurn)
		check(s.Idle(context.Background())) // resets both logs, as happens in practice
		_, err := db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
		check(err)
	})
	t.figure("flushes of an answer", "1", "flushes", countFlushes(beside)...)
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

// answerAll creates a store in a folder, asks, and answers one question after the other.
func answerAll(dir string, count int) {
	t := &table{}
	a := newAnswers(t.openStore(dir))
	a.ask(count)
	for range count {
		a.next()
	}
	t.end()
}

// countFlushes returns how many flushes of the write-ahead log an answer takes: the difference between a process with 200 answers
// and one with 100, divided by 100, as seen by the system. It returns nil if strace is missing.
func countFlushes(dir string) []float64 {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil
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
	return []float64{float64(count(200)-count(100)) / 100}
}

// measureBeside measures answers while the same store works.
func measureBeside(t *table) {
	b := t.newBeside()
	s, oldest := b.answers.store, *purged/100
	b.during(fmt.Sprintf("removing the %d oldest entries", oldest), "p99 by p50 at most 10", func() {
		removed, err := s.Retain(context.Background(), store.Retention{Age: time.Since(historyBegan.Add(time.Duration(oldest) * interval)), Now: time.Now()})
		check(err)
		if removed != oldest {
			check(fmt.Errorf("%d of %d were removed", removed, oldest))
		}
	})
	b.remove("p99 by p50 at most 10")
	b.during(fmt.Sprintf("importing %d of the same millisecond", *purged), "p99 by p50 at most 10", func() {
		all := newWriter().exchanges(0, *purged)
		for i := range all {
			all[i].Outcome.ClosedAt = historyBegan
		}
		importInto(s, all)
	})
	b.during(fmt.Sprintf("importing %d, 200 at a time", *purged), "p99 by p50 at most 10", func() {
		write := newWriter()
		for from := *purged; from < 2**purged; from += 200 {
			importInto(s, write.exchanges(from, 200))
		}
	})
	b.during(fmt.Sprintf("deleting %d, to be undone", *purged), "p99 by p50 at most 10", func() {
		_, err := s.Delete(context.Background(), "1", store.Selection{})
		check(err)
	})
}

// beside answers questions at intervals while their store does other work, and flushes as many bytes to its own file,
// which only the disk and its other users slow down.
type beside struct {
	table         *table
	answers       *answers
	file          *os.File
	answer, flush *row // of the last quiet time
}

const (
	answerBytes = 4096 + 24 // an answer's write: a page and its header
	fileBytes   = 256 * answerBytes
	// enoughAnswers is the minimum number of answers for a 99th percentile, so that ten took longer.
	enoughAnswers = 1000
)

func (t *table) newBeside() *beside {
	dir := t.copyStore(*purged)
	file, err := os.Create(filepath.Join(dir, "flushed")) // on the same disk
	check(err)
	t.cleanup(func() { check(file.Close()) })
	_, err = file.Write(make([]byte, fileBytes))
	check(errors.Join(err, file.Sync())) // so that it does not grow
	b := &beside{table: t, answers: newAnswers(t.openStore(dir)), file: file}
	b.measure(func() { time.Sleep(calm) }) // warms up
	return b
}

// quiet measures enough answers while nothing else runs.
func (b *beside) quiet() {
	check(b.answers.store.Idle(context.Background()))
	b.answer, b.flush = b.table.measure("an answer while nothing else runs", nil), b.table.figure("a flush of as many bytes", "", "s")
	for len(b.answer.samples) < enoughAnswers {
		times, flushes := b.measure(func() { time.Sleep(time.Second) })
		b.answer.samples, b.flush.samples = append(b.answer.samples, times...), append(b.flush.samples, flushes...)
	}
}

// during measures answers while work runs, compared with quiet ones just before, since machines vary over time.
func (b *beside) during(name, target string, work func()) {
	b.quiet()
	began := time.Now()
	times, flushes := b.measure(work)
	name = fmt.Sprintf("%s: %d answers in %v", name, len(times), time.Since(began).Round(100*time.Millisecond))
	if len(times) < enoughAnswers {
		name += ", too few to judge"
	}
	b.table.compared(name, target, &row{unit: "s", samples: times}, b.answer)
	b.table.compared("a flush of as many bytes meanwhile, by one before", "", &row{unit: "s", samples: flushes}, b.flush)
}

// remove removes the history.
func (b *beside) remove(target string) {
	b.during(fmt.Sprintf("removing %d entries, and questions answered meanwhile", *purged), target, func() {
		_, err := b.answers.store.Retain(context.Background(), store.Retention{Nothing: true})
		check(err)
	})
}

// measure returns the seconds of answers, and of flushes, that are made while work runs.
func (b *beside) measure(work func()) (times, flushes []float64) {
	working, done := context.WithCancel(context.Background())
	var all sync.WaitGroup
	repeat := func(into *[]float64, sample func() float64) {
		all.Go(func() {
			for working.Err() == nil {
				time.Sleep(rand.N(8 * time.Millisecond))
				*into = append(*into, sample())
			}
		})
	}
	answer, data := timed(b.answers.next), make([]byte, answerBytes)
	repeat(&times, func() float64 {
		if len(b.answers.open) == 0 {
			b.answers.ask(answersInTurn)
		}
		return answer()
	})
	repeat(&flushes, timed(func() {
		_, err := b.file.WriteAt(data, rand.Int64N(fileBytes-answerBytes))
		check(errors.Join(err, b.file.Sync()))
	}))
	work()
	done()
	all.Wait()
	return times, flushes
}

// comparePages compares a store of fewEntries with one of entries.
func (t *table) comparePages(few, many store.Store) {
	word := func(text string) store.Filter { return store.Filter{Text: text} }
	looks := []struct {
		name, target string
		filter       store.Filter
	}{
		{name: "the newest"},
		{name: "from the middle on"},
		{"a common word", "at most 10", word(common + " ")},
		{"a rare word", "at most 10", word(rare + " ")},
		{"as it is typed", "at most 10", word(common[:1])},
		{"as it is typed", "at most 10", word(common[:3])},
		{"as it is typed", "at most 10", word(common[:5])},
		{"as it is typed", "at most 10", word(common[:7])},
		{"two Chinese characters", "at most 10", word(inChinese)},
		{"a common word and a rare one", "at most 10", word(common + " " + rare)},
		{"of one agent", "", store.Filter{Agents: []string{"Roo"}}},
	}
	var rows [2][]*row
	for i, s := range []store.Store{few, many} {
		size := []int{fewEntries, *entries}[i]
		check(s.Idle(context.Background()))
		for n, look := range looks {
			var before store.Key
			if n == 1 {
				before = store.Key(historyBegan.Add(time.Duration(size/2)*interval).UnixMilli() * sqlstore.KeysPerMilli)
			}
			found := 0
			page := func() {
				page, err := s.History(context.Background(), look.filter, before, 50)
				check(err)
				found = len(page.Entries)
			}
			page()
			rows[i] = append(rows[i], t.row(fmt.Sprintf("of %d: %s %s (%d found)", size, look.name, look.filter.Text, found), look.target, timed(page)))
			rows[i][n].by = rows[i][0]
		}
	}
	for n, look := range looks {
		t.compared("large by small: "+look.name+" "+look.filter.Text, "", rows[1][n], rows[0][n])
	}
	t.rows[2*len(looks)].target = "at most 2"
	t.alternate(20, nil)
}
