package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"followup/internal/keeper"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// crashes is how often the sidecar is killed, unless FOLLOWUP_CRASHES sets another number.
const crashes = 200

// number returns an environment variable as a number, or the default.
func number(t *testing.T, variable string, usual int) int {
	t.Helper()
	set := os.Getenv(variable)
	if set == "" {
		return usual
	}
	n, err := strconv.Atoi(set)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// driven is the driver's record of one question.
type driven struct {
	round        int    // the crash before which it was asked
	shown        bool   // the interface received it
	draftSent    int    // the number of the last draft that was sent
	draftSaved   int    // the number of the last draft that was acknowledged
	answer       string // the answer that was sent; empty if none
	acknowledged bool   // the answer was acknowledged
}

// driver asks, drafts and answers, and records what it receives.
type driver struct {
	mu    sync.Mutex
	round int
	asks  map[string]*driven
}

func (d *driver) change(id string, change func(*driven)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asks[id] == nil {
		d.asks[id] = &driven{round: d.round}
	}
	change(d.asks[id])
}

// drive asks one question after the other until the sidecar has gone. Two of three are answered.
func (d *driver) drive(t *testing.T, s *sidecar, name string) {
	for n := 0; ; n++ {
		key := name
		if n%3 == 2 {
			key = fmt.Sprint(name, n) // a question that stays open must not block the others
		}
		opened, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Driver", Key: key})
		if err != nil {
			return
		}
		id := uuid.Must(uuid.NewV7()).String()
		d.change(id, func(*driven) {})
		answers := make(chan protocol.Answer, 1)
		go func() {
			defer close(answers)
			answer, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
			})
			if err == nil {
				answers <- answer
			}
		}()
		if !s.untilPending(id) {
			return
		}
		d.change(id, func(q *driven) { q.shown = true })
		for version := 1; version <= 2; version++ {
			d.change(id, func(q *driven) { q.draftSent = version })
			draft := protocol.Draft{Text: fmt.Sprint("draft ", version), ChangedAt: int64(version)}
			if _, err := rpc.Call(context.Background(), s.conn, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: draft}); err != nil {
				return
			}
			d.change(id, func(q *driven) { q.draftSaved = version })
		}
		if n%3 == 2 {
			continue
		}
		d.change(id, func(q *driven) { q.answer = "answer " + id })
		result, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "answer " + id,
		})
		if err != nil {
			return
		}
		if !result.Accepted {
			t.Errorf("%s: the answer was rejected", id)
		}
		d.change(id, func(q *driven) { q.acknowledged = true })
		if answer, ok := <-answers; ok && answer.Text != "<answer>\nanswer "+id+"\n</answer>" {
			t.Errorf("%s: the agent got %+v", id, answer)
		}
	}
}

// forgetPromises is for a round in which the sidecar reported that it does not save, because the disk or the machine stalled for
// seconds: its acknowledged changes were only in memory.
func (d *driver) forgetPromises() {
	for _, q := range d.asks {
		if q.round == d.round {
			q.shown, q.draftSaved, q.acknowledged = false, 0, false
		}
	}
}

