package hub

import (
	"encoding/base64"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/waits"
)

// desk is a person's keeper, with windows that are linked to a hub.
type desk struct {
	*site
	accounts store.Store
	keeper   *rpctest.Host
	ann, ci  string // tokens
	agent    *program
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	storage := t.TempDir()
	d := &desk{accounts: opened(t, storage), keeper: rpctest.NewHost(t, "", nil)}
	d.ann = invited(t, d.accounts, "Ann", false)
	d.ci = invited(t, d.accounts, "ci", true)
	d.site = serve(t, storage, nil)
	d.agent = d.connect(d.ci)
	return d
}

// window returns a new window that is linked to the hub with Ann's token.
func (d *desk) window() *rpctest.Editor {
	d.t.Helper()
	e := d.keeper.Connect(protocol.InitializationOptions{})
	if now := d.link(e, d.ann); now.State != protocol.HubConnected || now.Account != "Ann" || now.Name != "Test" {
		d.t.Fatalf("the hub is %+v", now)
	}
	return e
}

func (d *desk) link(e *rpctest.Editor, token string) protocol.HubState {
	d.t.Helper()
	return rpctest.Call(e, protocol.HubConnect, protocol.HubConnectParams{URL: d.address, Token: token})
}

func (d *desk) unlink(e *rpctest.Editor) {
	d.t.Helper()
	rpctest.Call(e, protocol.HubConnect, protocol.HubConnectParams{})
}

// links blocks until the hub has so many connections of people.
func (d *desk) links(want int) {
	d.t.Helper()
	got := func() int { return d.hub.directory.count()[protocol.RolePerson] }
	waits.Until(d.t, fmt.Sprint("connections of people: ", want), func() bool { return got() == want })
}

// ask asks a question at the hub, and waits until the windows show it.
func (d *desk) ask(windows ...*rpctest.Editor) (string, <-chan rpctest.Reply) {
	d.t.Helper()
	id := rpctest.NewID()
	reply := d.agent.AskAs(d.agent.Session(id), id, `{"question":"Which port?","follow_up":["80","81"]}`)
	for _, e := range windows {
		if item := e.UntilState(id, protocol.ItemPending); item.Hub != "Test" {
			d.t.Errorf("got %+v", item)
		}
	}
	return id, reply
}

func TestWindowsShareOneLink(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a, b := d.window(), d.window()
	d.links(1)
	id, _ := d.ask(a, b)
	c := d.window() // it gets the open questions
	c.UntilState(id, protocol.ItemPending)
	d.links(1)

	// The same values change nothing. Other values, or none, only affect one window.
	sent := a.ItemsSent()
	if now := d.link(a, d.ann); now.State != protocol.HubConnected {
		t.Errorf("named again, the hub is %+v", now)
	}
	bob := d.invite(d.accounts, "Bob", false)
	if now := d.link(b, bob); now.Account != "Bob" {
		t.Errorf("the hub is %+v", now)
	}
	b.UntilState(id, protocol.ItemPending)
	d.links(2)
	d.unlink(c)
	c.Until(func() bool { return c.Hub.State == protocol.HubOff && len(c.Items) == 0 })
	d.ask(a, b)
	if got := a.ItemsSent(); got != sent+1 || len(a.Removed) > 0 {
		t.Errorf("got %d items, removed %v", got-sent, a.Removed)
	}

	// The last window closes the link.
	_ = d.link(c, d.ann)
	a.Leave()
	d.ask(c)
	d.links(2)
	c.Leave()
	d.links(1)
	d.unlink(b)
	d.links(0)
}

// A further window causes no further link to the keeper or the hub.
func BenchmarkFurtherWindow(b *testing.B) {
	const windows = 50
	for range b.N {
		d := newDesk(b)
		all := []*rpctest.Editor{d.window()}
		used := func() uint64 {
			runtime.GC()
			runtime.GC() // pooled objects survive one
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			return now.HeapInuse + now.StackInuse
		}
		before := used()
		for range windows {
			all = append(all, d.keeper.Connect(protocol.InitializationOptions{}))
		}
		plain := used()
		for _, e := range all[1:] {
			d.link(e, d.ann)
		}
		linked := used()
		b.ReportMetric(float64(plain-before)/windows/1024, "KiB/window")
		b.ReportMetric(float64(int64(linked)-int64(plain))/windows/1024, "KiB/link")
		b.ReportMetric(float64(d.hub.directory.count()[protocol.RolePerson]), "connections")
	}
}

