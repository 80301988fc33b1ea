package server_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
)

func onDisk(d *rpctest.Disk) func(*server.Options) {
	return func(o *server.Options) { o.OpenStore, o.Lease = d.Open, 300*time.Millisecond }
}

// While a transaction waits for the disk, messages are read and answered: those of its own session when it is written, all others
// at once. What is being written is told to nobody.
func TestNothingWaitsForTheDisk(t *testing.T) {
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session, other := e.Session("s"), e.Session("t")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	second, _ := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemQueued)
	release := disk.Hold()
	for len(disk.Came()) > 0 {
		<-disk.Came()
	}
	answered := make(chan protocol.CloseResult, 2)
	for range 2 { // the second click is no less patient
		go func() { answered <- rpctest.Call(e, protocol.QuestionAnswer, typed(first, "yes")) }()
	}
	<-disk.Came()
	for range 100 { // of each kind: nothing of another session's is written
		rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: other})
		rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	}
	stream := rpctest.NewID()
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: other, StreamID: stream, Text: "<ask_followup_question><question>Grow"})
	e.Until(func() bool {
		for _, item := range e.Items {
			if item.StreamID == stream && item.Payload.Question == "Grow" {
				return true
			}
		}
		return false
	})
	select {
	case got := <-answered:
		t.Errorf("acknowledged before it was written: %+v", got)
	case got := <-reply:
		t.Errorf("told before it was written: %+v", got)
	default:
	}
	if a, b := e.UntilState(first, protocol.ItemPending), e.UntilState(second, protocol.ItemQueued); a.Outcome != nil || b.Outcome != nil {
		t.Errorf("shown before it was written: %+v, %+v", a, b)
	}
	release()
	if one, two := <-answered, <-answered; one.Accepted == two.Accepted || one.Outcome.Text != "yes" || two.Outcome.Text != "yes" {
		t.Errorf("got %+v and %+v", one, two)
	}
	if got := <-reply; got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	e.UntilState(second, protocol.ItemPending)
}

// Outcomes that come while one is being written are written together, with one flush.
func TestOutcomesAreJoined(t *testing.T) {
	const sessions, each = 10, 10
	disk := rpctest.NewDisk()
	var closed atomic.Int32
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) {
		onDisk(disk)(o)
		o.Log = o.Log.WithOptions(zap.Hooks(func(entry zapcore.Entry) error {
			if entry.Message == "closed" {
				closed.Add(1)
			}
			return nil
		}))
	})
	var ids []string
	for n := range sessions {
		session := e.Session(fmt.Sprint(n))
		for range each {
			id, _ := e.Ask(session, `{"question":"Q?"}`)
			ids = append(ids, id)
		}
	}
	e.Until(func() bool { return len(e.Items) == len(ids) })
	release := disk.Hold()
	before := disk.Count("Commit")
	results := make(chan protocol.CloseResult, len(ids))
	for _, id := range ids {
		go func() {
			results <- rpctest.Call(e, protocol.QuestionWithdraw, protocol.QuestionParams{QuestionID: id})
		}()
	}
	for closed.Load() < int32(len(ids)) { // all of them, although not one is written
		rpctest.Call(e, protocol.HistoryFacets, protocol.None{})
	}
	release()
	for range ids {
		if got := <-results; !got.Accepted {
			t.Errorf("got %+v", got)
		}
	}
	if commits := disk.Count("Commit") - before; commits > 5 {
		t.Errorf("%d outcomes took %d flushes", len(ids), commits)
	}
}

// What takes too long is told as not saved and goes on in memory; it is saved when the disk is back.
func TestSlowDisk(t *testing.T) {
	folder, disk := t.TempDir(), rpctest.NewDisk()
	e := rpctest.ConnectTo(t, folder, func(o *server.Options) {
		onDisk(disk)(o)
		o.Slow = 50 * time.Millisecond
	})
	session := e.Session("s")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	release := disk.Hold()
	rpctest.Call(e, protocol.QuestionAnswer, typed(first, "one")) // in memory, after a while
	if got := <-reply; got.Answer.Text != "<answer>\none\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	e.Until(func() bool { return !e.Storage.Saved && strings.Contains(e.Storage.Problem, "has not answered") })
	second, reply := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(second, "two"))
	<-reply
	release()
	e.Until(func() bool { return e.Storage.Saved })
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	if got := texts(rpctest.Call(again, protocol.HistoryList, protocol.HistoryListParams{})); len(got) != 2 || got[0] != "two" || got[1] != "one" {
		t.Errorf("after a restart: %q", got)
	}
}

