//go:build soak

package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"followup/internal/keeper"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// keptQuestion is what clients have done and heard about one question.
type keptQuestion struct {
	session  string
	approval bool
	accepted string            // the outcome that was acknowledged as given; empty if none was
	heard    map[string]string // what anybody heard about its outcome, by who
}

// keptLedger has all questions of the test.
type keptLedger struct {
	t *testing.T

	mu  sync.Mutex
	ids []string
	all map[string]*keptQuestion
}

func (l *keptLedger) add(id, session string, approval bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all[id] = &keptQuestion{session: session, approval: approval, heard: map[string]string{}}
}

// offer lets other clients pick a question, once it was asked.
func (l *keptLedger) offer(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = append(l.ids, id)
}

// pick returns a question, more often one of the last.
func (l *keptLedger) pick() (id string, q keptQuestion) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := rand.N(len(l.ids))
	if rand.N(3) > 0 {
		n = len(l.ids) - 1 - rand.N(min(len(l.ids), 60))
	}
	return l.ids[n], *l.all[l.ids[n]]
}

// tell records what somebody heard about the outcome of a question.
func (l *keptLedger) tell(who, id, outcome string, accepted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.all[id]
	if q.heard[who] = outcome; accepted {
		if q.accepted != "" && q.accepted != outcome {
			l.t.Errorf("%s: accepted %q, then %q", id, q.accepted, outcome)
		}
		q.accepted = outcome
	}
	for other, was := range q.heard {
		if was != outcome {
			l.t.Errorf("%s: %s heard %q, but %s %q", id, other, was, who, outcome)
		}
	}
}

// summary is an outcome with its bytes.
func summary(outcome protocol.Outcome, text, option string) string {
	switch outcome {
	case protocol.OutcomeAnswered:
		return "answered " + text
	case protocol.OutcomeAllowed, protocol.OutcomeDenied:
		return string(outcome) + " " + option
	}
	return string(outcome)
}

func (l *keptLedger) tellClosed(who, id string, result protocol.CloseResult) {
	o := result.Outcome
	l.tell(who, id, summary(o.Outcome, o.Text, o.Option), result.Accepted)
}

func (l *keptLedger) tellAnswer(who, id string, a protocol.Answer) {
	if a.Outcome != protocol.OutcomeWaiting {
		l.tell(who, id, summary(a.Outcome, strings.TrimSuffix(strings.TrimPrefix(a.Text, "<answer>\n"), "\n</answer>"), a.Option), false)
	}
}

// keptFaults are the times during which the keeper cannot be expected to respond.
type keptFaults struct{ began, total atomic.Int64 }

func (f *keptFaults) during(do func()) {
	began := time.Now()
	f.began.Store(began.UnixNano())
	do()
	f.began.Store(0)
	f.total.Add(int64(time.Since(began)))
}

func (f *keptFaults) sum() time.Duration {
	sum := time.Duration(f.total.Load())
	if began := f.began.Load(); began != 0 {
		sum += time.Since(time.Unix(0, began))
	}
	return sum
}

const keptApproval = `{"title":"Bash","subject":{"kind":"command","text":"ls"},"options":[{"id":"once","kind":"once"},{"id":"deny","kind":"deny"}]}`

var keptDigest = question.Digest("command", "ls", "", "", "", "", "", "", "once", "once", "")

// keptClient sends random requests about random questions.
type keptClient struct {
	*keptLedger
	name   string
	on     *sidecar
	faults *keptFaults
	slow   *atomic.Int64
}

// request sends a request, and checks how long it took besides the faults.
func request[P, R any](c *keptClient, m protocol.Request[P, R], params P) (R, error) {
	began, before := time.Now(), c.faults.sum()
	ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
	defer cancel()
	result, err := rpc.Call(ctx, c.on.conn, m, params)
	took := time.Since(began) - (c.faults.sum() - before)
	for was := c.slow.Load(); int64(took) > was && !c.slow.CompareAndSwap(was, int64(took)); was = c.slow.Load() {
	}
	if took > 5*time.Second {
		c.t.Errorf("%s took %v without a reason: %v", m.Method, took, err)
	}
	switch rpctest.ErrorCode(err) {
	case 0, protocol.CodeRefused, protocol.CodeCancelled:
	default:
		c.t.Errorf("%s: %v", m.Method, err)
	}
	return result, err
}

