package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/waits"
)

// The folder cannot be created: everything works in memory, and the user is informed. Once it can be, all unsaved changes are saved.
func TestStorageComesLater(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "storage")
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // in the folder's place
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, folder, nil)
	if e.Storage.Saved || !strings.Contains(e.Storage.Problem, "not being saved") {
		t.Fatalf("got %+v", e.Storage)
	}
	session := e.Session("s")
	first, reply := e.Ask(session, `{"question":"First?"}`)
	e.UntilState(first, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(first, "one"))
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\none\n</answer>" {
		t.Errorf("got %+v", got)
	}
	second, _ := e.Ask(session, `{"question":"Second?"}`)
	e.UntilState(second, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: second, Draft: protocol.Draft{Text: "half", ChangedAt: 1}})
	page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if page.Saved || page.Problem != e.Storage.Problem || len(page.Entries) != 0 {
		t.Errorf("the history says %+v", page)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	e.Until(func() bool { return e.Storage.Saved && e.Storage.Problem == "" })
	page = rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if !page.Saved || len(page.Entries) != 1 || page.Entries[0].Outcome.Text != "one" {
		t.Errorf("the history says %+v", page)
	}
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	if item := again.UntilState(second, protocol.ItemPending); item.Draft == nil || item.Draft.Text != "half" {
		t.Errorf("the question came back as %+v", item)
	}
}

// A damaged file is moved aside, and the user learns where it is.
func TestDamagedStorage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := rpctest.ConnectTo(t, folder, nil)
	a.Leave()
	if err := os.WriteFile(filepath.Join(folder, "inbox.db"), []byte("this is no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := rpctest.ConnectTo(t, folder, nil)
	aside, err := filepath.Glob(filepath.Join(folder, "*damaged*.db"))
	if err != nil || len(aside) != 1 {
		t.Fatal(aside, err)
	}
	if !b.Storage.Saved || !strings.Contains(b.Storage.Problem, aside[0]) {
		t.Errorf("got %+v", b.Storage)
	}
	id, _ := b.Ask(b.Session("s"), `{"question":"Q?"}`)
	b.UntilState(id, protocol.ItemPending)
}

// A lost store is reported, and its replacement gets what is in memory.
func TestStoreGoesAway(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("this system cannot remove or move an open file")
	}
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
			rpctest.Call(e, protocol.QuestionAnswer, typed(first, "yes"))
			if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
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

// If the log is removed while two windows use it, no earlier or concurrent answer is lost.
func TestLogIsRemoved(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("this system cannot remove or move an open file")
	}
	folder, disk := t.TempDir(), rpctest.NewDisk()
	a, b := rpctest.ConnectTo(t, folder, onDisk(disk)), rpctest.ConnectTo(t, folder, nil)
	session := a.Session("s")
	before := answered(t, a, session, "Before?", "yes")
	open, reply := a.Ask(session, `{"question":"Meanwhile?"}`)
	a.UntilState(open, protocol.ItemPending)
	b.UntilState(open, protocol.ItemPending)
	if err := os.Remove(filepath.Join(folder, "inbox.db-wal")); err != nil {
		t.Fatal(err)
	}
	if result := rpctest.Call(a, protocol.QuestionAnswer, typed(open, "and yes")); !result.Accepted {
		t.Errorf("got %+v", result)
	}
	waits.For(t, reply)
	b.UntilState(open, protocol.ItemClosed)
	for _, e := range []*rpctest.Editor{a, b} {
		e.Until(func() bool { return e.Storage.Saved })
		for _, id := range []string{before, open} {
			rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
		}
	}
	if opened := disk.Count("Open"); opened < 2 {
		t.Errorf("opened %d times: a window writes to a removed log", opened)
	}
}

// When a read of the history finds the store damaged, it is reported like any damage, and the read is repeated after reopening.
// Requests wait meanwhile, so an answered question is not asked again.
func TestReadWhileOpenedAgain(t *testing.T) {
	t.Parallel()
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
	waits.For(t, opening)
	e.Until(func() bool { return !e.Storage.Saved && strings.Contains(e.Storage.Problem, "damaged") })
	go list()
	reply := e.AskAs(session, id, `{"question":"Q?"}`)
	for range 100 { // of each kind: enough for any that does not wait
		rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
	}
	select {
	case got := <-reply:
		t.Errorf("returned while it could not be looked up: %+v", got)
	case page := <-pages:
		t.Errorf("returned while it could not be read: %+v", page)
	default:
	}
	if item := e.Item(id); item.State != protocol.ItemClosed {
		t.Errorf("it is %s", item.State)
	}
	close(opened)
	if got := waits.For(t, reply); got.Answer.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
	for range 2 {
		if page := <-pages; len(page.Entries) != 1 || page.Entries[0].Outcome.Text != "yes" {
			t.Errorf("got %+v", page)
		}
	}
	e.Until(func() bool { return e.Storage.Saved })
}

