package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// Revoking a token closes its connections at every hub, and no others. So does a new token for the same name.
func TestRevocationClosesConnections(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann, bob := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false, "ops"), invited(t, accounts, "Bob", false)
	sites := []*site{serve(t, storage, nil), serve(t, storage, nil)}
	var agents, anns, bobs []*program
	for _, s := range sites {
		agents, anns, bobs = append(agents, s.connect(ci)), append(anns, s.watch(ann)), append(bobs, s.watch(bob))
	}
	gone := func(token string, programs []*program, code websocket.StatusCode) {
		t.Helper()
		for i, p := range programs {
			if got := p.code(t); got != code {
				t.Errorf("closed with %d, want %d", got, code)
			}
			again := code == changed.Code
			waits.Until(t, fmt.Sprint("connects again: ", again), func() bool { // each hub reads the accounts on its own schedule
				conn, status, err := sites[i].dial(token)
				if err == nil {
					_ = conn.CloseNow()
				}
				return err == nil == again && (again || status == http.StatusUnauthorized)
			})
		}
	}
	if err := Revoke(t.Context(), accounts, DefaultTeam, "ci", false); err != nil {
		t.Fatal(err)
	}
	gone(ci, agents, revoked.Code)
	if _, err := Invite(t.Context(), accounts, Invitation{Name: "Ann", Groups: []string{"ops"}, Renew: true}); err != nil {
		t.Fatal(err)
	}
	gone(ann, anns, revoked.Code)
	for _, p := range bobs {
		rpctest.Call(p.Editor, protocol.InboxStatus, protocol.None{})
	}
	// People reconnect if they now see other questions: those for her, or her group, become visible to everyone.
	if err := Revoke(t.Context(), accounts, DefaultTeam, "Ann", false); err != nil {
		t.Fatal(err)
	}
	gone(bob, bobs, changed.Code)
	if err := Revoke(t.Context(), accounts, DefaultTeam, "Ann", false); err == nil {
		t.Error("a token was revoked twice")
	}
}

