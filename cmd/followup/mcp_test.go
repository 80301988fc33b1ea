package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// TestMCP plays the conversations in testdata/mcp against the real binary and an editor that shows the inbox. A case is prose
// with lines of this form:
//
//	run ARGS    starts followup mcp; a second one first ends the input of the first. PAGE is a folder with a page
//	--> {…}     a message from the agent, without "jsonrpc"
//	==> TEXT    a line that is not a message
//	answer TEXT the user's typed answer to the only pending question
//	shown JSON  that question as the editor shows it: agent, orphaned, payload, and noCancel if true
//	away        the editor is closed, so no inbox is open
//	back        the editor is opened again
//	<-- {…}     a message to the agent
//
// Questions' ids are written «1», «2», … in the order of their appearance, and can be sent like that; the page's key as «key».
func TestMCP(t *testing.T) {
	t.Parallel()
	playFiles(t, "testdata/mcp", playMCP)
}

// mcpProcess is a running followup mcp.
type mcpProcess struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
}

func startMCP(t *testing.T, storage string, args ...string) *mcpProcess {
	t.Helper()
	p := newMCP(t, storage, args...)
	p.start()
	return p
}

func newMCP(t *testing.T, storage string, args ...string) *mcpProcess {
	t.Helper()
	p := &mcpProcess{t: t, command: exec.Command(binary, append([]string{"mcp"}, args...)...)}
	p.command.Dir = storageDir(t)
	p.command.Env = environment(storageDir(t), "FOLLOWUP_STORAGE="+storage,
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent") // no notifications on the developer's desktop
	p.command.Stderr = &p.stderr
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	return p
}

func (p *mcpProcess) start() {
	p.t.Helper()
	if err := p.command.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = p.command.Process.Kill() })
}

func (p *mcpProcess) send(message string) {
	if _, err := io.WriteString(p.in, `{"jsonrpc":"2.0",`+strings.TrimPrefix(message, "{")+"\n"); err != nil {
		p.t.Errorf("the process no longer reads: %v; its log:\n%s", err, p.stderr.String())
	}
}

func (p *mcpProcess) receive() string {
	late := time.AfterFunc(waits.Patience, func() { _ = p.command.Process.Kill() }) // so that it cannot wait forever
	defer late.Stop()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("%v; its log:\n%s", err, p.stderr.String())
	}
	return strings.TrimSuffix(line, "\n")
}

// end closes the input, like an exiting agent, and waits for the process.
func (p *mcpProcess) end() {
	_ = p.in.Close()
	if err := waits.Ended(p.t, p.command); err != nil {
		p.t.Errorf("it ended with %v; its log:\n%s", err, p.stderr.String())
	}
}

var pageKeys = regexp.MustCompile(`followup-key\\" content=\\"([A-Z2-7]{26})`)

// changing matches parts that differ between runs: times and the working folder.
var changing = regexp.MustCompile(`((?:askedAt|at)\\?":|/followup-storage|"followup-storage)\d+`)

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