// A disk that never answers does not keep the process.
func TestEndBesideAStuckDisk(t *testing.T) {
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	release := disk.Hold()
	defer release()
	go func() { // it is not answered
		_, _ = rpc.Call(context.Background(), e.Conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
	}()
	<-disk.Came()
	rpctest.Call(e, protocol.Shutdown, protocol.None{})
	rpc.Notify(e.Conn, protocol.Exit, protocol.None{})
	if status := <-e.Status; status != 0 {
		t.Errorf("status %d", status)
	}
}

// That a question cannot be looked up is an error: it is not asked as if it were new. Nor is it when it can be looked up again.
func TestFailedLookup(t *testing.T) {
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session := e.Session("s")
	id := answered(t, e, session, "Q?", "yes")
	disk.Fail("Question", func() error { return fmt.Errorf("%w: bad sector", store.ErrUnavailable) })
	if got := <-e.AskAs(session, id, `{"question":"Q?"}`); rpctest.ErrorCode(got.Err) != protocol.CodeRefused || !strings.Contains(got.Err.Error(), "bad sector") {
		t.Errorf("got %+v", got)
	}
	if code := rpctest.Code(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id}); code != protocol.CodeRefused {
		t.Errorf("got code %d", code)
	}
	disk.Fail("Question", nil)
	if got := <-e.AskAs(session, id, `{"question":"Q?"}`); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// While a question is looked up, what comes for its session waits its turn, and other sessions do not.
func TestTurns(t *testing.T) {
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session, other := e.Session("s"), e.Session("t")
	looking, seen := make(chan struct{}), make(chan struct{}, 16)
	disk.Fail("Question", func() error {
		seen <- struct{}{}
		<-looking
		return nil
	})
	first, _ := e.Ask(session, `{"question":"First?"}`)
	<-seen
	stream := rpctest.NewID()
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{
		Session: session, StreamID: stream, Text: "<ask_followup_question><question>Second?</question></ask_followup_question>",
	})
	dismissed := make(chan protocol.CloseResult, 1)
	go func() {
		dismissed <- rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: first})
	}()
	rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: other})
	close(looking)
	if got := <-dismissed; !got.Accepted {
		t.Errorf("got %+v", got)
	}
	result := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
	second := e.UntilState(result.Calls[0].QuestionID, protocol.ItemPending)
	if e.UntilState(first, protocol.ItemClosed).Order >= second.Order {
		t.Error("the question that came first was asked second")
	}
}

// A store that goes away is told, what was in memory is written to what comes next, and nothing panics for good.
func TestStoreGoesAway(t *testing.T) {
	for _, why := range []error{store.ErrGone, store.ErrDamaged} {
		t.Run(why.Error(), func(t *testing.T) {
			folder, disk := filepath.Join(t.TempDir(), "storage"), rpctest.NewDisk()
			e := rpctest.ConnectTo(t, folder, onDisk(disk))
			session := e.Session("s")
			first, reply := e.Ask(session, `{"question":"First?"}`)
			e.UntilState(first, protocol.ItemPending)
			gone := make(chan struct{})
			disk.Fail("Commit", func() error {
				select {
				case <-gone:
					return nil
				default:
					close(gone)
					if err := os.Rename(folder, folder+"-away"); err != nil {
						t.Error(err)
					}
					return fmt.Errorf("%w, says the test", why)
				}
			})
			panicked := false
			disk.Fail("Changed", func() error {
				if !panicked {
					panicked = true
					panic("in the watch")
				}
				return nil
			})
			rpctest.Call(e, protocol.QuestionAnswer, typed(first, "yes"))
			if got := <-reply; got.Answer.Text != "<answer>\nyes\n</answer>" {
				t.Errorf("got %+v", got)
			}
			e.Until(func() bool { return e.Storage.Saved })
			page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
			if len(page.Entries) != 1 || page.Entries[0].Outcome.Text != "yes" || !page.Saved {
				t.Errorf("got %+v", page)
			}
			if disk.Count("Open") != 2 {
				t.Errorf("opened %d times", disk.Count("Open"))
			}
		})
	}
}

