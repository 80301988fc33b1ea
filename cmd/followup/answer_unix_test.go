//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// terminalProcess is a process that leads a session on a terminal of its own.
type terminalProcess struct {
	t       *testing.T
	command *exec.Cmd // the leader
	gate    *os.File  // closing it ends the leader
	file    *os.File
	read    chan struct{} // closed when all output is read

	mu     sync.Mutex
	raw    bytes.Buffer  // everything written to the terminal
	looked int           // how much of its text until has searched
	wrote  chan struct{} // closed and replaced with each write
}

// onTerminal starts the real binary on a terminal.
func onTerminal(t *testing.T, storage string, env []string, args ...string) *terminalProcess {
	t.Helper()
	return commandOnTerminal(t, storage, env, exec.Command(binary, args...))
}

// shellOnTerminal runs a script in a shell on a terminal, with the real binary and its arguments as "$@".
func shellOnTerminal(t *testing.T, storage, script string, args ...string) *terminalProcess {
	t.Helper()
	return commandOnTerminal(t, storage, nil, exec.Command("sh", append([]string{"-c", script, "sh", binary}, args...)...))
}

func commandOnTerminal(t *testing.T, storage string, env []string, command *exec.Cmd) *terminalProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &terminalProcess{t: t, read: make(chan struct{}), wrote: make(chan struct{})}
	p.command = exec.Command(self, append([]string{leaderArgument}, command.Args...)...)
	held, gate, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.gate, p.command.ExtraFiles = gate, []*os.File{held}
	t.Cleanup(func() { _ = gate.Close() })
	p.command.Dir = storageDir(t)
	p.command.Env = append([]string{"HOME=" + storageDir(t), "PATH=" + os.Getenv("PATH"), "FOLLOWUP_STORAGE=" + storage, "TERM=xterm-256color"}, env...)
	if p.file, err = pty.StartWithSize(p.command, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	_ = held.Close()
	endsWith(t, p.command)
	t.Cleanup(func() { _ = p.file.Close() })
	go func() {
		defer close(p.read)
		buffer := make([]byte, 4096)
		for {
			n, err := p.file.Read(buffer)
			p.mu.Lock()
			p.raw.Write(buffer[:n])
			close(p.wrote)
			p.wrote = make(chan struct{})
			p.mu.Unlock()
			if err != nil {
				return // on Linux, the terminal's end is an error
			}
		}
	}()
	return p
}

var escapes = regexp.MustCompile(`\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[ -/]*[0-~])`)

// until waits until the process writes a text after the previous match.
func (p *terminalProcess) until(text string) {
	p.t.Helper()
	limit := time.After(waits.Patience)
	for {
		p.mu.Lock()
		all, wrote := escapes.ReplaceAllString(p.raw.String(), ""), p.wrote
		if at := strings.Index(all[min(p.looked, len(all)):], text); at >= 0 {
			p.looked += at + len(text)
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		select {
		case <-wrote:
		case <-p.read:
			p.t.Fatalf("%q was not written in\n%q", text, all)
		case <-limit:
			p.t.Fatalf("%q was not written in time in\n%q", text, all)
		}
	}
}

func (p *terminalProcess) typed(keys string) {
	if _, err := p.file.WriteString(keys); err != nil {
		p.t.Error(err)
	}
}

// ended waits for the process to end and returns its exit status. Later output may be lost.
func (p *terminalProcess) ended() int {
	_ = p.gate.Close()
	err := waits.Ended(p.t, p.command)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Error(err)
	}
	return p.command.ProcessState.ExitCode()
}

// asks asks a question for an editor, in its own conversation, and delivers the answer.
func (s *sidecar) asks(t *testing.T, id, input string) <-chan protocol.Answer {
	t.Helper()
	opened, err := rpc.Call(t.Context(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Robot", Key: id})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan protocol.Answer, 1)
	go func() {
		answer, err := rpc.Call(t.Context(), s.conn, protocol.QuestionAsk, protocol.AskParams{
			Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(input), New: true,
		})
		if err == nil {
			answers <- answer
		}
	}()
	if !s.untilPending(id) {
		t.Fatal("it is not asked")
	}
	return answers
}

const (
	firstID  = "019a9c00-0000-7000-8000-000000000001"
	secondID = "019a9c00-0000-7000-8000-000000000002"
)

// The terminal's screen shows an agent's question, and a key answers it.
func TestAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		keys []string
		want string
	}{
		"a suggestion, with the words": {[]string{"\t", "2"}, "SQLite\n\nS\n"},
		"own words":                    {[]string{"\x1b[200~QLit\x1b[201~e\r"}, "SQLite\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			other := startAsk(t, storage, "", "Another one?")
			asks := startAsk(t, storage, "", "Which database?", "-s", "PostgreSQL", "-s", "SQLite")
			number := "1"
			if untilOpen(t, storage, 2)[0] != "Which database?" {
				number = "2"
			}
			editor := startSidecar(t, storage)
			screen := onTerminal(t, storage, nil, "answer")
			screen.until("Open questions: 2")
			screen.typed(number)
			screen.until("PostgreSQL")
			screen.until("1 other question is open.")
			screen.typed("\tS") // letters need no guard time; once they are saved, neither do other keys
			editor.untilTrue(func() bool {
				for _, item := range editor.items {
					if item.Draft != nil && item.Draft.Text == "S" {
						return true
					}
				}
				return false
			})
			for _, key := range test.keys {
				screen.typed(key)
			}
			if status, got := asks.ended(), asks.stdout.String(); status != 0 || got != test.want {
				t.Errorf("status %d, printed %q", status, got)
			}
			screen.until("Sent.")
			screen.typed("\x03")
			if status := screen.ended(); status != 0 {
				t.Errorf("it ended with %d", status)
			}
			_ = other.command.Process.Signal(syscall.SIGTERM)
			_ = other.ended()
		})
	}
}