// After a renewal, the previous token works until its grace period ends. An expired token admits nobody, and its visits
// end. The accounts record each token's last use.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	before := invited(t, accounts, "ci", true)
	agent := s.connect(before)
	renew := func(grace time.Duration) string {
		t.Helper()
		token, err := Invite(t.Context(), accounts, Invitation{Name: "ci", Agent: true, Renew: true, Grace: grace})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	between := renew(time.Hour)
	after := s.connect(renew(2 * time.Second))
	if got := agent.code(t); got != expired.Code {
		t.Errorf("closed with %d", got)
	}
	for _, token := range []string{before, between} { // the shorter grace period applies
		if _, status, err := s.dial(token); err == nil || status != http.StatusUnauthorized {
			t.Errorf("an expired token: %d", status)
		}
	}
	_ = after.Session("s") // the token still works
	waits.Until(t, "the use is recorded", func() bool {
		all, err := accounts.Accounts(t.Context())
		return err == nil && len(all[0].Tokens) > 0 && !all[0].Tokens[0].Used.IsZero()
	})
	short, err := Invite(t.Context(), accounts, Invitation{Name: "Ann", Until: time.Now().Add(2 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.watch(short).code(t); got != expired.Code {
		t.Errorf("closed with %d", got)
	}
}

// A renewal with a grace period ends no connection.
func TestRenewalWithGrace(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	before := invited(t, accounts, "ci", true)
	agent := s.connect(before)
	session, id := agent.Session("s"), rpctest.NewID()
	answer := agent.AskAs(session, id, `{"question":"Q?"}`)
	token, err := Invite(t.Context(), accounts, Invitation{Name: "ci", Agent: true, Renew: true, Grace: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.connect(token) // so the hub has read the accounts
	person := s.watch(invited(t, accounts, "Ann", false))
	person.UntilState(id, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	if got := waits.For(t, answer); got.Err != nil {
		t.Error(got.Err)
	}
	_ = s.connect(before)
}

// If a person's tokens are revoked, open questions for that person are shown to everyone, but not those in the history.
func TestQuestionOfARevokedPerson(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann, bob := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false), invited(t, accounts, "Bob", false)
	s := serve(t, storage, nil)
	agent, hers, his := s.connect(ci), s.watch(ann), s.watch(bob)
	ask := func(to string) string {
		id := rpctest.NewID()
		agent.AskWith(protocol.AskParams{Session: agent.Session(id), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: to}})
		return id
	}
	closed, open := ask("Ann"), ask("Ann")
	hers.UntilState(closed, protocol.ItemPending)
	hers.UntilState(open, protocol.ItemPending)
	rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(closed, "mine"))
	if item := his.Item(open); item.QuestionID != "" {
		t.Errorf("he sees %+v", item)
	}
	if err := Revoke(t.Context(), accounts, DefaultTeam, "Ann", false); err != nil {
		t.Fatal(err)
	}
	if got := his.code(t); got != changed.Code {
		t.Errorf("closed with %d", got)
	}
	his = s.watch(bob)
	his.UntilState(open, protocol.ItemPending)
	if code := rpctest.Code(his.Editor, protocol.HistoryGet, protocol.QuestionParams{QuestionID: closed}); code != protocol.CodeRefused {
		t.Errorf("got %d", code)
	}
	if code := rpctest.Code(agent.Editor, protocol.QuestionAsk, protocol.AskParams{
		Session: agent.Session("s"), QuestionID: rpctest.NewID(), Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: "Ann"},
	}); code != -32602 {
		t.Errorf("a question for nobody: %d", code)
	}
}

// An open question for a group without members is shown to everyone, until the group has a member again.
func TestQuestionOfAnEmptyGroup(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann, bob := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false, "ops"), invited(t, accounts, "Bob", false)
	s := serve(t, storage, nil)
	agent, hers, his := s.connect(ci), s.watch(ann), s.watch(bob)
	id := rpctest.NewID()
	agent.AskWith(protocol.AskParams{Session: agent.Session("s"), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Envelope: protocol.Envelope{To: "ops"}})
	hers.UntilState(id, protocol.ItemPending)
	renewed, err := Invite(t.Context(), accounts, Invitation{Name: "Ann", Groups: []string{"dev"}, Renew: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = waits.For(t, hers.closed)
	_ = waits.For(t, his.closed)
	his = s.watch(bob)
	his.UntilState(id, protocol.ItemPending)
	s.watch(renewed).UntilState(id, protocol.ItemPending)
	if _, err := Invite(t.Context(), accounts, Invitation{Name: "Zoë", Groups: []string{"ops"}}); err != nil {
		t.Fatal(err)
	}
	if got := his.code(t); got != changed.Code {
		t.Errorf("closed with %d", got)
	}
	everybody, _ := agent.Ask(agent.Session("other"), `{"question":"Q?"}`)
	his = s.watch(bob)
	his.UntilState(everybody, protocol.ItemPending)
	if item := his.Item(id); item.QuestionID != "" {
		t.Errorf("he sees %+v", item)
	}
}

// A hub that ends notifies its connections and keeps the questions. A client that connects to another hub with the same
// ids gets the answers.
func TestHubEnds(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	one, two := serve(t, storage, nil), serve(t, storage, nil)
	agent, person := one.connect(ci), two.watch(ann)
	open, _ := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	closed, _ := agent.Ask(agent.Session("other"), `{"question":"Q?"}`)
	person.UntilState(closed, protocol.ItemPending)
	person.UntilState(open, protocol.ItemPending)
	one.stop()
	if got := agent.code(t); got != websocket.StatusGoingAway {
		t.Errorf("closed with %d", got)
	}
	if _, _, err := one.dial(ci); err == nil {
		t.Error("it still accepts connections")
	}
	if got := person.code(t); got != websocket.StatusGoingAway { // its hub had relayed it to the one that ended
		t.Errorf("closed with %d", got)
	}
	waits.Until(t, "the other hub takes over", func() bool { return len(two.hub.hosts()) == 1 })
	person = two.watch(ann)
	person.UntilState(closed, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(closed, "meanwhile"))
	again := two.connect(ci)
	for id, session := range map[string]string{open: again.Session("s"), closed: again.Session("other")} {
		answer := again.AskAs(session, id, `{"question":"Q?"}`)
		want := "meanwhile"
		if id == open {
			rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(open, "later"))
			want = "later"
		}
		if got := waits.For(t, answer); got.Err != nil || got.Answer.Text != "<answer>\n"+want+"\n</answer>" {
			t.Errorf("got %+v", got)
		}
	}
}

// A lost connection withdraws no question; a cancelled request does.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, nil)
	agent, person := s.connect(ci), s.watch(ann)
	id, _ := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	person.UntilState(id, protocol.ItemPending)
	agent.HangUp()
	_ = waits.For(t, agent.closed)
	waits.Until(t, "the hub notices it", func() bool { return s.hub.directory.count()[protocol.RoleAgent] == 0 })
	again := s.connect(ci)
	answer := again.AskAs(again.Session("s"), id, `{"question":"Q?"}`)
	rpctest.Call(again.Editor, protocol.SessionGet, protocol.SessionParams{Session: again.Session("s")}) // the request has begun
	if item := person.Item(id); item.State != protocol.ItemPending {
		t.Errorf("got %+v", item)
	}
	again.Cancel(protocol.QuestionAsk.Method)
	if got := waits.For(t, answer); rpctest.ErrorCode(got.Err) != protocol.CodeCancelled {
		t.Errorf("got %+v", got)
	}
	if item := person.UntilState(id, protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeWithdrawn || item.Outcome.AnsweredBy != "" {
		t.Errorf("got %+v", item.Outcome)
	}
}

// An account that sends many messages is slowed, and no other account.
func TestPace(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ann, bob := invited(t, accounts, "Ann", false), invited(t, accounts, "Bob", false)
	s := serve(t, storage, func(o *Options) { o.Burst, o.Rate = 10, 1e-3 }) // no further message within a test
	p := s.connect(ann)
	slowed := func() float64 { return value(t, s.hub, "followup_hub_slowed_total") }
	for range 9 { // in addition to the handshake
		rpctest.Call(p.Editor, protocol.InboxStatus, protocol.None{})
	}
	if got := slowed(); got != 0 {
		t.Errorf("%v messages were slowed", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	late := make(chan error, 1)
	go func() {
		late <- failureIn(ctx, p, protocol.InboxStatus, protocol.None{})
	}()
	waits.Until(t, "a message waits", func() bool { return slowed() == 1 })
	rpctest.Call(s.watch(bob).Editor, protocol.InboxStatus, protocol.None{})
	select {
	case err := <-late:
		t.Errorf("it did not wait: %v", err)
	default:
	}
	p.HangUp()
	_ = waits.For(t, late)
}

// An account with too many connections or open questions gets an error for further ones.
func TestLimits(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, other := invited(t, accounts, "ci", true), invited(t, accounts, "other", true)
	s := serve(t, storage, func(o *Options) { o.MaxVisits, o.MaxOpen = 2, 3 })
	agent, second := s.connect(ci), s.connect(ci)
	if _, status, err := s.dial(ci); err == nil || status != http.StatusTooManyRequests {
		t.Errorf("a third connection: %d, %v", status, err)
	}
	ask := func(p *program, key string) error {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return failureIn(ctx, p, protocol.QuestionAsk, protocol.AskParams{
			Session: p.Session(key), QuestionID: rpctest.NewID(), Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Deadline: 1,
		})
	}
	for n := range 3 {
		if err := ask([]*program{agent, second}[n%2], string(rune('a'+n))); err != nil {
			t.Error(err)
		}
	}
	if err := ask(agent, "d"); rpctest.ErrorCode(err) != protocol.CodeBusy {
		t.Errorf("got %v", err)
	}
	if err := ask(s.connect(other), "d"); err != nil {
		t.Error(err)
	}
	if got := value(t, s.hub, "followup_hub_open_questions"); got != 4 {
		t.Errorf("%v are open", got)
	}
}

// A question beyond the byte budget of an account, or of all, is rejected with the figures. Open questions stay open.
func TestBudgets(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, other, ann := invited(t, accounts, "ci", true), invited(t, accounts, "other", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, func(o *Options) { o.MaxBytes, o.MaxTeamBytes, o.MaxHubBytes = 10<<10, 15<<10, 20<<10 })
	ask := func(p *program, bytes int) error {
		return failureIn(t.Context(), p, protocol.QuestionAsk, protocol.AskParams{
			Session: p.Session(rpctest.NewID()), QuestionID: rpctest.NewID(), Tool: "ask_followup_question",
			Input: []byte(`{"question":"` + strings.Repeat("x", bytes) + `"}`), Deadline: 1,
		})
	}
	agent, second := s.connect(ci), s.connect(other)
	third := s.connect(joined(t, accounts, "other-team", "ci", true))
	page := s.watch(ann)
	for _, test := range []struct {
		of    *program
		bytes int
		want  string // in the error
	}{
		{agent, 6 << 10, ""}, {agent, 5 << 10, "of this account have 6 KiB of text, and may have 10 KiB"}, {agent, 3 << 10, ""},
		{second, 7 << 10, "of this team have 9 KiB of text, and may have 15 KiB"}, {second, 5 << 10, ""},
		{third, 7 << 10, "of this hub have 14 KiB of text, and may have 20 KiB"}, {third, 4 << 10, ""},
	} {
		err := ask(test.of, test.bytes)
		if test.want == "" && err != nil || test.want != "" && (rpctest.ErrorCode(err) != protocol.CodeBusy || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%d bytes: %v", test.bytes, err)
		}
	}
	page.Until(func() bool { return len(page.Items) == 3 })
	for id, item := range page.Items {
		if len(item.Payload.Question) == 6<<10 {
			rpctest.Call(page.Editor, protocol.QuestionAnswer, typed(id, "yes"))
		}
	}
	if err := ask(agent, 5<<10); err != nil {
		t.Errorf("after an answer: %v", err)
	}
}

// Hidden bytes count too: a suggestion's mode and a questionnaire's metadata. A session's texts have their own limit.
func TestBudgetsCountHiddenBytes(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci := invited(t, accounts, "ci", true)
	s := serve(t, storage, func(o *Options) { o.MaxBytes = 10 << 10 })
	agent := s.connect(ci)
	long := strings.Repeat("x", 11<<10)
	for tool, input := range map[string]string{
		"ask_followup_question": `{"question":"Q?","follow_up":[{"text":"a","mode":"` + long + `"}]}`,
		"AskUserQuestion": `{"metadata":{"source":"` + long + `"},"questions":[{"question":"Q?","header":"H","multiSelect":false,
			"options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`,
	} {
		err := failureIn(t.Context(), agent, protocol.QuestionAsk, protocol.AskParams{
			Session: agent.Session("s"), QuestionID: rpctest.NewID(), Tool: tool, Input: []byte(input), Deadline: 1,
		})
		if rpctest.ErrorCode(err) != protocol.CodeBusy {
			t.Errorf("%s: %v", tool, err)
		}
	}
	long = strings.Repeat("x", 65<<10)
	for _, opened := range []protocol.SessionOpenParams{
		{Agent: long, Key: "k"}, {Agent: "A", Key: long}, {Agent: "A", Key: "k", OpaqueTags: []string{long}},
		{Agent: "A", Key: "k", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: lsp.DocumentURI("file:///" + long)}}},
	} {
		if err := failureIn(t.Context(), agent, protocol.SessionOpen, opened); rpctest.ErrorCode(err) != jsonrpc2.CodeInvalidParams {
			t.Errorf("got %v", err)
		}
	}
}

// Revoking an account with its questions closes those, and no others. Without, they stay open.
func TestRevokedWithQuestions(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	s := serve(t, storage, nil)
	page := s.watch(invited(t, accounts, "Ann", false))
	ids := map[string]string{}
	for _, name := range []string{"gone", "left", "stays"} {
		agent := s.connect(invited(t, accounts, name, true))
		id, _ := agent.Ask(agent.Session("s"), `{"question":"`+name+`?"}`)
		ids[name] = id
		page.UntilState(id, protocol.ItemPending)
	}
	if err := errors.Join(Revoke(t.Context(), accounts, DefaultTeam, "left", false), Revoke(t.Context(), accounts, DefaultTeam, "gone", true)); err != nil {
		t.Fatal(err)
	}
	if item := page.UntilState(ids["gone"], protocol.ItemClosed); item.Outcome.Outcome != protocol.OutcomeDisconnected {
		t.Errorf("got %+v", item.Outcome)
	}
	for _, name := range []string{"left", "stays"} {
		if item := page.Item(ids[name]); item.State != protocol.ItemPending {
			t.Errorf("%s: %+v", name, item)
		}
	}
}

// Only a person's token opens the page, at every hub.
func TestPageOfAPerson(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	one, two := serve(t, storage, nil), serve(t, storage, nil)
	login := func(s *site, token string, change func(*http.Request)) (status int, cookies []*http.Cookie) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.address+"/login", strings.NewReader(token))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", s.address)
		if change != nil {
			change(r)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		return response.StatusCode, response.Cookies()
	}
	for token, want := range map[string]int{ci: http.StatusForbidden, "": http.StatusUnauthorized, newToken(): http.StatusUnauthorized, ann[:len(ann)-1]: http.StatusUnauthorized} {
		if status, cookies := login(one, token, nil); status != want || len(cookies) > 0 {
			t.Errorf("%.12s…: %d, want %d", token, status, want)
		}
	}
	if status, cookies := login(one, ann, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }); status != http.StatusForbidden || len(cookies) > 0 {
		t.Errorf("another origin: %d", status)
	}
	var cookie *http.Cookie
	for range 2 { // as on a laptop and on a phone
		status, cookies := login(one, ann, nil)
		if status != http.StatusOK || len(cookies) != 1 {
			t.Fatalf("got %d", status)
		}
		cookie = cookies[0]
	}
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/page" || cookie.MaxAge <= 0 {
		t.Errorf("got %v", cookie)
	}
	open := func(s *site, value, origin string) (*websocket.Conn, int) {
		header := http.Header{"Cookie": {cookie.Name + "=" + value}, "Origin": {origin}}
		conn, response, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(s.address, "http")+"/page/socket", &websocket.DialOptions{HTTPHeader: header}) //nolint:bodyclose // the library has read it
		if err != nil {
			return nil, response.StatusCode
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		return conn, 0
	}
	for name, refused := range map[string]struct {
		value, origin string
		status        int
	}{
		"an agent's token": {ci, one.address, http.StatusForbidden}, "none": {"", one.address, http.StatusUnauthorized},
		"another origin": {cookie.Value, "https://evil.example", http.StatusForbidden}, "another hub's": {cookie.Value, two.address, http.StatusForbidden},
	} {
		if _, status := open(one, refused.value, refused.origin); status != refused.status {
			t.Errorf("%s: %d, want %d", name, status, refused.status)
		}
	}
	for _, s := range []*site{one, two} {
		conn, status := open(s, cookie.Value, s.address)
		if conn == nil {
			t.Fatal(status)
		}
		send := func(body string) string {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(body)); err != nil {
				t.Fatal(err)
			}
			_, message, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(message)
		}
		if got := send(`{"jsonrpc":"2.0","id":1,"method":"inbox/subscribe","params":{}}`); !strings.Contains(got, `"items":[]`) {
			t.Errorf("got %s", got)
		}
		if got := send(`{"jsonrpc":"2.0","id":2,"method":"history/delete","params":{"all":true}}`); !strings.Contains(got, "-32093") {
			t.Errorf("got %s", got)
		}
	}
	// Another site's page cannot connect as a program, even with a token.
	header := http.Header{"Authorization": {"Bearer " + ann}, "Origin": {"https://evil.example"}}
	if _, response, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(one.address, "http")+"/rpc", &websocket.DialOptions{HTTPHeader: header}); err == nil || response.StatusCode != http.StatusForbidden { //nolint:bodyclose // the library has read it
		t.Errorf("got %v", err)
	}
	for _, s := range []*site{one, two} {
		for _, line := range s.log.All() {
			for _, field := range line.Context {
				if strings.Contains(field.String, "followup_") {
					t.Errorf("the log has a token: %+v", line)
				}
			}
		}
	}
}

