package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unicode/utf16"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// TestHook plays the files in testdata/hook against the real binary and an editor that shows the inbox. A case is prose with
// lines of this form:
//
//	run AGENT     starts followup hook
//	--> {…}       a message from the agent; its input stays open
//	==> TEXT      the same, but the input ends after it
//	shown JSON    the only pending question as the editor shows it: agent, workspaces, payload, and noCancel if true
//	answer JSON   the user's answer: a question/answer without the id; or reply JSON, dismiss, or a question/decide without digest
//	decide JSON
//	term, kill    ends the hook by SIGTERM or SIGKILL
//	said          waits for the hook's output while it runs
//	log TEXT      appends a line to the agent's log, whose path is «log» in messages
//	closed JSON   how the question ended in the editor: the outcome, elsewhere, and the picks from elsewhere
//	took JSON     the decision, and the one that took effect, once the editor has both
//	<-- TEXT      the hook's output when it has ended
//	status N      its exit status, and its text on standard error
func TestHook(t *testing.T) {
	t.Parallel()
	playFiles(t, "testdata/hook", playHook)
}

// hookProcess is a running followup hook.
type hookProcess struct {
	command        *exec.Cmd
	in             io.WriteCloser
	stdout, stderr hookOutput
}

// hookOutput collects what a hook writes while it runs.
type hookOutput struct {
	mu     sync.Mutex
	buffer bytes.Buffer
	line   chan struct{} // closed once there is a whole line
}

func (o *hookOutput) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := bytes.Contains(o.buffer.Bytes(), []byte("\n"))
	n, err := o.buffer.Write(text)
	if !before && bytes.Contains(text, []byte("\n")) {
		close(o.line)
	}
	return n, err
}

func (o *hookOutput) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.String()
}

func (o *hookOutput) Len() int { return len(o.String()) }

func startHook(t *testing.T, storage string, args ...string) *hookProcess {
	t.Helper()
	p := &hookProcess{command: exec.Command(binary, append([]string{"hook", "--log-level", "error"}, args...)...)}
	p.stdout.line, p.stderr.line = make(chan struct{}), make(chan struct{})
	temporary := storageDir(t)
	p.command.Env = environment(storageDir(t), "FOLLOWUP_STORAGE="+storage, "TMPDIR="+temporary, "TMP="+temporary, "TEMP="+temporary)
	p.command.Stdout, p.command.Stderr = &p.stdout, &p.stderr
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, p.command)
	return p
}

// wait waits until the hook has ended, and returns its exit status.
func (p *hookProcess) wait(t *testing.T) int {
	var ended *exec.ExitError
	if err := waits.Ended(t, p.command); err != nil && !errors.As(err, &ended) {
		t.Error(err)
	}
	return p.command.ProcessState.ExitCode()
}

var imageFiles = regexp.MustCompile(`(?:/[^" \\]*/|[A-Z]:\\[^" ]*\\)followup-images-[0-9]+[/\\]+[0-9a-f-]+-`)

