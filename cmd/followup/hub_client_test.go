//go:build !nohub

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// team is a hub of the real binary, behind a proxy for its clients.
type team struct {
	t       *testing.T
	storage string
	command *exec.Cmd
	proxy   *proxy
}

func startTeam(t *testing.T) *team {
	t.Helper()
	h := &team{t: t, storage: storageDir(t), proxy: startProxy(t)}
	h.start()
	return h
}

func (h *team) start() {
	h.t.Helper()
	h.command = exec.Command(binary, "hub", "--json", "--name", "Team", "--listen", "127.0.0.1:0", "--storage", h.storage)
	origin, _, _ := serves(h.t, h.command)
	h.proxy.leadTo(strings.TrimSuffix(strings.TrimPrefix(origin, "http://"), "/"))
}

// kill kills the hub.
func (h *team) kill() {
	h.proxy.leadTo("")
	_ = h.command.Process.Kill()
	_ = h.command.Wait() // it returns that the process was killed
}

// invited invites name, and returns the file with the token.
func (h *team) invited(name string, args ...string) string {
	h.t.Helper()
	status, token, stderr := shell(h.t, h.storage, append([]string{"hub", "invite", name}, args...)...)
	if status != 0 {
		h.t.Fatal(stderr)
	}
	path := filepath.Join(h.t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(token), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// editor starts an editor's sidecar that is connected to the hub.
func (h *team) editor(tokenFile string) *sidecar {
	h.t.Helper()
	s := startSidecar(h.t, storageDir(h.t))
	if now := s.connectHub(h.proxy.url(), tokenFile); now.State != protocol.HubConnected || now.Name != "Team" || now.Account != "Ann" {
		h.t.Fatalf("the hub is %+v; the log:\n%s", now, s.stderr.String())
	}
	return s
}

func (s *sidecar) connectHub(url, tokenFile string) protocol.HubState {
	s.t.Helper()
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		s.t.Fatal(err)
	}
	now, err := rpc.Call(s.t.Context(), s.conn, protocol.HubConnect, protocol.HubConnectParams{URL: url, Token: strings.TrimSpace(string(token))})
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}

// onlyHub waits for the hub's only answerable question. It ignores the questions besides, whose end may not have arrived yet.
func (s *sidecar) onlyHub(besides ...string) (item protocol.InboxItem) {
	s.t.Helper()
	s.untilTrue(func() bool {
		for _, each := range s.items {
			if each.State == protocol.ItemPending && each.Hub == "Team" && !slices.Contains(besides, each.QuestionID) {
				item = each
			}
		}
		return item.QuestionID != ""
	})
	return item
}

// answerHub answers a question of the hub once there is a link.
func (s *sidecar) answerHub(id, text string) (result protocol.CloseResult) {
	s.t.Helper()
	waits.Until(s.t, "the answer is taken", func() bool {
		var err error
		result, err = rpc.Call(s.t.Context(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text,
		})
		var wrong *jsonrpc2.Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Code != protocol.CodeRefused) {
			s.t.Fatal(err)
		}
		return err == nil
	})
	return result
}

// If nobody can see a question at a hub, the warning points to the hub's page instead of the user's own inbox.
func TestNobodyIsAtTheHub(t *testing.T) {
	t.Parallel()
	h := startTeam(t)
	nobody := startAsk(t, storageDir(t), "", "Deploy?", "--suggest", "Yes", "--need-inbox", "--hub", h.proxy.url(), "--hub-token-file", h.invited("ci", "--agent"))
	if status := nobody.ended(); status != exitNotShown {
		t.Errorf("status %d", status)
	}
	if warning := nobody.stderr.String(); !strings.Contains(warning, "the hub's page") || strings.Contains(warning, "followup web") {
		t.Errorf("the warning is %s", warning)
	}
}

