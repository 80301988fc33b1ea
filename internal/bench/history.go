package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// entries is the size of the large store's history, and fewEntries that of the small one's.
var entries = flag.Int("entries", 1_000_000, "how many questions of history the large store has; it is kept for the next run")

const fewEntries = 1000

// The texts of a history. After changing them, increment generation, so that an older large store is not reused.
const (
	generation = 1
	vocabulary = 30_000 // words, of which a few are very common and most are rare, as in natural languages
	common     = "database"
	commonIn   = 3 // every third question has it
	rare       = "zanzibar"
	rareIn     = 200_000
	chinese    = "缓存应该放在进程内还是单独部署由哪个团队负责维护这次迁移"
	chineseIn  = 8
	inChinese  = "部署"
	interval   = 90 * time.Second // between two questions
)

// historyBegan is when the first question of a history was answered.
var historyBegan = time.Date(2023, 1, 2, 3, 4, 5, 0, time.UTC)

// openStore opens a store like the keeper, with its background work.
func (t *table) openStore(dir string) store.Store {
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Maintain(ctx)
	}()
	t.cleanup(func() {
		cancel()
		<-done
		check(s.Close())
	})
	return s
}

// smallStore creates a store of fewEntries and returns its folder.
func (t *table) smallStore() string {
	dir := t.folder("")
	fill(dir, fewEntries)
	return dir
}

// largeStore returns the folder of a store of count questions. It is kept for the next run, with the answers of earlier runs, and
// created if there is none with this schema.
func (t *table) largeStore(count int) string {
	cache, err := os.UserCacheDir()
	check(err)
	version := 0
	check(t.connect(filepath.Join(t.smallStore(), "history.db")).QueryRow("PRAGMA user_version").Scan(&version))
	dir := filepath.Join(cache, "followup-bench", fmt.Sprintf("history-%d-%d-%d", version, generation, count))
	if _, err := os.Stat(dir); err != nil {
		check(os.RemoveAll(dir + ".new"))
		fill(dir+".new", count)
		check(os.Rename(dir+".new", dir))
	}
	return dir
}

// copyStore returns the folder of a copy of a large store, for work that changes it.
func (t *table) copyStore(count int) string {
	made := t.largeStore(count)
	dir := t.folder(filepath.Dir(made)) // on the disk
	check(os.CopyFS(dir, os.DirFS(made)))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	check(err)
	for _, name := range files { // otherwise the disk would be writing during the measurement
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		check(err)
		check(errors.Join(f.Sync(), f.Close()))
	}
	return dir
}

// connect opens a file with the driver only.
func (t *table) connect(path string, pragmas ...string) *sql.DB {
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	check(err)
	t.cleanup(func() { check(db.Close()) })
	db.SetMaxOpenConns(1)
	return db
}

// fill creates a store with a history of count questions.
func fill(dir string, count int) {
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	fillStore(s, count)
	check(s.Close())
}

// fillStore imports a history of count questions, like other tools' logs.
func fillStore(s store.Store, count int) {
	const batch, pause = 500, 20_000
	fmt.Fprintf(os.Stderr, "making a history of %d questions\n", count)
	write := newWriter()
	for done := 0; done < count; {
		n := min(batch, count-done)
		importInto(s, write.exchanges(done, n))
		done += n
		if done%pause == 0 || done == count {
			check(s.Idle(context.Background()))
		}
	}
}

// importInto imports questions that the store does not have.
func importInto(s store.Store, exchanges []store.Imported) {
	added, _, err := s.Import(context.Background(), exchanges)
	check(err)
	if added != len(exchanges) {
		check(fmt.Errorf("%d of %d were imported", added, len(exchanges)))
	}
}

// writer generates the texts of a history, which are the same each time.
type writer struct {
	random *rand.Rand
	often  *rand.Zipf
	words  []string
}

func newWriter() *writer {
	random := rand.New(rand.NewPCG(1, 2))
	w := &writer{random: random, often: rand.NewZipf(random, 1.1, 8, vocabulary-1)}
	for range vocabulary {
		var word strings.Builder
		for range 2 + random.IntN(3) {
			word.WriteByte("bcdfghjklmnprstvw"[random.IntN(17)])
			word.WriteByte("aeiou"[random.IntN(5)])
		}
		w.words = append(w.words, word.String())
	}
	return w
}

func (w *writer) sentence(words int) string {
	parts := make([]string, words)
	for i := range parts {
		parts[i] = w.words[w.often.Uint64()]
	}
	return strings.Join(parts, " ")
}

// exchanges returns count questions with their answers, from an index on.
func (w *writer) exchanges(from, count int) (all []store.Imported) {
	for place := range count {
		all = append(all, w.exchange(from+place))
	}
	return all
}

// exchange returns the question with an index, and its answer.
func (w *writer) exchange(place int) store.Imported {
	asked := w.sentence(30) + "?"
	if place%commonIn == 0 {
		asked = "Which " + common + ": " + asked
	}
	if place%rareIn == 0 {
		asked += " (" + rare + ")"
	}
	if place%chineseIn == 0 {
		r := []rune(chinese)
		from := w.random.IntN(len(r) - 11)
		asked += " " + string(r[from:from+12])
	}
	suggestions := []string{w.sentence(6), w.sentence(6), w.sentence(6)}
	payload, err := json.Marshal(map[string]any{"question": asked, "follow_up": suggestions})
	check(err)
	choice := suggestions[w.random.IntN(len(suggestions))]
	at := historyBegan.Add(time.Duration(place) * interval)
	return store.Imported{
		Source: "bench", Key: strconv.Itoa(place),
		Question: store.Question{
			Tool: tool, Call: payload, Text: asked + "\n" + strings.Join(suggestions, "\n"), AskedAt: at,
			Agent: []string{"Roo", "Cline", "Copilot"}[place%3], Workspace: fmt.Sprintf("file:///projects/%d", place%20),
		},
		Outcome: outcomeOf("", choice, at.Add(interval/2)),
	}
}

func outcomeOf(id, text string, at time.Time) store.Outcome {
	answer, err := json.Marshal(map[string]string{"text": text, "mode": "code"})
	check(err)
	return store.Outcome{
		QuestionID: id, Outcome: question.Answered, Provenance: question.Clicked, Answer: answer, Text: text, ClosedAt: at,
	}
}