func playHook(t *testing.T, text string) string {
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	log := filepath.Join(storageDir(t), "log.jsonl")
	path, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	var agent *hookProcess
	var item protocol.InboxItem
	ended, status := true, 0
	end := func() {
		if !ended {
			ended, status = true, agent.wait(t)
		}
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		var err error
		switch kind {
		case "run":
			end()
			agent, ended = startHook(t, storage, strings.Split(rest, " ")...), false
		case "-->", "==>":
			message := strings.ReplaceAll(rest, `"«log»"`, string(path))
			if _, err = io.WriteString(agent.in, message+"\n"); err == nil && kind == "==>" {
				err = agent.in.Close()
			}
		case "said":
			waits.For(t, agent.stdout.line)
		case "log":
			err = appendLine(log, rest)
		case "took":
			editor.untilTrue(func() bool {
				now := editor.items[item.QuestionID].Outcome
				return now != nil && now.Effective != ""
			})
			outcome := editor.items[item.QuestionID].Outcome
			took, _ := json.Marshal(map[string]any{"decision": outcome.Outcome, "effective": outcome.Effective})
			lines[i] = "took " + string(took)
		case "shown":
			item = onlyPending(t, editor)
			parts := map[string]any{"agent": item.Agent, "workspaces": item.Workspaces, "payload": item.Payload}
			if item.NoCancel {
				parts["noCancel"] = true
			}
			shown, _ := json.Marshal(parts)
			lines[i] = "shown " + string(shown)
		case "answer":
			item = onlyPending(t, editor)
			answer := protocol.AnswerParams{}
			if err = json.Unmarshal([]byte(rest), &answer); err == nil {
				answer.QuestionID = item.QuestionID
				_, err = rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, answer)
			}
		case "reply":
			item = onlyPending(t, editor)
			_, err = rpc.Call(t.Context(), editor.conn, protocol.QuestionReply, protocol.ReplyParams{QuestionID: item.QuestionID, Text: rest})
		case "decide":
			item = onlyPending(t, editor)
			decision := protocol.DecideParams{}
			if err = json.Unmarshal([]byte(rest), &decision); err == nil {
				decision.QuestionID = item.QuestionID
				for _, o := range item.Payload.Options {
					if o.ID == decision.Option {
						decision.Digest = item.Payload.Digest(o)
					}
				}
				_, err = rpc.Call(t.Context(), editor.conn, protocol.QuestionDecide, decision)
			}
		case "dismiss":
			item = onlyPending(t, editor)
			_, err = rpc.Call(t.Context(), editor.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: item.QuestionID})
		case "term":
			if err := agent.command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Skip(err) // Windows has no such signal
			}
		case "kill":
			err = agent.command.Process.Kill()
		case "closed":
			editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
			outcome := editor.items[item.QuestionID].Outcome
			outcomes := map[string]any{"outcome": outcome.Outcome, "elsewhere": outcome.Elsewhere}
			if outcome.Elsewhere && outcome.Picks != nil {
				outcomes["picks"] = outcome.Picks
			}
			if outcome.Effective != "" {
				outcomes["effective"] = outcome.Effective
			}
			closed, _ := json.Marshal(outcomes)
			lines[i] = "closed " + string(closed)
		case "<--":
			end()
			printed := imageFiles.ReplaceAllString(strings.TrimSuffix(agent.stdout.String(), "\n"), "…-")
			lines[i] = strings.TrimSuffix("<-- "+printed, " ")
		case "status":
			end()
			lines[i] = strings.TrimSpace("status " + strings.TrimSpace(string(rune('0'+max(status, 0)))+" "+agent.stderr.String()))
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	end()
	return strings.Join(lines, "\n")
}

// A hook's message may begin with a byte order mark, as on Windows. One that is not UTF-8 is refused, since its characters are lost.
func TestHookEncodings(t *testing.T) {
	t.Parallel()
	message := `{"session_id":"s","cwd":"/project","hook_event_name":"PreToolUse","tool_name":"request_user_input","tool_input":` +
		`{"questions":[{"id":"q","header":"H","question":"Où ?","options":[{"label":"A","description":""},{"label":"B","description":""}]}]},"tool_use_id":"c"}`
	var wide strings.Builder
	for _, unit := range utf16.Encode([]rune("\ufeff" + message)) {
		wide.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	for name, text := range map[string]string{"UTF-8": "\ufeff" + message, "UTF-16": wide.String()} {
		t.Run(name, func(t *testing.T) {
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			agent := startHook(t, storage, "codex")
			if _, err := io.WriteString(agent.in, text); err != nil {
				t.Fatal(err)
			}
			item := onlyPending(t, editor)
			if asked := item.Payload.Questions[0].Question; asked != "Où ?" {
				t.Errorf("asked %q", asked)
			}
			if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: item.QuestionID}); err != nil {
				t.Error(err)
			}
			if status := agent.wait(t); status != 0 || agent.stderr.Len() > 0 {
				t.Errorf("status %d, %s", status, agent.stderr.String())
			}
		})
	}
	agent := startHook(t, storageDir(t), "codex")
	if _, err := io.WriteString(agent.in, strings.Replace(message, "ù", "\xf9", 1)); err != nil {
		t.Fatal(err)
	}
	if status := agent.wait(t); status != 1 || !strings.Contains(agent.stderr.String(), "must send UTF-8") {
		t.Errorf("status %d, %s", status, agent.stderr.String())
	}
}

// appendLine appends a line to a file, which it creates if necessary.
func appendLine(path, line string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(line + "\n")
	return errors.Join(err, file.Close())
}