// An agent's hook asks a hub for permission. A person without the right sees the request, but is refused with a message about who can help.
func TestPermissionThroughAHub(t *testing.T) {
	t.Parallel()
	h := startTeam(t)
	ann := h.editor(h.invited("Ann"))
	agent := startHook(t, storageDir(t), "codex", "--approvals", "--hub", h.proxy.url(), "--hub-token-file", h.invited("ci", "--agent"))
	const asks = `{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make deploy"}}`
	if _, err := io.WriteString(agent.in, asks); err != nil {
		t.Fatal(err)
	}
	_ = agent.in.Close()
	decide := func() error {
		item := ann.onlyHub()
		at := slices.IndexFunc(item.Payload.Options, func(o protocol.Choice) bool { return o.Kind == protocol.ChoiceOnce })
		option := item.Payload.Options[at]
		_, err := rpc.Call(t.Context(), ann.conn, protocol.QuestionDecide, protocol.DecideParams{
			QuestionID: item.QuestionID, Option: option.ID, Digest: item.Payload.Digest(option),
		})
		return err
	}
	if err := decide(); err == nil || !strings.Contains(err.Error(), "followup hub invite NAME --renew --may-approve") {
		t.Errorf("got %v", err)
	}
	if now := ann.connectHub(h.proxy.url(), h.invited("Ann", "--renew", "--may-approve")); now.State != protocol.HubConnected {
		t.Fatalf("the hub is %+v", now)
	}
	if err := decide(); err != nil {
		t.Error(err)
	}
	if status := agent.wait(t); status != 0 || !strings.Contains(agent.stdout.String(), `"behavior":"allow"`) {
		t.Errorf("status %d, it says %q and %q", status, agent.stdout.String(), agent.stderr.String())
	}
}

// A question at a hub survives broken links and a killed hub: it stays one question, and its answer arrives late.
func TestAskThroughAHub(t *testing.T) {
	t.Parallel()
	h := startTeam(t)
	agent, person := h.invited("ci", "--agent"), h.invited("Ann")
	editor := h.editor(person)
	at := []string{"--hub", h.proxy.url(), "--hub-token-file", agent}

	ask := startAsk(t, storageDir(t), "", append([]string{"Deploy?", "--suggest", "Yes"}, at...)...)
	// The flag overrides the variable FOLLOWUP_STORAGE, which names another place.
	asked := editor.onlyHub()
	if asked.Agent != "followup ask · ci" || asked.Orphaned {
		t.Errorf("asked: %+v", asked)
	}
	h.proxy.cut()
	h.kill()
	editor.untilTrue(func() bool { return editor.hub.State == protocol.HubConnecting }) // before that, an answer would wait for the next link
	_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: asked.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "nobody hears it",
	})
	var wrong *jsonrpc2.Error
	if !errors.As(err, &wrong) || wrong.Code != protocol.CodeRefused || !strings.Contains(wrong.Message, "Team") {
		t.Errorf("an answer without a link: %v", err)
	}
	h.start()
	if result := editor.answerHub(asked.QuestionID, "go ahead"); !result.Accepted || result.Outcome.AnsweredBy != "Ann" {
		t.Errorf("answering returned %+v", result)
	}
	if status := ask.ended(); status != 0 || ask.stdout.String() != "go ahead\n" {
		t.Errorf("status %d, %q, %s", status, ask.stdout.String(), ask.stderr.String())
	}
	if !strings.Contains(ask.stderr.String(), "There is no connection to the hub") {
		t.Errorf("the reason for the wait is missing: %s", ask.stderr.String())
	}
	if past := pastIn(t, storeOf(t, h.storage, "main")); len(past) != 1 || past[0].QuestionID != asked.QuestionID {
		t.Errorf("the history has %+v", past)
	}

	// The same holds for an MCP client. A proxy that blocks traffic is not noticed at once, and does no harm.
	agentic := startMCP(t, storageDir(t), append(at, "--limit", "0")...)
	agentic.send(`{"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"test","version":"1"},"capabilities":{"elicitation":{}}}}`)
	agentic.receive()
	agentic.send(`{"method":"notifications/initialized"}`)
	agentic.send(`{"id":2,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Which port?","follow_up":[]}}}`)
	first := asked.QuestionID
	asked = editor.onlyHub(first)
	h.proxy.cut()
	editor.answerHub(asked.QuestionID, "8080")
	if answer := agentic.receive(); !strings.Contains(answer, `8080`) {
		t.Errorf("the agent gets %s", answer)
	}
	agentic.end()

	// A terminal on another machine lists the open questions.
	ask = startAsk(t, storageDir(t), "", append([]string{"Again?", "--keep"}, at...)...)
	asked = editor.onlyHub(first, asked.QuestionID)
	status, listed, stderr := shell(t, "", "inbox", "--json", "--hub", h.proxy.url(), "--hub-token-file", person)
	if status != 0 || strings.Count(listed, `"questionId"`) != 1 || !strings.Contains(listed, asked.QuestionID) {
		t.Errorf("inbox: %d, %s%s", status, listed, stderr)
	}
	// Waiting clients are notified when their token is revoked.
	if status, _, stderr := shell(t, h.storage, "hub", "revoke", "ci"); status != 0 {
		t.Fatal(stderr)
	}
	if status := ask.ended(); status != 1 || !strings.Contains(ask.stderr.String(), "does not accept the token") || strings.Contains(ask.stderr.String(), "jsonrpc2") {
		t.Errorf("status %d: %s", status, ask.stderr.String())
	}
	editor.answerHub(asked.QuestionID, "too late for it")
}