// Whichever store method fails, however often and in which way: an answer accepted while everything counted as saved is in the
// store, and later questions work.
func TestSavedAfterEachFailure(t *testing.T) {
	for _, method := range []string{"Open", "Commit", "Question", "Session", "Conversation", "OpenQuestions", "History", "Ping"} {
		for _, why := range []error{store.ErrUnavailable, store.ErrGone, store.ErrDamaged} {
			for _, times := range []int{1, 3} {
				t.Run(fmt.Sprint(method, " ", times, " times: ", why), func(t *testing.T) {
					t.Parallel()
					failsAndSaves(t, method, why, times)
				})
			}
		}
	}
}

func failsAndSaves(t *testing.T, method string, why error, times int) {
	folder, disk := t.TempDir(), rpctest.NewDisk()
	e := rpctest.ConnectTo(t, folder, onDisk(disk))
	session := e.Session("s")
	open, _ := e.Ask(session, `{"question":"Open?"}`)
	e.UntilState(open, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: open, Draft: protocol.Draft{Text: "half", ChangedAt: 1, Images: []protocol.DraftImage{gif}}})
	var left atomic.Int32
	left.Store(int32(times)) //nolint:gosec // few
	disk.Fail(method, func() error {
		if left.Add(-1) < 0 {
			return nil
		}
		return fmt.Errorf("%w, says the test", why)
	})
	if method == "Open" { // make the host reopen the store
		disk.Fail("Commit", func() error {
			disk.Fail("Commit", nil)
			return store.ErrGone
		})
	}
	var asked []string
	for n := range 5 {
		opened, err := rpc.Call(t.Context(), e.Conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: fmt.Sprint(n)})
		if err != nil { // a session that cannot be looked up is not opened
			if rpctest.ErrorCode(err) != protocol.CodeRefused {
				t.Error(err)
			}
			continue
		}
		id, reply := e.Ask(opened.Session, `{"question":"Q?"}`)
		select {
		case refused := <-reply: // a question that cannot be looked up is not asked
			if rpctest.ErrorCode(refused.Err) != protocol.CodeRefused {
				t.Errorf("got %+v", refused)
			}
			continue
		case <-untilPending(e, id):
		}
		if result := rpctest.Call(e, protocol.QuestionAnswer, typed(id, id)); !result.Accepted {
			t.Errorf("got %+v", result)
		}
		if got := waits.For(t, reply); got.Answer.Text != "<answer>\n"+id+"\n</answer>" {
			t.Errorf("got %+v", got)
		}
		asked = append(asked, id)
		_, _ = rpc.Call(t.Context(), e.Conn, protocol.HistoryList, protocol.HistoryListParams{})
		_, _ = rpc.Call(t.Context(), e.Conn, protocol.SessionGet, protocol.SessionParams{Session: session})
	}
	disk.Fail(method, nil)
	e.Until(func() bool { return e.Storage.Saved })
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	for _, id := range asked {
		if entry := rpctest.Call(again, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}); entry.Outcome.Text != id {
			t.Errorf("the history has %+v", entry.Outcome)
		}
	}
	if item := again.UntilState(open, protocol.ItemPending); item.Draft == nil || item.Draft.Text != "half" || len(item.Draft.Images) != 1 {
		t.Errorf("the open question came back with %+v", item.Draft)
	}
}

// untilPending is closed when a question is pending.
func untilPending(e *rpctest.Editor, id string) <-chan struct{} {
	pending := make(chan struct{})
	go func() {
		e.UntilAny(func() bool { return e.Items[id].State == protocol.ItemPending })
		close(pending)
	}()
	return pending
}

// When a store's handles fail permanently, such as after a network folder was remounted, the store is reopened and questions work.
func TestLastingFailure(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	session := e.Session("s")
	before := answered(t, e, session, "Before?", "yes")
	broken := disk.Count("Open")
	fails := func() error {
		if disk.Count("Open") == broken { // only handles opened before fail
			return fmt.Errorf("%w: bad file descriptor", store.ErrUnavailable)
		}
		return nil
	}
	for _, method := range []string{"Question", "Session", "Commit", "Ping", "History"} {
		disk.Fail(method, fails)
	}
	after := answered(t, e, session, "After?", "yes too")
	e.Until(func() bool { return e.Storage.Saved })
	for _, id := range []string{before, after} {
		rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
	}
}