// checkOpen compares the open questions with the driver's records, and withdraws them so that they do not accumulate.
func (d *driver) checkOpen(t *testing.T, s *sidecar) {
	t.Helper()
	for id, item := range s.items {
		q := d.asks[id]
		switch {
		case q == nil:
			t.Errorf("%s was never asked", id)
			continue
		case q.acknowledged:
			t.Errorf("%s is open, but an answer was acknowledged", id)
		case item.State != protocol.ItemPending:
			t.Errorf("%s is %s, but no question is before it", id, item.State)
		}
		kept := 0
		if item.Draft != nil {
			kept = int(item.Draft.ChangedAt)
			if item.Draft.Text != fmt.Sprint("draft ", kept) {
				t.Errorf("%s has the draft %+v after the crash", id, item.Draft)
			}
		}
		if kept < q.draftSaved || kept > q.draftSent {
			t.Errorf("%s has draft %d after the crash; %d was saved and %d sent", id, kept, q.draftSaved, q.draftSent)
		}
		if _, err := rpc.Call(context.Background(), s.conn, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// checkHistory compares all closed questions with the driver's records.
func (d *driver) checkHistory(t *testing.T, s *sidecar) {
	t.Helper()
	found := map[string]bool{}
	for list := (protocol.HistoryListParams{Limit: 200}); ; {
		page, err := rpc.Call(context.Background(), s.conn, protocol.HistoryList, list)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range page.Entries {
			q := d.asks[entry.QuestionID]
			switch {
			case q == nil:
				t.Errorf("%s was never asked", entry.QuestionID)
				continue
			case found[entry.QuestionID]:
				t.Errorf("%s is in the history twice", entry.QuestionID)
			case q.acknowledged && entry.Outcome.Outcome != protocol.OutcomeAnswered:
				t.Errorf("%s is %s, but an answer was acknowledged", entry.QuestionID, entry.Outcome.Outcome)
			case entry.Outcome.Outcome == protocol.OutcomeAnswered && entry.Outcome.Text != q.answer:
				t.Errorf("%s has the answer %q, but %q was sent", entry.QuestionID, entry.Outcome.Text, q.answer)
			}
			found[entry.QuestionID] = true
		}
		if list.After = page.Next; page.Next == "" {
			break
		}
	}
	for id, q := range d.asks {
		if q.shown && !found[id] {
			t.Errorf("%s is lost", id)
		}
	}
}

// A sidecar is killed repeatedly at random moments. Afterwards every acknowledged answer and saved draft exists, no question is
// lost or duplicated, and the file is valid.
func TestCrashes(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	d := &driver{asks: map[string]*driven{}}
	total := number(t, "FOLLOWUP_CRASHES", crashes)
	former, unsaved := "", 0
	for round := range total {
		s := startSidecar(t, storage)
		d.checkOpen(t, s)
		d.round = round
		var workers sync.WaitGroup
		for worker := range 3 {
			workers.Go(func() { d.drive(t, s, fmt.Sprint(round, "-", worker)) })
		}
		<-time.After(rand.N(80 * time.Millisecond)) // the random moment is the point of the test
		s.kill()
		workers.Wait()
		if t.Failed() {
			t.Fatalf("after crash %d; the log of the process:\n%s\nand of the one before:\n%s", round+1, s.stderr.String(), former)
		}
		if s.wasUnsaved() {
			d.forgetPromises()
			unsaved++
		}
		former = s.stderr.String()
	}
	s := startSidecar(t, storage)
	d.checkOpen(t, s)
	d.checkHistory(t, s)
	s.kill()
	db, err := sql.Open("sqlite", filepath.Join(storage, "inbox.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var sound string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity_check: %s, %v", sound, err)
	}
	acknowledged, saved := 0, 0
	for _, q := range d.asks {
		if q.acknowledged {
			acknowledged++
		}
		saved += q.draftSaved
	}
	if acknowledged == 0 || saved == 0 {
		t.Error("the sidecar was always killed before it acknowledged anything")
	}
	t.Logf("%d crashes, %d of them while unsaved, %d questions, %d answers acknowledged, %d drafts saved",
		total, unsaved, len(d.asks), acknowledged, saved)
}

// keeperCrashes is how often the keeper alone is killed, unless FOLLOWUP_CRASHES sets another number.
const keeperCrashes = 30

// The keeper is killed repeatedly while clients ask, draft and answer, and no client notices. Every question is answered once,
// with the answer that was sent. Killing one client does not affect the others.
func TestKeeperCrashes(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	d := &driver{asks: map[string]*driven{}}
	clients := []*sidecar{startSidecar(t, storage), startSidecar(t, storage)}
	var workers sync.WaitGroup
	ended := make(chan struct{})
	for i, s := range clients {
		workers.Go(func() { d.driveUntil(t, s, fmt.Sprint("client", i), ended) })
	}
	total := number(t, "FOLLOWUP_CRASHES", keeperCrashes)
	for range total {
		waits.Until(t, "a keeper runs again", keeper.Client{Folder: storage}.Running)
		<-time.After(rand.N(60 * time.Millisecond)) // the random moment is the point of the test
		killKeeper(storage)
		if other := rand.N(10); other == 0 { // a client that is also in the middle of something
			startSidecar(t, storage).disconnect()
		}
	}
	close(ended)
	workers.Wait()
	d.checkHistory(t, clients[1])
	answered := 0
	for id, q := range d.asks {
		if q.answer != "" && !q.acknowledged {
			t.Errorf("the answer to %s was never received", id)
		}
		if q.acknowledged {
			answered++
		}
	}
	if answered == 0 {
		t.Error("nothing was ever answered")
	}
	t.Logf("%d kills, %d questions, %d answers", total, len(d.asks), answered)
}

// driveUntil asks and answers one question after the other until the test has seen enough. Every request must succeed.
func (d *driver) driveUntil(t *testing.T, s *sidecar, name string, ended <-chan struct{}) {
	opened, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Driver", Key: name})
	if err != nil {
		t.Error(err)
		return
	}
	for {
		select {
		case <-ended:
			return
		default:
		}
		id := uuid.Must(uuid.NewV7()).String()
		d.change(id, func(*driven) {})
		answers := make(chan protocol.Answer, 1)
		go func() {
			defer close(answers)
			answer, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
			})
			if err != nil {
				t.Errorf("%s: the agent got %v", id, err)
			}
			answers <- answer
		}()
		if !s.untilPending(id) {
			t.Errorf("%s never arrived; the log of its client:\n%s", id, s.stderr.String())
			return
		}
		draft := protocol.Draft{Text: "half", ChangedAt: 1}
		if _, err := rpc.Call(context.Background(), s.conn, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: draft}); err != nil {
			t.Errorf("%s: the draft: %v", id, err)
		}
		d.change(id, func(q *driven) { q.answer = "answer " + id })
		result, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "answer " + id,
		})
		if err != nil || !result.Accepted {
			t.Errorf("%s: the answer: %+v, %v", id, result, err)
			return
		}
		d.change(id, func(q *driven) { q.shown, q.acknowledged = true, true })
		if answer := <-answers; answer.Text != "<answer>\nanswer "+id+"\n</answer>" {
			t.Errorf("%s: the agent got %+v", id, answer)
		}
	}
}