func playMCP(t *testing.T, text string) string {
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	page, err := filepath.Abs("testdata/page")
	if err != nil {
		t.Fatal(err)
	}
	var names []string // the questions' placeholders: the first is «1»
	name := func(id string) string {
		if !slices.Contains(names, id) {
			names = append(names, id)
		}
		return "«" + string(rune('1'+slices.Index(names, id))) + "»"
	}
	named := func(text string) string { return uuids.ReplaceAllStringFunc(text, name) }
	var agent *mcpProcess
	key := "«key»"
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "run":
			if agent != nil {
				agent.end()
			}
			args := strings.Fields(rest)
			for i, arg := range args {
				args[i] = strings.ReplaceAll(arg, "PAGE", page)
			}
			agent = startMCP(t, storage, args...)
		case "-->":
			for n, id := range names {
				rest = strings.ReplaceAll(rest, "«"+string(rune('1'+n))+"»", id)
			}
			agent.send(strings.ReplaceAll(rest, "«key»", key))
		case "==>":
			if _, err := io.WriteString(agent.in, rest+"\n"); err != nil {
				t.Error(err)
			}
		case "<--":
			message := agent.receive()
			message = strings.Replace(message, `{"jsonrpc":"2.0",`, "{", 1)
			if found := pageKeys.FindStringSubmatch(message); found != nil {
				key = found[1]
			}
			message = strings.ReplaceAll(message, key, "«key»")
			for program := range strings.SplitSeq(binary+"\n"+inJSON(binary)+"\n"+inJSON(inJSON(binary)), "\n") {
				for _, quote := range []string{`\\\"`, `\"`, ""} { // a path with a space is quoted
					message = strings.ReplaceAll(message, quote+program+quote, "followup")
				}
			}
			message = changing.ReplaceAllString(strings.ReplaceAll(message, temporaryURI(), "file:///tmp"), "$1…")
			message = regexp.MustCompile(`"version":"dev[^"]*"`).ReplaceAllString(message, `"version":"…"`)
			lines[i] = "<-- " + named(message)
		case "away":
			editor.disconnect()
			untilNobodySees(t, storage)
		case "back":
			editor = startSidecar(t, storage)
		case "shown", "answer":
			item := onlyPending(t, editor)
			if kind == "shown" {
				orphaned := strings.Contains(rest, `"orphaned":true`)
				editor.untilTrue(func() bool { return editor.items[item.QuestionID].Orphaned == orphaned })
				parts := map[string]any{"agent": item.Agent, "orphaned": orphaned, "payload": item.Payload}
				if item.NoCancel {
					parts["noCancel"] = true
				}
				shown, _ := json.Marshal(parts)
				lines[i] = "shown " + named(string(shown))
				continue
			}
			_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: rest,
			})
			if err != nil {
				t.Fatal(err)
			}
			editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
		}
	}
	agent.end()
	return strings.Join(lines, "\n")
}

// temporaryURI returns the temporary folder as a process with a working folder below it sees it: on macOS it is a link.
func temporaryURI() string {
	folder, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil || runtime.GOOS == "windows" { // Windows keeps short names
		folder = filepath.Clean(os.TempDir())
	}
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(folder), "/")
}

// untilNobodySees waits until no inbox is open.
func untilNobodySees(t *testing.T, storage string) {
	t.Helper()
	agent := startAgent(t, protocol.InitializationOptions{StorageFolder: storage})
	waits.Until(t, "no inbox is open", func() bool { return !rpctest.Call(agent, protocol.InboxStatus, protocol.None{}).Shown })
}

// onlyPending waits until a question is pending, and returns it.
func onlyPending(t *testing.T, editor *sidecar) (item protocol.InboxItem) {
	t.Helper()
	editor.untilTrue(func() bool {
		for _, each := range editor.items {
			if each.State == protocol.ItemPending {
				item = each
				return true
			}
		}
		return false
	})
	return item
}

const initializeOld = `{"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}}`

// Killed or stopped agents leave their questions open.
func TestMCPIsKilled(t *testing.T) {
	for name, end := range map[string]func(*mcpProcess){
		"killed": func(p *mcpProcess) { _ = p.command.Process.Kill(); _ = p.command.Wait() },
		"stopped": func(p *mcpProcess) {
			if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Skip(err)
			}
			_ = waits.Ended(p.t, p.command)
		},
		"its editor dies": func(p *mcpProcess) { p.end() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			agent := startMCP(t, storage)
			agent.send(initializeOld)
			agent.receive()
			agent.send(`{"method":"notifications/initialized"}`)
			agent.send(`{"id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Still there?"}}}`)
			item := onlyPending(t, editor)
			if name == "its editor dies" { // the agent and its question continue
				editor.disconnect()
				editor = startSidecar(t, storage)
				item = onlyPending(t, editor)
			} else {
				end(agent)
				editor.untilTrue(func() bool { return editor.items[item.QuestionID].Orphaned })
				again := startMCP(t, storage)
				again.send(initializeOld)
				again.receive()
				again.send(`{"method":"notifications/initialized"}`)
				again.send(`{"id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"await":"` + item.QuestionID + `"}}}`)
				agent = again
			}
			_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "yes",
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := agent.receive(); !strings.Contains(got, "yes") {
				t.Errorf("got %s", got)
			}
			agent.end()
		})
	}
}
