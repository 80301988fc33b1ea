package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
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

// The texts of a history. A change of them needs another generation, so that an older large store is not reused.
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

// openStore opens a store like a window, with its background work.
func openStore(dir string) (s store.Store, end func()) {
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Maintain(ctx)
	}()
	return s, func() {
		cancel()
		<-done
		check(s.Close())
	}
}

// smallStore creates a store of fewEntries and returns its folder.
func smallStore() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	fill(dir, fewEntries)
	return dir, func() { check(os.RemoveAll(dir)) }
}

// largeStore returns the folder of the large store, and creates it if there is none with this schema. It contains the answers of
// earlier runs.
func largeStore() string {
	return cachedStore("history", *entries, *entries, func(string) {})
}

// cachedStore returns the folder of a store that is kept for the next run. If there is none with this schema, it creates one: it
// imports some of the questions, and add adds the others.
func cachedStore(name string, count, filled int, add func(dir string)) string {
	small, remove := smallStore()
	defer remove()
	cache, err := os.UserCacheDir()
	check(err)
	dir := filepath.Join(cache, "followup-bench", fmt.Sprintf("%s-%d-%d-%d", name, schemaOf(small), generation, count))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		check(err)
		return dir
	}
	making, err := os.MkdirTemp(memory(), "followup-bench-")
	check(err)
	fill(making, filled)
	check(os.RemoveAll(dir + ".copy"))
	check(os.CopyFS(dir+".copy", os.DirFS(making)))
	check(os.RemoveAll(making))
	add(dir + ".copy")
	check(os.Rename(dir+".copy", dir))
	return dir
}

// memory returns a folder in memory, if there is one, since creating a large store takes many flushes.
func memory() string {
	const folder = "/dev/shm"
	if _, err := os.Stat(folder); err != nil {
		return ""
	}
	return folder
}

// connect opens a file with the driver only.
func connect(path string, pragmas ...string) *sql.DB {
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	check(err)
	db.SetMaxOpenConns(1)
	return db
}

func schemaOf(dir string) (version int) {
	db := connect(filepath.Join(dir, "history.db"))
	check(db.QueryRow("PRAGMA user_version").Scan(&version))
	check(db.Close())
	return version
}

// fill creates a store with a history of count questions, like an import of other tools' logs.
func fill(dir string, count int) {
	s, _, err := sqlite.Open(context.Background(), dir, store.Options{})
	check(err)
	fillStore(s, count)
	check(s.Close())
}

// fillStore is fill for an open store.
func fillStore(s store.Store, count int) {
	const batch, pause = 500, 20_000
	ctx := context.Background()
	write, began := newWriter(), time.Now()
	for done := 0; done < count; {
		var exchanges []store.Imported
		for range min(batch, count-done) {
			exchanges = append(exchanges, write.exchange(done))
			done++
		}
		_, _, err := s.Import(ctx, exchanges)
		check(err)
		if done%pause == 0 || done == count {
			check(s.Idle(ctx))
		}
		if done%pause == 0 {
			fmt.Fprintf(os.Stderr, "\rmaking a history: %d of %d questions, %s ", done, count, time.Since(began).Round(time.Second))
		}
	}
	if count >= pause {
		fmt.Fprintln(os.Stderr)
	}
}

// writer writes the texts of a history, which are the same each time.
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
	said := suggestions[w.random.IntN(len(suggestions))]
	at := historyBegan.Add(time.Duration(place) * interval)
	return store.Imported{
		Source: "bench", Key: strconv.Itoa(place),
		Question: store.Question{
			Tool: tool, Call: payload, Text: asked + "\n" + strings.Join(suggestions, "\n"), AskedAt: at,
			Agent: []string{"Roo", "Cline", "Copilot"}[place%3], Workspace: fmt.Sprintf("file:///projects/%d", place%20),
		},
		Outcome: outcomeOf("", said, at.Add(interval/2)),
	}
}

func outcomeOf(id, said string, at time.Time) store.Outcome {
	answer, err := json.Marshal(map[string]string{"text": said, "mode": "code"})
	check(err)
	return store.Outcome{
		QuestionID: id, Outcome: question.Answered, Provenance: question.Clicked, Answer: answer, Text: said, ClosedAt: at,
	}
}