// A draft of one window appears in the others, and is not sent back.
func TestDraftsInAllWindows(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a, b := d.window(), d.window()
	id, _ := d.ask(a, b)
	sent := a.ItemsSent()
	image := protocol.DraftImage{MimeType: "image/gif", Data: base64.StdEncoding.EncodeToString([]byte("GIF89a"))}
	image.Hash = store.HashOf(image.MimeType, []byte("GIF89a"))
	named := image
	named.Data = ""
	save := func(e *rpctest.Editor, text string, at int64, images ...protocol.DraftImage) protocol.SaveDraftResult {
		t.Helper()
		return rpctest.Call(e, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: id, Draft: protocol.Draft{
			Text: text, Images: images, ChangedAt: at,
		}})
	}
	hasDraft := func(e *rpctest.Editor, text string, images ...protocol.DraftImage) {
		t.Helper()
		e.Until(func() bool { return e.Items[id].Draft != nil && e.Items[id].Draft.Text == text })
		if diff := cmp.Diff(images, e.Item(id).Draft.Images); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
	}
	if got := save(a, "unknown", 1, named); len(got.Missing) != 1 {
		t.Errorf("got %+v", got)
	}
	save(a, "one", 2, image)
	hasDraft(b, "one", image)
	save(a, "two", 3, named)
	hasDraft(b, "two", image)
	save(b, "older", 1)
	if got := a.ItemsSent(); got != sent || b.ImagesSent != 1 {
		t.Errorf("the window that saves gets %d items, the other one %d images", got-sent, b.ImagesSent)
	}
	save(b, "three", 4, named)
	a.Until(func() bool { return a.Items[id].Draft != nil && a.Items[id].Draft.Text == "three" })
	hasDraft(d.window(), "three", image)
	save(b, "", 5)
	b.Until(func() bool { return true })
	a.Until(func() bool { return a.Items[id].Draft == nil })

	// Another machine of hers gets the draft from the hub, and its changes reach all windows here.
	save(a, "four", 6)
	elsewhere := d.watch(d.ann)
	hasDraft(elsewhere.Editor, "four")
	save(elsewhere.Editor, "five", 7)
	hasDraft(a, "five")
	hasDraft(b, "five")
}

// Each window may answer. The first answer wins, and each sender gets its own result.
func TestAnswersOfAnyWindow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a, b := d.window(), d.window()
	id, reply := d.ask(a, b)
	if got := rpctest.Call(b, protocol.QuestionAnswer, typed(id, "8080")); !got.Accepted || got.Outcome.AnsweredBy != "Ann" {
		t.Errorf("got %+v", got)
	}
	if got := waits.For(t, reply); got.Answer.Outcome != protocol.OutcomeAnswered || !strings.Contains(got.Answer.Text, "8080") {
		t.Errorf("the agent got %+v", got)
	}
	for _, e := range []*rpctest.Editor{a, b} {
		if item := e.UntilState(id, protocol.ItemClosed); item.Outcome.AnsweredBy != "Ann" {
			t.Errorf("got %+v", item.Outcome)
		}
	}
	// A repeated answer, as after a keeper ends, is the same answer.
	if got := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "8080")); !got.Accepted || got.Outcome.AnsweredBy != "Ann" {
		t.Errorf("got %+v", got)
	}
	if got := rpctest.Call(a, protocol.QuestionAnswer, typed(id, "3000")); got.Accepted || got.Outcome.Text != "8080" {
		t.Errorf("got %+v", got)
	}
	id, reply = d.ask(a, b)
	results := make(chan protocol.CloseResult, 2)
	for _, e := range []*rpctest.Editor{a, b} {
		wait := rpc.Send(e.Conn, jsonrpc2.ID{Str: "answer", IsString: true}, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
		go func() {
			result, err := wait()
			if err != nil {
				t.Error(err)
			}
			results <- result
		}()
	}
	for range 2 {
		if got := waits.For(t, results); got.Outcome.Outcome != protocol.OutcomeDismissed {
			t.Errorf("got %+v", got)
		}
	}
	waits.For(t, reply)

	// An answer is given even if its window closes, including the last one.
	for _, e := range []*rpctest.Editor{a, b} {
		id, reply = d.ask(e)
		rpc.Send(e.Conn, jsonrpc2.ID{Str: "last", IsString: true}, protocol.QuestionAnswer, typed(id, "81"))
		e.Conn.Close()
		waits.For(t, e.Conn.Flushed())
		e.Leave()
		if got := waits.For(t, reply); got.Answer.Outcome != protocol.OutcomeAnswered {
			t.Errorf("the agent got %+v", got)
		}
	}
	d.links(0)
}

// The hub knows whether any window shows its questions.
func TestAnyWindowShowsTheHub(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	shown := func(want bool) {
		t.Helper()
		waits.Until(t, fmt.Sprint("an inbox is shown: ", want), func() bool {
			return rpctest.Call(d.agent.Editor, protocol.InboxStatus, protocol.None{}).Shown == want
		})
	}
	show := func(e *rpctest.Editor, is bool) {
		rpc.Notify(e.Conn, protocol.InboxDidShow, protocol.InboxDidShowParams{Shown: is})
	}
	a, b := d.window(), d.window()
	shown(true)
	show(a, false)
	show(b, false)
	shown(false)
	show(a, true)
	shown(true)
	show(b, true)
	show(b, false) // a shows it
	rpctest.Call(b, protocol.InboxStatus, protocol.None{})
	shown(true)
	d.unlink(a)
	shown(false)
	_ = d.link(a, d.ann)
	shown(true)
	a.Leave()
	shown(false)
}