// untilOpen waits until n questions are open, and returns their texts in order.
func untilOpen(t *testing.T, storage string, n int) (texts []string) {
	t.Helper()
	editor := startSidecar(t, storage)
	var items []protocol.InboxItem
	editor.untilTrue(func() bool {
		items = nil
		for _, item := range editor.items {
			items = append(items, item)
		}
		return len(items) == n
	})
	editor.disconnect()
	for len(items) > 0 {
		least := 0
		for i, item := range items {
			if item.Order < items[least].Order {
				least = i
			}
		}
		texts = append(texts, items[least].Payload.Question)
		items = append(items[:least], items[least+1:]...)
	}
	return texts
}

// The editor shows what the user types in a terminal. An answer in the editor closes the card in the terminal, which keeps the words.
func TestAnswerSharesDrafts(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	editor.asks(t, firstID, `{"question":"\u001b]0;owned\u0007Which way?","follow_up":[{"text":"left"},{"text":"right"}]}`)
	screen := onTerminal(t, storage, nil, "answer")
	screen.until("Which way?")
	screen.typed("\t") // Tab does not answer, so it needs no guard time
	editor.untilTrue(func() bool {
		screen.typed("x")
		draft := editor.items[firstID].Draft
		return draft != nil && strings.Contains(draft.Text, "x")
	})
	second := 1
	_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: firstID, Provenance: protocol.ProvenanceClicked, Suggestion: &second,
	})
	if err != nil {
		t.Fatal(err)
	}
	screen.until("This question is closed: right")
	screen.until("Your words, which were not sent:")
	screen.until("x")
	screen.typed("\x03")
	if status := screen.ended(); status != 0 {
		t.Errorf("it ended with %d", status)
	}
	<-screen.read
	if bytes.Contains(screen.raw.Bytes(), []byte("\x1b]0;owned")) {
		t.Error("an agent controls the terminal")
	}
}

// A terminal that cannot show a screen asks line by line. Input for a question that closes elsewhere does not reach another one.
func TestAnswerByLines(t *testing.T) {
	for name, how := range map[string]struct{ env, args []string }{
		"a dumb terminal": {[]string{"TERM=dumb"}, nil},
		"a screen reader": {[]string{"ACCESSIBLE=1"}, nil},
		"by a flag":       {nil, []string{"--plain"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			first := editor.asks(t, firstID, `{"question":"Which way?","follow_up":[{"text":"left"},{"text":"right"}]}`)
			lines := onTerminal(t, storage, how.env, append([]string{"answer"}, how.args...)...)
			lines.until("2. right")
			lines.until("Number, own words, or ?: ")
			lines.typed("9\n")
			lines.until("Type a number from 1 to 2.")
			lines.until("Number, own words, or ?: ")
			lines.typed("2\n")
			lines.until("Sent.")
			if got := <-first; got.Text != "<answer>\nright\n</answer>" {
				t.Errorf("the agent gets %q", got.Text)
			}
			lines.until("No question is open.")
			editor.asks(t, secondID, `{"question":"And then?"}`)
			lines.until("And then?")
			lines.until("Your answer, or ?: ")
			lines.typed("half")
			_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: secondID})
			if err != nil {
				t.Fatal(err)
			}
			lines.until("This question is closed: ")
			lines.until("Press Enter to continue.")
			lines.typed("\n")
			lines.until("Your words, which were not sent:")
			lines.until("half")
			lines.until("No question is open.")
			lines.typed("/quit\n")
			if status := lines.ended(); status != 0 {
				t.Errorf("it ended with %d", status)
			}
			<-lines.read
			if strings.Contains(lines.raw.String(), "\x1b") {
				t.Errorf("it writes escape sequences: %q", lines.raw.String())
			}
		})
	}
}