func (c *keptClient) ask(n int) {
	key := fmt.Sprint(c.name, " ", n%40)
	opened, err := request(c, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Kept", Key: key})
	if err != nil {
		return
	}
	id, approval := uuid.Must(uuid.NewV7()).String(), n%3 == 0
	c.add(id, opened.Session, approval)
	if c.repeat(id, keptQuestion{session: opened.Session, approval: approval}, n%2 == 0) {
		c.offer(id)
	}
}

// repeat asks a question, perhaps again, and reports whether it is asked.
func (c *keptClient) repeat(id string, q keptQuestion, fresh bool) bool {
	p := protocol.AskParams{Session: q.session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Deadline: 1, New: fresh}
	if q.approval {
		p.Tool, p.Input = "request_approval", []byte(keptApproval)
	}
	answer, err := request(c, protocol.QuestionAsk, p)
	switch {
	case err == nil:
		c.tellAnswer("the agent over "+c.name, id, answer)
	case rpctest.ErrorCode(err) == protocol.CodeCancelled:
		c.tell("the agent over "+c.name, id, "withdrawn", false)
	default:
		return false
	}
	return true
}

func (c *keptClient) act(n int) {
	id, q := c.pick()
	switch kind := rand.N(20); {
	case kind < 5:
		c.ask(n)
	case kind < 8:
		c.repeat(id, q, false)
	case kind < 14:
		var result protocol.CloseResult
		var err error
		switch {
		case q.approval && n%2 == 0:
			result, err = request(c, protocol.QuestionDecide, protocol.DecideParams{QuestionID: id, Option: "deny"})
		case q.approval:
			result, err = request(c, protocol.QuestionDecide, protocol.DecideParams{QuestionID: id, Option: "once", Digest: keptDigest})
		default:
			answer := protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: fmt.Sprint(c.name, " says ", n)}
			result, err = request(c, protocol.QuestionAnswer, answer)
		}
		if err == nil {
			c.tellClosed(c.name, id, result)
		}
	case kind < 15:
		if result, err := request(c, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id}); err == nil {
			c.tellClosed(c.name, id, result)
		}
	case kind < 16:
		if result, err := request(c, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id}); err == nil {
			c.tellClosed(c.name, id, result)
		}
	case kind < 17:
		_, _ = request(c, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "half", ChangedAt: int64(n)}})
	case kind < 18:
		_, _ = request(c, protocol.QuestionTouch, protocol.QuestionParams{QuestionID: id})
	case kind < 19:
		_, _ = request(c, protocol.HistoryList, protocol.HistoryListParams{})
	default:
		_, _ = request(c, protocol.SessionGet, protocol.SessionParams{Session: q.session})
	}
}