// All windows share one link. It breaks and reconnects for all of them, even if their keeper is killed.
func TestLinkOfAllWindows(t *testing.T) {
	t.Parallel()
	h := startTeam(t)
	agent, person, storage := h.invited("ci", "--agent"), h.invited("Ann"), storageDir(t)
	windows := []*sidecar{startSidecar(t, storage), startSidecar(t, storage)}
	for _, s := range windows {
		if now := s.connectHub(h.proxy.url(), person); now.State != protocol.HubConnected {
			t.Fatalf("the hub is %+v", now)
		}
	}
	ask := startAsk(t, storageDir(t), "", "Deploy?", "--hub", h.proxy.url(), "--hub-token-file", agent)
	asked := windows[0].onlyHub()
	windows[1].onlyHub()
	if n := h.proxy.connections(); n != 2 {
		t.Errorf("%d connections, of one agent and one person", n)
	}
	h.kill()
	for _, s := range windows {
		s.untilTrue(func() bool { return s.hub.State == protocol.HubConnecting && s.hub.Problem != "" })
		_, err := rpc.Call(t.Context(), s.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: asked.QuestionID})
		if rpctest.ErrorCode(err) != protocol.CodeRefused {
			t.Errorf("an answer without a link: %v", err)
		}
	}
	saved := make(chan error, 1)
	go func() {
		_, err := rpc.Call(t.Context(), windows[0].conn, protocol.QuestionSaveDraft, protocol.SaveDraftParams{
			QuestionID: asked.QuestionID, Draft: protocol.Draft{Text: "begun", ChangedAt: 1},
		})
		saved <- err
	}()
	has := func(s *sidecar) {
		t.Helper()
		s.untilTrue(func() bool { d := s.items[asked.QuestionID].Draft; return d != nil && d.Text == "begun" })
	}
	has(windows[1])
	h.start()
	if err := waits.For(t, saved); err != nil {
		t.Error(err)
	}
	late := startSidecar(t, storage)
	if now := late.connectHub(h.proxy.url(), person); now.State != protocol.HubConnected {
		t.Errorf("the hub is %+v", now)
	}
	has(late)
	late.disconnect()

	killKeeper(storage)
	windows[1].answerHub(asked.QuestionID, "go ahead") // before the next keeper has a link
	windows[0].untilTrue(func() bool { return windows[0].items[asked.QuestionID].State == protocol.ItemClosed })
	if status := ask.ended(); status != 0 || ask.stdout.String() != "go ahead\n" {
		t.Errorf("status %d, %q, %s", status, ask.stdout.String(), ask.stderr.String())
	}
	// A window that missed the end requests it, as its relay does after a restart of the keeper.
	entry, err := rpc.Call(t.Context(), windows[0].conn, protocol.HistoryGet, protocol.QuestionParams{QuestionID: asked.QuestionID})
	if err != nil || entry.Outcome.Text != "go ahead" {
		t.Errorf("the hub's history has %+v, %v", entry.Outcome, err)
	}
	waits.Until(t, "one connection is left", func() bool { return h.proxy.connections() == 1 })
}