// unreachable is a store that does not respond while away is set.
type unreachable struct {
	store.Store
	away *atomic.Bool
}

func (u unreachable) Ping(ctx context.Context) error {
	if u.away.Load() {
		return store.ErrUnavailable
	}
	return u.Store.Ping(ctx)
}

// The health check only reveals whether the hub should get visitors.
func TestReady(t *testing.T) {
	t.Parallel()
	away, storage := &atomic.Bool{}, t.TempDir()
	invited(t, opened(t, storage), "Ann", false)
	s := serve(t, storage, func(o *Options) {
		o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
			opened, report, err := sqlite.Open(ctx, place, so)
			return unreachable{opened, away}, report, err
		}
	})
	s.hub.readyFor = 0
	ready := func(want int) {
		t.Helper()
		waits.Until(t, "readiness", func() bool { return s.get("/readyz") == want })
		if got := s.get("/healthz"); got != http.StatusOK {
			t.Errorf("healthz: %d", got)
		}
	}
	ready(http.StatusOK)
	away.Store(true)
	ready(http.StatusServiceUnavailable)
	if got := value(t, s.hub, "followup_hub_ready"); got != 0 {
		t.Errorf("got %v", got)
	}
	away.Store(false)
	ready(http.StatusOK)
	s.hub.end()
	if s.hub.Ready(t.Context()) == nil {
		t.Error("a stopping hub is ready")
	}
}