// Where several windows begin a new store, the second one learns what the first has written there: a question that was answered
// meanwhile is not open in it any more, and what was behind it is what waits in both.
func TestSecondWindowOfANewStore(t *testing.T) {
	folder, disk := filepath.Join(t.TempDir(), "storage"), rpctest.NewDisk()
	a, b := rpctest.ConnectTo(t, folder, shortLease), rpctest.ConnectTo(t, folder, onDisk(disk))
	session := a.Session("s")
	first, reply := a.Ask(session, `{"question":"First?"}`)
	a.UntilState(first, protocol.ItemPending)
	second, _ := a.Ask(session, `{"question":"Second?"}`)
	b.UntilState(first, protocol.ItemPending)
	b.UntilState(second, protocol.ItemQueued)
	written := make(chan struct{})
	disk.Fail("Open", func() error {
		<-written
		return nil
	})
	if err := os.Rename(folder, folder+"-away"); err != nil {
		t.Fatal(err)
	}
	rpctest.Call(a, protocol.QuestionAnswer, typed(first, "yes"))
	<-reply
	a.Until(func() bool { return a.Storage.Saved })
	close(written)
	b.UntilState(first, protocol.ItemClosed)
	b.UntilState(second, protocol.ItemPending)
	if result := rpctest.Call(b, protocol.QuestionAnswer, typed(second, "and yes")); !result.Accepted {
		t.Errorf("got %+v", result)
	}
	a.UntilState(second, protocol.ItemClosed)
}

// A read of the history that finds the store damaged is told as any such find, and is done again when it has been opened again.
// What is asked meanwhile waits for that: a question that was answered is not asked as if it were new.
func TestReadWhileOpenedAgain(t *testing.T) {
	folder, disk := t.TempDir(), rpctest.NewDisk()
	e := rpctest.ConnectTo(t, folder, onDisk(disk))
	session := e.Session("s")
	id := answered(t, e, session, "Q?", "yes")
	opening, opened := make(chan struct{}), make(chan struct{})
	disk.Fail("Open", func() error {
		close(opening)
		<-opened
		return nil
	})
	var found atomic.Bool
	disk.Fail("History", func() error {
		if found.Swap(true) {
			return nil
		}
		return fmt.Errorf("%w, says the test", store.ErrDamaged)
	})
	pages := make(chan protocol.HistoryPage, 2)
	list := func() { pages <- rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{}) }
	go list()
	<-opening
	e.Until(func() bool { return !e.Storage.Saved && strings.Contains(e.Storage.Problem, "damaged") })
	go list()
	reply := e.AskAs(session, id, `{"question":"Q?"}`)
	for range 100 { // of each kind: enough for what waits for nothing
		rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
	}
	select {
	case got := <-reply:
		t.Errorf("told while it could not be looked up: %+v", got)
	case page := <-pages:
		t.Errorf("told while it could not be read: %+v", page)
	default:
	}
	if item := e.Items[id]; item.State != protocol.ItemClosed {
		t.Errorf("it is %s", item.State)
	}
	close(opened)
	if got := <-reply; got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
	for range 2 {
		if page := <-pages; len(page.Entries) != 1 || page.Entries[0].Outcome.Text != "yes" {
			t.Errorf("got %+v", page)
		}
	}
	e.Until(func() bool { return e.Storage.Saved })
}

// What another process writes costs what was written: one draft is one row, and its images are read once.
func TestForeignDraft(t *testing.T) {
	folder, disk := t.TempDir(), rpctest.NewDisk()
	a := rpctest.ConnectTo(t, folder, onDisk(disk))
	b := rpctest.ConnectTo(t, folder, nil)
	session := b.Session("s")
	var id string
	for range 20 {
		id, _ = b.Ask(session, `{"question":"Q?"}`)
	}
	a.Until(func() bool { return len(a.Items) == 20 })
	open, questions := disk.Count("OpenQuestions"), disk.Count("Question")
	for n := range 5 {
		text := strings.Repeat("x", n+1)
		rpctest.Call(b, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{
			Text: text, ChangedAt: int64(n + 1), Images: []protocol.DraftImage{gif},
		}})
		a.Until(func() bool { return a.Items[id].Draft != nil && a.Items[id].Draft.Text == text })
	}
	var draft *protocol.Draft
	a.Until(func() bool { draft = a.Items[id].Draft; return draft != nil })
	if len(draft.Images) != 1 || draft.Images[0] != gif {
		t.Errorf("got %+v", draft)
	}
	if again := disk.Count("OpenQuestions") - open + disk.Count("Question") - questions; again != 0 {
		t.Errorf("five drafts of one question had others read again, %d times", again)
	}
	if images := disk.Count("Image"); images != 1 {
		t.Errorf("one image was read %d times", images)
	}
}