// A questionnaire is answered by lines.
func TestAnswerQuestionsByLines(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	asks := startAsk(t, storage, "", "Which checks?", "--header", "Checks", "--multi", "-s", "Unit", "-s", "Lint", "-s", "Race", "--locale", "pt")
	lines := onTerminal(t, storage, []string{"LANG=fr_FR.UTF-8"}, "answer", "--plain")
	lines.until("Checks: Which checks?")
	lines.until("3. Race")
	lines.until("ignore la question : ")
	lines.typed("3, 1\n")
	lines.until("Checks: Which checks? — Unit, Race")
	lines.until("Envoyer ? y/n : ")
	lines.typed("y\n")
	if status, got := asks.ended(), asks.stdout.String(); status != 0 || got != "Unit\nRace\n" {
		t.Errorf("status %d, printed %q", status, got)
	}
	lines.typed("\x04") // the end of the input
	if status := lines.ended(); status != 0 {
		t.Errorf("it ended with %d", status)
	}
}

// A terminal that shows the inbox counts as an open inbox. A signal ends it and restores the terminal.
func TestAnswerEndsOnSignal(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	nobody := startAsk(t, storage, "", "Anybody?", "--need-inbox")
	if status := nobody.ended(); status != exitNotShown {
		t.Errorf("status %d where nobody looks", status)
	}
	screen := onTerminal(t, storage, nil, "answer")
	screen.until("No question is open.")
	asks := startAsk(t, storage, "", "Anybody?", "--need-inbox")
	screen.until("Anybody?")
	if err := screen.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := screen.ended(); status != 143 {
		t.Errorf("it ended with %d", status)
	}
	<-screen.read
	if raw := screen.raw.String(); strings.LastIndex(raw, "\x1b[?1049l") < strings.LastIndex(raw, "\x1b[?1049h") {
		t.Error("the terminal still shows the alternate screen")
	}
	_ = asks.command.Process.Signal(syscall.SIGTERM)
	_ = asks.ended()
}

// A question that a script asks on a terminal can be answered there, and the first answer wins.
func TestAskOnATerminal(t *testing.T) {
	for name, here := range map[string]bool{"here": true, "elsewhere": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			asks := onTerminal(t, storage, nil, "ask", "Which way?", "-s", "left\u009b", "-s", "right")
			item := onlyPending(t, editor)
			asks.until("2. right")
			asks.until("Number, own words, or ?: ")
			if here {
				asks.typed("1\n")
			} else if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "left\u009b",
			}); err != nil {
				t.Fatal(err)
			}
			asks.until("\nleft\ufffd\r\n")
			if status := asks.ended(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// Keys typed before the question is shown do not answer it, and keys typed when it closes elsewhere do not reach the shell.
func TestAskOnATerminalForgets(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	asks := shellOnTerminal(t, storage, `printf 'ready\n'; read -r go; "$@"; "$@"; printf 'over\n'; read -r left; printf 'got:%s.\n' "$left"`,
		"ask", "Which way?", "-s", "left", "-s", "right")
	asks.until("ready")
	asks.typed("go\n1\n")
	item := onlyPending(t, editor)
	asks.until("Number, own words, or ?: ")
	asks.typed("2\n1\n") // the second line was typed before a prompt
	asks.until("\nright\r\n")
	editor.untilTrue(func() bool { return editor.items[item.QuestionID].State == protocol.ItemClosed })
	item = onlyPending(t, editor)
	asks.until("Number, own words, or ?: ")
	asks.typed("half a li")
	asks.until("half a li")
	if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "elsewhere",
	}); err != nil {
		t.Fatal(err)
	}
	asks.until("\nelsewhere\r\n")
	asks.until("over")
	asks.typed("x\n")
	asks.until("got:x.")
	if status := asks.ended(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// A second line after an answer does not answer the next question.
func TestAnswerByLinesForgets(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	first := editor.asks(t, firstID, `{"question":"Which way?","follow_up":[{"text":"left"},{"text":"right"}]}`)
	second := editor.asks(t, secondID, `{"question":"How far?","follow_up":[{"text":"near"},{"text":"far"}]}`)
	lines := onTerminal(t, storage, nil, "answer", "--plain")
	for _, asked := range []struct {
		question, typed, gets string
		answer                <-chan protocol.Answer
	}{{"Which way?", "1\n2\n", "left", first}, {"How far?", "1\n", "near", second}} {
		lines.until(asked.question)
		lines.until("Number, own words, or ?: ")
		lines.typed(asked.typed)
		if got := <-asked.answer; got.Text != "<answer>\n"+asked.gets+"\n</answer>" {
			t.Errorf("%s: the agent gets %q", asked.question, got.Text)
		}
	}
}

// A background job can ask, and is not stopped for reading the terminal.
func TestAskInTheBackground(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	asks := shellOnTerminal(t, storage, `set -m; "$@" & wait $!; printf 'status:%s.\n' $?`, "ask", "Which way?", "-s", "left")
	item := onlyPending(t, editor)
	if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "elsewhere",
	}); err != nil {
		t.Fatal(err)
	}
	asks.until("status:0.")
	_ = asks.ended()
	<-asks.read
	if all := asks.raw.String(); !strings.Contains(all, "elsewhere\r\n") || strings.Contains(all, "own words") {
		t.Errorf("it writes %q", all)
	}
}