// While a store loads page by page, nothing can happen to a question before its session is whole: what is accepted is in the history, and
// is what the agent gets.
func TestNothingHappensToAHalfLoadedSession(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var ids []string
	seed := rpctest.ConnectTo(t, folder, nil)
	for n := range 70 { // more than a page
		id, _ := seed.Ask(seed.Session(fmt.Sprint(n)), `{"question":"Q?","follow_up":["A"]}`)
		seed.UntilState(id, protocol.ItemPending)
		ids = append(ids, id)
	}
	seed.Leave()

	disk, loading, rest := rpctest.NewDisk(), make(chan struct{}), make(chan struct{})
	disk.Fail("OpenQuestions", func() error {
		if disk.Count("OpenQuestions") == 2 {
			close(loading)
			<-rest
		}
		return nil
	})
	e := rpctest.NewHost(t, folder, onDisk(disk)).Dial(protocol.InitializationOptions{StorageFolder: folder})
	rpc.Notify(e.Conn, protocol.Initialized, protocol.None{})
	waits.For(t, loading)
	var answers []func() (protocol.CloseResult, error)
	for n, id := range ids[:4] {
		request := jsonrpc2.ID{Str: fmt.Sprint("answer ", n), IsString: true}
		answers = append(answers, rpc.Send(e.Conn, request, protocol.QuestionAnswer, typed(id, "yes "+id)))
	}
	withdrawn := rpc.Send(e.Conn, jsonrpc2.ID{Str: "withdraw", IsString: true}, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: ids[4]})
	draft := rpc.Send(e.Conn, jsonrpc2.ID{Str: "draft", IsString: true}, protocol.QuestionSaveDraft,
		protocol.SaveDraftParams{QuestionID: ids[5], Draft: protocol.Draft{Text: "half", ChangedAt: 1}})
	rpctest.Call(e, relay.Ping, protocol.None{}) // the host has begun all of them
	close(rest)
	for n, wait := range answers {
		result, err := wait()
		if err != nil || !result.Accepted {
			t.Fatalf("%+v, %v", result, err)
		}
		if entry, err := rpc.Call(t.Context(), e.Conn, protocol.HistoryGet, protocol.QuestionParams{QuestionID: ids[n]}); err != nil || entry.Outcome.Text != "yes "+ids[n] {
			t.Fatalf("accepted, but the history has %+v, %v", entry, err)
		}
		if answer, err := rpc.Call(t.Context(), e.Conn, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: ids[n]}); err != nil || !strings.Contains(answer.Text, "yes "+ids[n]) {
			t.Errorf("the agent gets %+v, %v", answer, err)
		}
	}
	if result, err := withdrawn(); err != nil || !result.Accepted {
		t.Errorf("%+v, %v", result, err)
	}
	if _, err := draft(); err != nil {
		t.Error(err)
	}
	e.Subscribe()
	if item := e.UntilState(ids[5], protocol.ItemPending); item.Draft == nil || item.Draft.Text != "half" {
		t.Errorf("the draft is %+v", item.Draft)
	}
	if item := e.Item(ids[4]); item.State != "" {
		t.Errorf("the withdrawn question is %+v", item)
	}
}

// slowHost returns an editor of a host whose store takes too long to open, and a function that lets it open.
func slowHost(t *testing.T, folder string) (e *rpctest.Editor, open func()) {
	disk, opening := rpctest.NewDisk(), make(chan struct{})
	disk.Fail("Open", func() error {
		<-opening
		return nil
	})
	open = sync.OnceFunc(func() { close(opening) })
	h := rpctest.NewHost(t, folder, func(o *server.Options) {
		onDisk(disk)(o)
		o.Slow = time.Millisecond
	})
	t.Cleanup(open)
	e = h.Connect(protocol.InitializationOptions{StorageFolder: folder})
	e.Until(func() bool { return !e.Storage.Saved && e.Storage.Problem != "" })
	return e, open
}

const approval = `{"title":"Bash","subject":{"kind":"command","text":"ls"},"options":[{"id":"once","kind":"once"},{"id":"deny","kind":"deny"}]}`