// One window notifies the user of a hub's question. The notice ends when someone else answers.
func TestOneNoticeOfAHubQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	windows := []*rpctest.Editor{d.window(), d.window()}
	for _, e := range windows {
		rpc.Notify(e.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Focused: true})
		rpctest.Call(e, protocol.InboxStatus, protocol.None{})
	}
	count := func() (shown, ended int) {
		for _, e := range windows {
			e.Until(func() bool { shown, ended = shown+len(e.Notices), ended+len(e.Ended); return true })
		}
		return shown, ended
	}
	id, _ := d.ask(windows...)
	waits.Until(t, "the user is notified", func() bool { shown, _ := count(); return shown > 0 })
	rpctest.Call(windows[0], protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	waits.Until(t, "the notice ends", func() bool { _, ended := count(); return ended > 0 })
	id, _ = d.ask(windows...)
	waits.Until(t, "the user is notified again", func() bool { shown, _ := count(); return shown > 1 })
	if shown, ended := count(); shown != 2 || ended != 1 {
		t.Errorf("shown %d times, ended %d times", shown, ended)
	}
	// The window with the notice reconnects. The notice stays until the question is closed.
	shows := slices.IndexFunc(windows, func(e *rpctest.Editor) (is bool) {
		e.Until(func() bool {
			is = slices.ContainsFunc(e.Notices, func(n protocol.Notice) bool { return n.QuestionID == id })
			return true
		})
		return is
	})
	windows[shows].Leave()
	again := d.window()
	rpc.Notify(again.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true, Shown: []string{"gone", id}})
	again.Until(func() bool { return len(again.Ended) == 1 })
	rpctest.Call(windows[1-shows], protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	again.Until(func() bool { return len(again.Ended) == 2 })
	if diff := cmp.Diff([]string{"gone", id}, again.Ended); diff != "" || len(again.Notices) > 0 {
		t.Errorf("got %+v; ended (-want +got):\n%s", again.Notices, diff)
	}
}

// A link by an agent's token is closed again.
func TestWindowWithAnAgentsToken(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	e := d.keeper.Connect(protocol.InitializationOptions{})
	for range 2 {
		if now := d.link(e, d.ci); now.State != protocol.HubRefused || !strings.Contains(now.Problem, "an agent's") {
			t.Errorf("the hub is %+v", now)
		}
	}
	waits.Until(t, "only the agent's own connection is left", func() bool { return d.hub.directory.count()[protocol.RoleAgent] == 1 })
}

// Revoking a token affects all windows that use it, and each may then use a new one.
func TestTokenOfAllWindows(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a, b := d.window(), d.window()
	id, _ := d.ask(a, b)
	token, err := Invite(t.Context(), d.accounts, Invitation{Name: "Ann", Renew: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*rpctest.Editor{a, b} {
		e.Until(func() bool { return e.Hub.State == protocol.HubRefused })
		if code := rpctest.Code(e, protocol.QuestionAnswer, typed(id, "late")); code != protocol.CodeRefused {
			t.Errorf("an answer without a link: %d", code)
		}
		if now := d.link(e, d.ann); now.State != protocol.HubRefused || !strings.Contains(now.Problem, "does not accept the token") {
			t.Errorf("the hub is %+v", now)
		}
	}
	if now := d.link(a, token); now.State != protocol.HubConnected {
		t.Errorf("the hub is %+v", now)
	}
	a.UntilState(id, protocol.ItemPending)
	if b.Until(func() bool { return b.Hub.State == protocol.HubRefused }); b.Item(id).State != protocol.ItemPending {
		t.Errorf("the other window has %+v", b.Item(id))
	}
	if now := d.link(b, token); now.State != protocol.HubConnected {
		t.Errorf("the hub is %+v", now)
	}
	d.links(1)
	b.UntilState(id, protocol.ItemPending)
	if got := rpctest.Call(b, protocol.QuestionAnswer, typed(id, "8080")); !got.Accepted {
		t.Errorf("got %+v", got)
	}
	a.UntilState(id, protocol.ItemClosed)
}

// A hub's messages are in the language of the window.
func TestWindowsOfTwoLanguages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for language, words := range map[string]string{"en": "does not accept the token", "fr": "n'accepte pas le jeton"} {
		e := d.keeper.Connect(protocol.InitializationOptions{Locale: language})
		if now := d.link(e, "followup_UNKNOWN"); !strings.Contains(now.Problem, words) {
			t.Errorf("%s: %q", language, now.Problem)
		}
		if now := d.link(e, d.ann); now.State != protocol.HubConnected {
			t.Errorf("the hub is %+v", now)
		}
	}
	d.links(2)
}

// A hub notifies a person's browser in the browser's language, and not in the hub's.
func TestNoticeInTheLanguageOfTheBrowser(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	browser := d.connectIn(d.ann, "fr")
	browser.Subscribe()
	rpc.Notify(browser.Conn, protocol.NoticeAttend, protocol.NoticeAttendParams{CanNotify: true})
	d.agent.Ask(d.agent.Session("s"), `{"question":"Q?"}`)
	browser.Until(func() bool { return len(browser.Notices) > 0 })
	if title := browser.Notices[0].Title; !strings.HasSuffix(title, "vous pose une question") {
		t.Errorf("the title is %q", title)
	}
}
