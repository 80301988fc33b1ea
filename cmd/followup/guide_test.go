//go:build !windows

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// guided is an editor that shows the guides of the real binary, with a scripted user.
type guided struct {
	t       *testing.T
	env     []string
	storage string

	mu    sync.Mutex
	shown []string                      // the params of its calls, by method
	user  map[string][]func(string) any // the user's next reactions, by method; without one, the user cancels
	files map[string]string             // written by the editor
}

// newGuided returns an editor with its own home folder.
func newGuided(t *testing.T) *guided {
	t.Helper()
	storage, home := storageDir(t), storageDir(t)
	endsKeeper(t, filepath.Join(home, ".local", "share", "followup"))
	env := []string{"HOME=" + home, "PATH=" + home, "FOLLOWUP_STORAGE=" + storage, "TMPDIR=" + os.TempDir()}
	return &guided{t: t, env: env, storage: storage, user: map[string][]func(string) any{}, files: map[string]string{}}
}

// home returns the path of a file in the user's home folder.
func (g *guided) home(name string) string {
	return filepath.Join(strings.TrimPrefix(g.env[0], "HOME="), name)
}

// does queues the user's reactions to requests of a method.
func (g *guided) does(method string, results ...any) {
	for _, result := range results {
		g.user[method] = append(g.user[method], func(string) any { return result })
	}
}

// chooses sets the items that the user chooses from the next list, by parts of their labels.
func (g *guided) chooses(labels ...string) {
	g.user["guide/pick"] = append(g.user["guide/pick"], func(params string) any {
		var list protocol.GuidePickParams
		if err := json.Unmarshal([]byte(params), &list); err != nil {
			g.t.Error(err)
		}
		chosen := []int{}
		for i, item := range list.Items {
			if slices.ContainsFunc(labels, func(label string) bool { return strings.Contains(item.Label, label) }) {
				chosen = append(chosen, i)
			}
		}
		return protocol.GuidePickResult{Chosen: chosen}
	})
}

// calls returns the params of a method's requests and notifications so far.
func (g *guided) calls(method string) (all []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, each := range g.shown {
		if params, is := strings.CutPrefix(each, method+" "); is {
			all = append(all, params)
		}
	}
	return all
}

// reviewed returns the last list that the user was shown.
func (g *guided) reviewed() (list protocol.GuidePickParams) {
	g.t.Helper()
	lists := g.calls("guide/pick")
	if err := json.Unmarshal([]byte(lists[len(lists)-1]), &list); err != nil {
		g.t.Fatal(err)
	}
	return list
}