// While a store takes long to open, a question that may have been asked before waits until the store can say: a denial is not forgotten.
// A new question is asked at once.
func TestRepeatedQuestionWaitsForASlowStore(t *testing.T) {
	t.Parallel()
	for _, rejoin := range []bool{false, true} {
		folder := t.TempDir()
		first := rpctest.ConnectTo(t, folder, nil)
		asks := protocol.AskParams{
			Session: first.Session("s"), QuestionID: rpctest.NewID(), Tool: "request_approval", Input: []byte(approval), Rejoin: rejoin, New: rejoin,
		}
		denied := first.AskWith(asks)
		first.UntilState(asks.QuestionID, protocol.ItemPending)
		rpctest.Call(first, protocol.QuestionDecide, protocol.DecideParams{QuestionID: asks.QuestionID, Option: "deny"})
		waits.For(t, denied)
		first.Leave()

		e, open := slowHost(t, folder)
		e.Session("s")
		again := e.AskWith(asks)
		fresh, _ := e.Ask(e.Session("other"), `{"question":"Now?"}`)
		e.UntilState(fresh, protocol.ItemPending)
		if item := e.Item(asks.QuestionID); item.State != "" {
			t.Errorf("taken for a new one: %+v", item)
		}
		for _, call := range []func() int64{
			func() int64 {
				return rpctest.Code(e, protocol.QuestionTouch, protocol.QuestionParams{QuestionID: fresh})
			},
			func() int64 { return rpctest.Code(e, protocol.QuestionAnswer, typed(fresh, "yes")) },
		} {
			if code := call(); code != 0 {
				t.Errorf("a new question cannot be answered: %d", code)
			}
		}
		open()
		if got := waits.For(t, again); got.Err != nil || got.Answer.Outcome != protocol.OutcomeDenied {
			t.Errorf("the agent got %+v", got)
		}
	}
}

// While a store takes long to open, a request for a session that is not in memory waits until the store can say whether there is one: an
// agent is not refused its session, and no session stays open that is reported as closed. Other requests do not wait behind it.
func TestStoredSessionWaitsForASlowStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := rpctest.ConnectTo(t, folder, nil)
	kept, closes := first.Session("kept"), first.Session("closes")
	asked, _ := first.Ask(kept, `{"question":"Q?"}`)
	withdrawn, _ := first.Ask(closes, `{"question":"Closed?"}`)
	first.UntilState(asked, protocol.ItemPending)
	first.UntilState(withdrawn, protocol.ItemPending)
	first.Leave()

	e, open := slowHost(t, folder)
	got := rpc.Send(e.Conn, jsonrpc2.ID{Str: "get", IsString: true}, protocol.SessionGet, protocol.SessionParams{Session: kept})
	closed := rpc.Send(e.Conn, jsonrpc2.ID{Str: "close", IsString: true}, protocol.SessionClose, protocol.SessionCloseParams{Session: closes})
	fresh, _ := e.Ask(e.Session("other"), `{"question":"Now?"}`)
	e.UntilState(fresh, protocol.ItemPending)
	open()
	state, err := got()
	if err != nil || len(state.Conversation) != 1 || state.Conversation[0].QuestionID != asked {
		t.Errorf("got %+v, %v", state, err)
	}
	if _, err := closed(); err != nil {
		t.Error(err)
	}
	if item := e.UntilState(withdrawn, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("the closed session's question: %+v", item.Outcome)
	}
}

// While a store takes long to open, a stream that is sent again waits until its calls can be looked up, and asks none of them twice.
func TestResumedStreamWaitsForASlowStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	gone := rpctest.ConnectTo(t, folder, nil)
	stream := protocol.StreamParams{Session: gone.Session("s"), StreamID: rpctest.NewID()}
	give(gone, stream)
	asked := foundIn(rpctest.Call(gone, protocol.StreamEnd, end(stream, protocol.StreamComplete)))
	rpctest.Call(gone, protocol.QuestionAnswer, typed(asked[0], "yes"))
	gone.Leave()

	e, open := slowHost(t, folder)
	e.Session("s")
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	give(e, stream)
	ended := rpc.Send(e.Conn, jsonrpc2.ID{Str: "end", IsString: true}, protocol.StreamEnd, end(stream, protocol.StreamComplete))
	fresh, _ := e.Ask(e.Session("other"), `{"question":"Now?"}`)
	e.UntilState(fresh, protocol.ItemPending)
	open()
	if result, err := ended(); err != nil || !slices.Equal(foundIn(result), asked) {
		t.Errorf("found %q, not %q, %v", foundIn(result), asked, err)
	}
}

// A question that may have been asked before fails at once if the store is of a newer version, which will not open.
func TestRepeatedQuestionAtANewerStore(t *testing.T) {
	t.Parallel()
	disk := rpctest.NewDisk()
	disk.Fail("Open", func() error { return fmt.Errorf("%w, says the test", store.ErrNewer) })
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	if got := waits.For(t, e.AskAs(e.Session("s"), rpctest.NewID(), `{"question":"Q?"}`)); rpctest.ErrorCode(got.Err) != protocol.CodeRefused {
		t.Errorf("got %+v", got)
	}
}