// A permanent problem is reported at once, with its solution.
func TestHubRefuses(t *testing.T) {
	t.Parallel()
	h := startTeam(t)
	agent, person := h.invited("ci", "--agent"), h.invited("Ann")
	open := filepath.Join(storageDir(t), "open")
	err := errors.Join(os.WriteFile(open, []byte("followup_TOKEN"), 0o600), os.Chmod(open, 0o644)) // readable by others under any umask
	if err != nil {
		t.Fatal(err)
	}
	unknown := filepath.Join(storageDir(t), "unknown")
	if err := os.WriteFile(unknown, []byte("followup_ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := h.proxy.url()
	for _, test := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"a token that others can read", []string{"ask", "Deploy?", "--hub", url, "--hub-token-file", open}, 1, "chmod 600"},
		{"no token", []string{"ask", "Deploy?", "--hub", url}, 2, "--hub-token-file"},
		{"a missing token file", []string{"ask", "Deploy?", "--hub", url, "--hub-token-file", open + ".absent"}, 1, "cannot be read"},
		{"an unknown token", []string{"ask", "Deploy?", "--hub", url, "--hub-token-file", unknown}, 1, "does not accept the token"},
		{"a person who asks", []string{"ask", "Deploy?", "--hub", url, "--hub-token-file", person}, 1, "need an agent's token"},
		{"an agent that lists the inbox", []string{"inbox", "--hub", url, "--hub-token-file", agent}, 1, "need a person's"},
		{"an unknown addressee", []string{"ask", "Deploy?", "--hub", url, "--hub-token-file", agent, "--to", "Zoe"}, 1, `"Zoe"`},
		{"no hub there", []string{"ask", "Deploy?", "--hub", url + "/elsewhere", "--hub-token-file", agent}, 1, "There is no Followup hub"},
		{"an unencrypted hub", []string{"ask", "Deploy?", "--hub", "http://hub.example", "--hub-token-file", agent}, 2, "not encrypted"},
		{"two places", []string{"ask", "Deploy?", "--hub", url, "--storage", storageDir(t), "--hub-token-file", agent}, 2, "cannot be combined"},
		{"an addressee without a hub", []string{"ask", "Deploy?", "--to", "Ann"}, 2, "--to needs --hub"},
		{"a list of an unreachable hub", []string{"inbox", "--hub", "http://127.0.0.1:1", "--hub-token-file", person}, 1, "There is no connection"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, out, stderr := shell(t, "", test.args...)
			if status != test.status || out != "" || !strings.Contains(stderr, test.says) || strings.Contains(stderr, "followup_") || strings.Contains(stderr, "jsonrpc2") {
				t.Errorf("status %d, %q, %s", status, out, stderr)
			}
		})
	}
	// Commands with a timeout do not wait longer for an unreachable hub.
	away := []string{"--hub", "http://127.0.0.1:1", "--hub-token-file", agent}
	if status, out, stderr := shell(t, "", append([]string{"ask", "Deploy?", "--keep", "--timeout", "1ms"}, away...)...); status != exitTimedOut ||
		out != "" || strings.Contains(stderr, "--await") {
		t.Errorf("a time limit: status %d, %q, %s", status, out, stderr)
	}
	editor := startSidecar(t, storageDir(t))
	if now := editor.connectHub(url, unknown); now.State != protocol.HubRefused || !strings.Contains(now.Problem, "does not accept the token") {
		t.Errorf("the editor shows %+v", now)
	}
	if now := editor.connectHub(url, agent); now.State != protocol.HubRefused || !strings.Contains(now.Problem, "an agent's") {
		t.Errorf("the editor shows %+v", now)
	}
	if now := editor.connectHub("http://hub.example", person); now.State != protocol.HubRefused || !strings.Contains(now.Problem, "not encrypted") {
		t.Errorf("the editor shows %+v", now)
	}
}

// proxy forwards connections to a target that can change.
type proxy struct {
	listener net.Listener

	mu     sync.Mutex
	target string // if empty, connections are blocked
	open   map[net.Conn]bool
}

func startProxy(t *testing.T) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, open: map[net.Conn]bool{}}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(conn)
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		p.cut()
	})
	return p
}

func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

// connections returns the number of connections.
func (p *proxy) connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}

func (p *proxy) leadTo(target string) {
	p.mu.Lock()
	p.target = target
	p.mu.Unlock()
	p.cut()
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		_ = conn.Close()
	}
	clear(p.open)
}

func (p *proxy) pass(from net.Conn) {
	p.mu.Lock()
	target := p.target
	p.open[from] = true
	p.mu.Unlock()
	defer func() {
		_ = from.Close()
		p.mu.Lock()
		delete(p.open, from)
		p.mu.Unlock()
	}()
	if target == "" {
		return
	}
	to, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
}