// gated is a store whose reads of a question block while it is shut. It reports the maximum number of concurrent ones.
type gated struct {
	store.Store
	shut    *atomic.Bool
	arrived chan struct{}
	open    chan struct{}
	here    *atomic.Int64
	most    *atomic.Int64
}

func (g gated) Question(ctx context.Context, id string) (store.Question, error) {
	if !g.shut.Load() {
		return g.Store.Question(ctx, id)
	}
	if here := g.here.Add(1); here > g.most.Load() {
		g.most.Store(here)
	}
	defer g.here.Add(-1)
	g.arrived <- struct{}{}
	<-g.open
	return g.Store.Question(ctx, id)
}

// A connection has at most two large results built concurrently. Others wait, and small ones do not.
func TestLargeResultsAreLimited(t *testing.T) {
	t.Parallel()
	const asked = 20
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
	g := gated{shut: &atomic.Bool{}, arrived: make(chan struct{}, asked), open: make(chan struct{}), here: &atomic.Int64{}, most: &atomic.Int64{}}
	s := serve(t, storage, func(o *Options) {
		o.Server.OpenStore = func(ctx context.Context, place string, so store.Options) (store.Store, store.Report, error) {
			opened, report, err := sqlite.Open(ctx, place, so)
			g := g
			g.Store = opened
			return g, report, err
		}
	})
	agent, person := s.connect(ci), s.watch(ann)
	id, answer := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	person.UntilState(id, protocol.ItemPending)
	rpctest.Call(person.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	_ = waits.For(t, answer)
	g.shut.Store(true)
	got := make(chan error, asked)
	for range asked {
		go func() {
			got <- failureIn(t.Context(), person, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id})
		}()
	}
	for range 2 {
		_ = waits.For(t, g.arrived)
	}
	rpctest.Call(person.Editor, protocol.InboxStatus, protocol.None{})
	close(g.open)
	for range asked {
		if err := waits.For(t, got); err != nil {
			t.Error(err)
		}
	}
	if most := g.most.Load(); most > 2 {
		t.Errorf("%d were built concurrently, want at most 2", most)
	}
}

// An agent's messages are limited in size, and its running requests in number.
func TestAgentIsBounded(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci := invited(t, accounts, "ci", true)
	s := serve(t, storage, func(o *Options) { o.MaxWaiting = 1 })
	agent, other := s.connect(ci), s.connect(ci)
	open, answer := agent.Ask(agent.Session("s"), `{"question":"Q?"}`)
	waits.Until(t, "it is open", func() bool { return value(t, s.hub, "followup_hub_open_questions") == 1 })
	if err := failure(other, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: open}); rpctest.ErrorCode(err) != protocol.CodeBusy {
		t.Errorf("got %v", err)
	}
	agent.Cancel(protocol.QuestionAsk.Method)
	_ = waits.For(t, answer)
	if err := failure(other, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: open}); rpctest.ErrorCode(err) != protocol.CodeCancelled {
		t.Errorf("got %v", err)
	}
	long, _, err := s.dial(ci)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = long.Write(t.Context(), websocket.MessageText, make([]byte, agentMessage+1)) }()
	if _, _, err := long.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("got %v", err)
	}
}