// TestKeptAndTold lets six clients over two links send random requests about random questions, while the keeper is killed and stopped at random
// moments and its store is slow to open. What was accepted is in the history, once and with its bytes, and nobody heard anything else. No
// request takes long without a reason. FOLLOWUP_MINUTES and FOLLOWUP_OPEN change how long it runs and how many questions are open at first.
func TestKeptAndTold(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	l := &keptLedger{t: t, all: map[string]*keptQuestion{}}
	links := []*sidecar{startSidecar(t, folder), startSidecar(t, folder)}
	var faulty keptFaults
	var slow atomic.Int64
	var clients []*keptClient
	for n := range 6 {
		clients = append(clients, &keptClient{keptLedger: l, name: fmt.Sprint("client ", n), on: links[n%2], faults: &faulty, slow: &slow})
	}
	open := number(t, "FOLLOWUP_OPEN", 300+rand.N(2700))
	var seeding sync.WaitGroup
	for i, c := range clients {
		seeding.Go(func() {
			for n := i; n < open; n += len(clients) {
				c.ask(n)
			}
		})
	}
	seeding.Wait()

	ended := make(chan struct{})
	var acting sync.WaitGroup
	var acts atomic.Int64
	for _, c := range clients {
		acting.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-ended:
					return
				default:
					c.act(n)
					acts.Add(1)
				}
			}
		})
	}
	saved := func() bool { // a change that was only in memory may be lost
		status, err := rpc.Call(t.Context(), links[0].conn, protocol.InboxStatus, protocol.None{})
		return err == nil && status.Storage.Saved
	}
	kills, stops, locks := 0, 0, 0
	minutes := time.Duration(number(t, "FOLLOWUP_MINUTES", 10)) * time.Minute
	for began := time.Now(); time.Since(began) < minutes && !t.Failed(); {
		<-time.After(rand.N(2 * time.Second)) // the random moment is the point of the test
		waits.Until(t, "everything is saved", saved)
		faulty.during(func() {
			release := func() {}
			switch rand.N(3) {
			case 0:
				stops++
				pid := keeperPID(t, folder)
				if syscall.Kill(pid, syscall.SIGSTOP) == nil {
					<-time.After(rand.N(6 * time.Second))
					_ = syscall.Kill(pid, syscall.SIGCONT)
				}
				waits.Until(t, "everything is saved", saved)
				return
			case 1:
				locks++
				killKeeper(folder)
				release = lockStore(t, folder)
				<-time.After(rand.N(7 * time.Second))
			default:
				killKeeper(folder)
			}
			kills++
			release()
			waits.Until(t, "a keeper runs again", keeper.Client{Folder: folder}.Running)
			waits.Until(t, "everything is saved", saved)
		})
	}
	close(ended)
	acting.Wait()
	waits.Until(t, "everything is saved", saved)
	l.check(t, links[1])
	t.Logf("%d questions, %d of them at first, %d requests, %d kills, %d with a slow store, %d stops; the slowest request took %v without a fault",
		len(l.ids), open, acts.Load(), kills, locks, stops, time.Duration(slow.Load()))
	if t.Failed() {
		for _, s := range links {
			t.Logf("the log of a link:\n%s", s.stderr.String())
		}
		log, _ := os.ReadFile(filepath.Join(folder, "keeper.log"))
		t.Logf("the log of the keeper ends:\n%s", log[max(0, len(log)-8000):])
	}
}

// lockStore keeps both files of a store from being written, as another program may do, until release is called.
func lockStore(t *testing.T, folder string) (release func()) {
	t.Helper()
	var held []func()
	for _, name := range []string{"inbox.db", "history.db"} {
		db, err := sql.Open("sqlite", filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := db.Conn(context.Background())
		if err == nil {
			_, err = conn.ExecContext(context.Background(), "PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE")
		}
		if err != nil {
			t.Logf("%s is not locked: %v", name, err)
		}
		held = append(held, func() {
			if conn != nil {
				_, _ = conn.ExecContext(context.Background(), "ROLLBACK")
				_ = conn.Close()
			}
			_ = db.Close()
		})
	}
	return func() {
		for _, one := range held {
			one()
		}
	}
}

// check compares the history and the open questions with what was accepted and heard.
func (l *keptLedger) check(t *testing.T, s *sidecar) {
	t.Helper()
	found := map[string]string{}
	for list := (protocol.HistoryListParams{Limit: 200}); ; {
		page, err := rpc.Call(t.Context(), s.conn, protocol.HistoryList, list)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range page.Entries {
			if _, twice := found[entry.QuestionID]; twice {
				t.Errorf("%s is in the history twice", entry.QuestionID)
			}
			found[entry.QuestionID] = summary(entry.Outcome.Outcome, entry.Outcome.Text, entry.Outcome.Option)
		}
		if list.After = page.Next; page.Next == "" {
			break
		}
	}
	accepted := 0
	for id, q := range l.all {
		if q.accepted != "" {
			accepted++
		}
		for who, outcome := range q.heard {
			if found[id] != outcome {
				t.Errorf("%s: %s heard %q, but the history says %q", id, who, outcome, found[id])
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was ever accepted")
	}
	t.Logf("%d were accepted, the history has %d", accepted, len(found))
}