func (g *guided) note(method string, params any) string {
	text, err := json.Marshal(params)
	if err != nil {
		g.t.Error(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shown = append(g.shown, method+" "+string(text))
	return string(text)
}

func onGuide[P, R any](g *guided, router *rpc.Router, m protocol.Request[P, R]) {
	rpc.OnBegun(router, m, func(_ context.Context, params P) (rpc.Begun[R], error) {
		text := g.note(m.Method, params)
		return rpc.Begun[R]{Wait: func(context.Context) (result R, err error) {
			g.mu.Lock()
			next := func(string) any { return result }
			if all := g.user[m.Method]; len(all) > 0 {
				next, g.user[m.Method] = all[0], all[1:]
			}
			g.mu.Unlock()
			if result, ok := next(text).(R); ok {
				return result, nil
			}
			return result, nil
		}}, nil
	})
}

func onNotice[P any](g *guided, router *rpc.Router, m protocol.Notification[P]) {
	rpc.OnNotification(router, m, func(_ context.Context, params P) error {
		g.note(m.Method, params)
		return nil
	})
}

// start starts the program.
func (g *guided) start() *rpc.Conn {
	g.t.Helper()
	command := exec.Command(binary, "guide")
	command.Env, command.Stderr = g.env, os.Stderr
	in, out := piped(g.t, command)
	router := &rpc.Router{}
	onGuide(g, router, protocol.GuidePick)
	onGuide(g, router, protocol.GuideInput)
	onGuide(g, router, protocol.GuideShowText)
	onGuide(g, router, protocol.GuideOpenFiles)
	onGuide(g, router, protocol.GuideSaveFile)
	onGuide(g, router, protocol.GuideWriteFile)
	onGuide(g, router, protocol.GuideForward)
	onGuide(g, router, protocol.GuideBrowse)
	onGuide(g, router, protocol.GuideSaveHub)
	onNotice(g, router, protocol.GuideDescribe)
	onNotice(g, router, protocol.GuideShowMessage)
	onNotice(g, router, protocol.GuideCommand)
	onNotice(g, router, protocol.GuideProgress)
	conn := rpc.Dial(context.Background(), router, rpc.Options{In: out, Out: in, Log: zap.NewNop()})
	g.t.Cleanup(func() { _ = in.Close() })
	return conn
}

// run runs a guide to its end, and returns its messages.
func (g *guided) run(params protocol.GuideRunParams) ([]protocol.GuideMessage, error) {
	g.t.Helper()
	result, err := rpc.Call(g.t.Context(), g.start(), protocol.GuideRun, g.here(params))
	return result.Messages, err
}

// here adds the editor's own parameters.
func (g *guided) here(params protocol.GuideRunParams) protocol.GuideRunParams {
	params.Options.EditorFolder = g.home("editor")
	return params
}

// ends runs a guide, and compares the messages that it shows at the end.
func (g *guided) ends(params protocol.GuideRunParams, want string) []protocol.GuideMessage {
	g.t.Helper()
	messages, err := g.run(params)
	got := ""
	if err != nil {
		got = "failed: " + plainError(err).Error()
	}
	for _, m := range messages {
		got += fmt.Sprintf("%s: %s", m.Severity, m.Text)
		for _, b := range m.Buttons {
			got += " [" + b.Title + "]"
		}
	}
	if got != want {
		g.t.Errorf("the user sees\n%s\nwant\n%s", got, want)
	}
	return messages
}

func TestGuideConnects(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	settings, codex := g.home(".claude.json"), g.home(".codex/config.toml")
	const before, own = `{"numStartups":  1}`, "model = \"m\" # mine\n"
	if err := os.Mkdir(filepath.Dir(codex), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{settings: before, codex: own} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	connect := protocol.GuideRunParams{Guide: protocol.GuideConnect}

	g.ends(connect, "") // the user cancels
	list := g.reviewed()
	first, last, link := list.Items[0], list.Items[len(list.Items)-2], list.Items[len(list.Items)-1]
	if link.Label != "Find followup in every terminal" || link.Description != "~/.local/bin/followup" || !link.Picked {
		t.Errorf("the link is offered as %+v", link)
	}
	if !list.Many || !first.Picked || first.Description != "not connected" ||
		last.Picked || last.Description != "not found on this machine" {
		t.Errorf("the agents on the machine are not the first, or not proposed: %+v", list)
	}
	if !strings.Contains(first.Detail, "~/.claude") && !strings.Contains(first.Detail, "~/.codex") {
		t.Errorf("its files are %s", first.Detail)
	}

	g.chooses("Codex")
	g.chooses("Show Every Line")
	g.ends(connect, "") // looks at every line, and cancels
	review := g.reviewed()
	if len(review.Items) != 6 || review.Items[2].Label != "~/.codex/config.toml" || review.Items[2].Icon != "edit" ||
		review.Items[3].Label != "~/.codex/hooks.json" || review.Items[3].Icon != "new-file" {
		t.Errorf("the changes are shown as %+v", review.Items)
	}
	hook, program := review.Items[4], review.Items[5]
	if program.Label != "~/.local/share/followup/bin/followup" || program.Icon != "new-file" {
		t.Errorf("the program is shown as %+v", program)
	}
	if hook.Label != "hooks.PreToolUse" || hook.Icon != "warning" || !strings.HasPrefix(hook.Detail, "Also set ") {
		t.Errorf("a hook is marked as %+v", hook)
	}
	lines := g.calls("guide/showText")
	if len(lines) != 1 || !strings.Contains(lines[0], "+[mcp_servers.followup]") || read(codex) != own {
		t.Errorf("the lines are %q, and the file is %q", lines, read(codex))
	}

	g.chooses("Codex", "Claude Code")
	g.chooses("Write These Changes")
	messages, err := g.run(connect)
	if err != nil || len(messages) != 1 || !strings.Contains(read(codex), "followup") || !strings.Contains(read(settings), "followup") {
		t.Fatalf("%v, %+v\n%s", err, messages, read(codex))
	}
	shown := messages[0]
	for _, words := range []string{"Codex is connected. Claude Code is connected.", "If Codex is running, restart it."} {
		if !strings.Contains(shown.Text, words) {
			t.Errorf("the message is %s", shown.Text)
		}
	}
	show, undo, check := shown.Buttons[0], shown.Buttons[1], shown.Buttons[2]
	if show.Title != "Show File" || !slices.Contains(show.Open, codex) || undo.Title != "Undo" || check.Title != "Check the Connections" {
		t.Errorf("the buttons are %+v", shown.Buttons)
	}
	messages, err = g.run(*check.Guide)
	if findings := g.calls("guide/showText"); err != nil || len(messages) != 1 || messages[0].Severity != protocol.GuideWarning ||
		!strings.Contains(findings[len(findings)-1], "✗  Codex") {
		t.Errorf("the check ends with %v, %+v, %q", err, messages, findings)
	}

	g.chooses("Codex") // which disconnects Claude Code
	g.chooses("Write These Changes")
	if messages, err = g.run(connect); err != nil || len(messages) != 1 || read(settings) != before {
		t.Errorf("%v, %+v, %s", err, messages, read(settings))
	}
	g.ends(*undo.Guide, "")
	if read(codex) != own || read(settings) != before {
		t.Errorf("after disconnecting, the files are %q and %q", read(codex), read(settings))
	}

	// Claude Code is proposed but not chosen, so "Include permission requests" does not connect it.
	g.chooses("Codex", "Include permission requests")
	g.chooses("Write These Changes")
	hooks := g.home(".codex/hooks.json")
	if _, err = g.run(connect); err != nil || !strings.Contains(read(hooks), "--approvals") || read(settings) != before {
		t.Errorf("%v\n%s\n%s", err, read(hooks), read(settings))
	}
	if asked := g.reviewed().Items; !strings.Contains(asked[len(asked)-1].Label, "hooks.PermissionRequest") {
		t.Errorf("the user is asked %+v", asked)
	}
	approving := read(hooks)
	g.chooses("Codex")
	g.chooses("Write These Changes")
	messages, err = g.run(connect)
	if err != nil || len(messages) != 1 || strings.Contains(read(hooks), "--approvals") || !strings.Contains(messages[0].Text, "in its own dialog") {
		t.Errorf("%v, %+v\n%s", err, messages, read(hooks))
	}
	g.ends(*messages[0].Buttons[1].Guide, "")
	if read(hooks) != approving {
		t.Errorf("after disconnecting, the file is %s", read(hooks))
	}
	g.chooses()
	g.chooses("Write These Changes")
	if _, err = g.run(connect); err != nil || read(codex) != own {
		t.Errorf("%v\n%s", err, read(codex))
	}

	if err := os.WriteFile(codex, []byte("[mcp_servers.followup]\ncommand = \"mine\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.chooses("Codex")
	g.chooses("Write These Changes")
	messages, err = g.run(connect)
	if err != nil || len(messages) != 1 || messages[0].Severity != protocol.GuideError || !strings.Contains(messages[0].Text, codex) ||
		messages[0].Buttons[0].Command != commandShowLog {
		t.Errorf("for an agent that cannot be connected, the guide returns %v, %+v", err, messages)
	}
}

// The link by which terminals find the program is a part of the list and the review, and is also offered alone.
func TestGuideLinks(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	link := g.home(".local/bin/followup")
	leads := func() bool {
		to, err := os.Readlink(link)
		return err == nil && to == g.home(".local/share/followup/bin/followup")
	}
	connect := protocol.GuideRunParams{Guide: protocol.GuideConnect}
	offer := protocol.GuideRunParams{Guide: protocol.GuideLink}
	const advice = "~/.local/bin is not on your PATH: log in again or, if that does not help, add this line to ~/.profile: " +
		`export PATH="$HOME/.local/bin:$PATH"`

	g.ends(offer, "") // its folder is not the user's
	g.env = slices.DeleteFunc(g.env, func(variable string) bool { return strings.HasPrefix(variable, "FOLLOWUP_STORAGE=") })
	messages := g.ends(offer, "Information: Only the editor's terminals find followup. The link ~/.local/bin/followup makes every terminal find it. [Add Link]")
	if leads() {
		t.Error("the link was created without consent")
	}
	g.ends(*messages[0].Buttons[0].Guide, "Information: Terminals find followup by the link ~/.local/bin/followup. "+advice)
	if err := exec.Command(link, "version").Run(); err != nil || !leads() {
		t.Errorf("the link does not work: %v", err)
	}
	g.ends(offer, "")

	g.chooses()
	g.chooses("Write These Changes")
	messages = g.ends(connect, "Information: The link ~/.local/bin/followup was removed. [Undo]")
	if removed := g.reviewed().Items; len(removed) != 3 || removed[2].Label != "~/.local/bin/followup" || removed[2].Icon != "trash" {
		t.Errorf("it is shown as %+v", removed)
	}
	if leads() {
		t.Error("the link was not removed")
	}
	g.ends(*messages[0].Buttons[0].Guide, "")
	if !leads() {
		t.Error("the link was not restored")
	}

	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	g.chooses("Find followup")
	g.chooses("Write These Changes")
	g.ends(connect, "Information: Terminals find followup by the link ~/.local/bin/followup. "+advice+" [Undo]")
	if added := g.reviewed().Items; len(added) != 3 || added[2].Icon != "new-file" || added[2].Detail != advice {
		t.Errorf("it is shown as %+v", added)
	}

	// A foreign file stays, and nothing is offered.
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(link, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.ends(offer, "")
	g.ends(connect, "")
	if list := g.reviewed(); strings.Contains(list.Items[len(list.Items)-1].Label, "Find followup") {
		t.Errorf("it offers %+v", list.Items)
	}
	accepted := offer
	accepted.Link = true
	g.ends(accepted, "failed: "+link+" exists and is not Followup's link, so it was not changed.")
	if text, err := os.ReadFile(link); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// claudeLog is a line of a transcript with an answered question.
func claudeLog(id string) string {
	return `{"type":"user","sessionId":"s","cwd":"/w","message":{"role":"user","content":[` +
		`{"type":"tool_result","tool_use_id":"toolu_01` + id + `","content":"…"}]},"toolUseResult":{"questions":[{"question":"Which?","header":"H","multiSelect":false,"options":[` +
		`{"label":"A","description":""},{"label":"B","description":""}]}],"answers":{"Which?":"B"}}}`
}

func TestGuideImports(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	imports := protocol.GuideRunParams{Guide: protocol.GuideImport}
	g.ends(imports, "")
	at := g.home(".claude/projects/p")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(at, "log.jsonl")
	if err := os.WriteFile(log, []byte(claudeLog("0000000000000000000001")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	counted := make(chan struct{})
	g.user["guide/pick"] = append(g.user["guide/pick"], func(params string) any {
		waits.Until(t, "the questions are counted", func() bool { return len(g.calls("guide/describe")) == 1 })
		close(counted)
		if !strings.Contains(params, `"All of Claude Code","description":"counting…"`) {
			t.Errorf("the list is %s", params)
		}
		return protocol.GuidePickResult{Chosen: []int{0}}
	})
	g.ends(imports, "Information: 1 question was added to the history [Show History]")
	if calls := g.calls("guide/describe"); calls[0] != `{"item":0,"description":"1 new question"}` {
		t.Errorf("the counts are %q", calls)
	}
	if calls := g.calls("guide/progress"); len(calls) == 0 || !strings.Contains(calls[0], "Importing questions") {
		t.Errorf("the progress is %q", calls)
	}

	damaged := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(damaged, []byte(claudeLog("0000000000000000000002")+"\n{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.chooses("files")
	g.does("guide/openFiles", protocol.GuideOpenFilesResult{Paths: []string{damaged}})
	g.ends(imports, "Warning: 1 question was added to the history · 1 damaged line [Show Details] [Show History]")
	g.chooses("folders")
	g.does("guide/openFiles", protocol.GuideOpenFilesResult{Paths: []string{t.TempDir()}})
	g.ends(imports, "failed: The log could not be imported: No log in a known format was found. Followup reads the logs of Claude Code, cc-viewer, "+
		"Codex, Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI, Kimi Code, and the chats of VS Code.")
	const folders = `"canSelectFolders":true`
	if asked := g.calls("guide/openFiles"); strings.Contains(asked[0], folders) || !strings.Contains(asked[1], folders) {
		t.Errorf("the dialogs are %q", asked)
	}
	g.chooses("files")
	g.ends(imports, "") // the user cancels the dialog

	conn := g.start()
	busy := make(chan struct{})
	g.user["guide/pick"] = append(g.user["guide/pick"], func(string) any {
		rpc.Notify(conn, protocol.GuideAgain, protocol.None{})
		waits.Until(t, "a message", func() bool { return len(g.calls("guide/showMessage")) == 1 })
		close(busy)
		return protocol.GuidePickResult{}
	})
	if _, err := rpc.Call(t.Context(), conn, protocol.GuideRun, g.here(imports)); err != nil {
		t.Error(err)
	}
	<-busy
	if calls := g.calls("guide/showMessage"); !strings.Contains(calls[0], "An import is already running.") {
		t.Errorf("the message is %q", calls)
	}
}

func TestGuideExports(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	fill(t, startSidecar(t, g.storage))
	all := protocol.GuideRunParams{Guide: protocol.GuideExport}
	g.ends(all, "")
	g.chooses("JSON")
	g.ends(all, "") // no file chosen

	path := filepath.Join(t.TempDir(), "all.json")
	file := protocol.GuideSaveFileResult{URI: "file://" + path, Path: path}
	g.chooses("JSON")
	g.does("guide/saveFile", file)
	messages := g.ends(all, "Information: 3 entries were exported to "+path+". [Open]")
	var entries []protocol.HistoryEntry
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &entries) != nil || len(entries) != 3 || messages[0].Buttons[0].Open[0] != file.URI {
		t.Errorf("%v: %s", err, text)
	}
	asked := g.calls("guide/saveFile")
	if !strings.Contains(asked[0], `"filters":{"JSON":["json"]}`) || !strings.Contains(asked[0], `.json"`) {
		t.Errorf("the dialog is %q", asked)
	}

	// From a filtered history, the user exports that or all of it.
	shown := protocol.HistoryMatching{Filter: protocol.HistoryFilter{Agents: []string{"Kilo"}}}
	for label, want := range map[string]string{
		"What the History tab shows": "1 entry was exported to ", "All of the history": "3 entries were exported to ",
	} {
		g.chooses(label)
		g.chooses("Markdown")
		g.does("guide/saveFile", file)
		g.ends(protocol.GuideRunParams{Guide: protocol.GuideExport, Shown: &shown}, "Information: "+want+path+". [Open]")
	}

	// The editor writes a file that only it can write.
	target := protocol.HistoryTarget{HistoryEntries: &protocol.HistoryEntries{QuestionIDs: []string{entries[0].QuestionID}}}
	g.chooses("Markdown")
	g.does("guide/saveFile", protocol.GuideSaveFileResult{URI: "vscode-vfs://x/a.md"})
	one := protocol.GuideRunParams{Guide: protocol.GuideExport, Target: &target}
	g.ends(one, "Information: 1 entry was exported to vscode-vfs://x/a.md. [Open]")
	if written := g.calls("guide/writeFile"); len(written) != 1 || !strings.Contains(written[0], `"uri":"vscode-vfs://x/a.md"`) {
		t.Errorf("written was %q", written)
	}

	g.chooses("Markdown")
	g.does("guide/saveFile", protocol.GuideSaveFileResult{URI: "file:///", Path: filepath.Join(path, "no", "folder.md")})
	messages, err = g.run(all)
	if err == nil || messages != nil || !strings.Contains(err.Error(), "The history could not be exported: ") {
		t.Errorf("%+v, %v", messages, err)
	}
}

func TestGuideAsksASample(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	window := startSidecar(t, g.storage)
	conn := g.start()
	ended := make(chan protocol.GuideResult, 1)
	go func() {
		result, err := rpc.Call(context.Background(), conn, protocol.GuideRun, g.here(protocol.GuideRunParams{Guide: protocol.GuideSample}))
		if err != nil {
			t.Error(err)
		}
		ended <- result
	}()
	var id string
	window.untilTrue(func() bool {
		for _, item := range window.items {
			if item.State == protocol.ItemPending {
				id = item.QuestionID
			}
		}
		return id != ""
	})
	rpc.Notify(conn, protocol.GuideAgain, protocol.None{})
	waits.Until(t, "it reveals the question", func() bool {
		return slices.Equal(g.calls("guide/command"), []string{`{"command":"followup.focus"}`})
	})
	second := 1
	answer := protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &second}
	if _, err := rpc.Call(t.Context(), window.conn, protocol.QuestionAnswer, answer); err != nil {
		t.Fatal(err)
	}
	messages := (<-ended).Messages
	const received = "An agent would now have received: <answer> Press 2 on the keyboard to choose this one </answer>"
	if len(messages) != 1 || !strings.HasPrefix(messages[0].Text, received) {
		t.Errorf("got %+v", messages)
	}
}

func TestGuideServesABrowser(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	for _, forwarded := range []string{"https://name.example/proxy/1/?token=x", "no address"} {
		g.does("guide/forward", protocol.GuideAddress{Address: forwarded})
	}
	conn := g.start()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := rpc.CallUntil(ctx, conn, importID, protocol.GuideRun, g.here(protocol.GuideRunParams{Guide: protocol.GuideBrowser}))
		ended <- err
	}()
	opened := func(count int) string {
		t.Helper()
		waits.Until(t, "the browser is opened", func() bool { return len(g.calls("guide/browse")) == count })
		var at protocol.GuideAddress
		if err := json.Unmarshal([]byte(g.calls("guide/browse")[count-1]), &at); err != nil {
			t.Fatal(err)
		}
		return at.Address
	}
	first := opened(1)
	if !strings.HasPrefix(first, "https://name.example/proxy/1/#") && !strings.HasPrefix(first, "http://127.0.0.1:") {
		t.Errorf("it opens %s", first)
	}
	rpc.Notify(conn, protocol.GuideAgain, protocol.None{})
	second := opened(2)
	own := func(n int) string {
		var at protocol.GuideAddress
		if err := json.Unmarshal([]byte(g.calls("guide/forward")[n]), &at); err != nil {
			t.Fatal(err)
		}
		return at.Address
	}
	if second == first || own(0) != own(1) {
		t.Errorf("it opens %s and then %s, on %s and then %s", first, second, own(0), own(1))
	}
	response, err := http.Get(own(1)) //nolint:noctx // of this machine
	if err != nil {                   // any response will do: the page may not be built in
		t.Error(err)
	} else {
		_ = response.Body.Close()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if response, err := http.Get(own(1)); err == nil { //nolint:noctx // of this machine
		_ = response.Body.Close()
		t.Error("it still serves")
	}
}