// A process that gives up waiting for a question of another one's, which lives, does not take it back.
func TestCancelInAnotherWindow(t *testing.T) {
	folder := t.TempDir()
	a, b := rpctest.ConnectTo(t, folder, nil), rpctest.ConnectTo(t, folder, nil)
	id, reply := a.Ask(a.Session("s"), `{"question":"Q?"}`)
	a.UntilState(id, protocol.ItemPending)
	b.UntilState(id, protocol.ItemPending)
	request := jsonrpc2.ID{Str: "theirs", IsString: true}
	theirs := make(chan error, 1)
	session := b.Session("s")
	go func() {
		_, err := rpc.CallAs(context.Background(), b.Conn, request, protocol.QuestionAsk, ask(session, id, `{"question":"Q?"}`, 0))
		theirs <- err
	}()
	for waiting := true; waiting; { // a cancellation that comes before its request does nothing
		rpc.Notify(b.Conn, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(request)})
		rpctest.Call(b, protocol.SessionGet, protocol.SessionParams{Session: session})
		select {
		case err := <-theirs:
			if waiting = false; rpctest.ErrorCode(err) != protocol.CodeCancelled {
				t.Errorf("got %v", err)
			}
		default:
		}
	}
	if result := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "yes")); !result.Accepted {
		t.Errorf("got %+v", result)
	}
	if got := <-reply; got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// Nor does the one that has asked it, while somebody waits for it in another process; when nobody does any more, it is withdrawn.
func TestCancelWhileAnotherWindowWaits(t *testing.T) {
	for _, answers := range []bool{true, false} {
		folder, disk := t.TempDir(), rpctest.NewDisk()
		a, b := rpctest.ConnectTo(t, folder, shortLease), rpctest.ConnectTo(t, folder, onDisk(disk))
		id, ours := a.Ask(a.Session("s"), `{"question":"Q?"}`)
		a.UntilState(id, protocol.ItemPending)
		b.UntilState(id, protocol.ItemPending)
		theirs := b.AskAs(b.Session("s"), id, `{"question":"Q?"}`)
		for disk.Count("Await") == 0 {
			rpctest.Call(b, protocol.HistoryFacets, protocol.None{})
		}
		a.Cancel(protocol.QuestionAsk.Method)
		if got := <-ours; rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
			t.Errorf("got %+v", got)
		}
		if answers {
			if result := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "yes")); !result.Accepted {
				t.Errorf("got %+v", result)
			}
			if got := <-theirs; got.Answer.Text != "<answer>\nyes\n</answer>" {
				t.Errorf("got %+v", got)
			}
			continue
		}
		b.Cancel(protocol.QuestionAsk.Method)
		if got := <-theirs; rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
			t.Errorf("got %+v", got)
		}
		for _, e := range []*rpctest.Editor{a, b} {
			if item := e.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn {
				t.Errorf("got %+v", item.Outcome)
			}
		}
	}
}

// A draft of a clock that is wrong does not silence what is saved later.
func TestDraftFromTheFuture(t *testing.T) {
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	id, _ := e.Ask(e.Session("s"), `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "future", ChangedAt: 1 << 60}})
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{Text: "now", ChangedAt: time.Now().UnixMilli() + 1}})
	inbox := rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
	if draft := inbox.Items[0].Draft; draft == nil || draft.Text != "now" {
		t.Errorf("got %+v", draft)
	}
}

// What is no file, such as a pipe that nobody writes to, is no log; it is not waited for.
func TestImportOfAPipe(t *testing.T) {
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	folder := t.TempDir()
	pipe := filepath.Join(folder, "log.jsonl")
	if err := makeFIFO(pipe); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, folder} {
		_, err := rpc.Call(context.Background(), e.Conn, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{path}})
		if rpctest.ErrorCode(err) != protocol.CodeRefused {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// An import that is cancelled, or that the end of the process finds under way, is not waited for.
func TestCancelledImport(t *testing.T) {
	disk, importing := rpctest.NewDisk(), make(chan struct{}, 2)
	stuck := make(chan struct{})
	defer close(stuck)
	disk.Fail("Import", func() error {
		importing <- struct{}{}
		<-stuck
		return nil
	})
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, []byte(importable), 0o600); err != nil {
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	id := jsonrpc2.ID{Str: "import", IsString: true}
	failed := make(chan error, 2)
	read := func() {
		_, err := rpc.CallAs(context.Background(), e.Conn, id, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{log}})
		failed <- err
	}
	go read()
	select {
	case <-importing:
	case err := <-failed:
		t.Fatal(err)
	}
	rpc.Notify(e.Conn, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)})
	if err := <-failed; rpctest.ErrorCode(err) != protocol.CodeCancelled {
		t.Errorf("got %v", err)
	}
	go read()
	<-importing
	rpctest.Call(e, protocol.Shutdown, protocol.None{})
	rpc.Notify(e.Conn, protocol.Exit, protocol.None{})
	if status := <-e.Status; status != 0 {
		t.Errorf("status %d", status)
	}
}
