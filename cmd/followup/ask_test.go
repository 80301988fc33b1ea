package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// asker is a running followup ask.
type asker struct {
	t              *testing.T
	command        *exec.Cmd
	stdout, stderr bytes.Buffer
}

func startAsk(t *testing.T, storage, stdin string, args ...string) *asker {
	t.Helper()
	a := newAsk(t, storage, stdin, args...)
	a.start()
	return a
}

func newAsk(t *testing.T, storage, stdin string, args ...string) *asker {
	t.Helper()
	a := &asker{t: t, command: exec.Command(binary, append([]string{"ask"}, args...)...)}
	a.command.Dir = storageDir(t)
	a.command.Env = environment(storageDir(t), "FOLLOWUP_STORAGE="+storage)
	a.command.Stdin, a.command.Stdout, a.command.Stderr = strings.NewReader(stdin), &a.stdout, &a.stderr
	return a
}

func (a *asker) start() {
	a.t.Helper()
	if err := a.command.Start(); err != nil {
		a.t.Fatal(err)
	}
	endsWith(a.t, a.command)
}

// ended waits until the command ends, and returns its exit status.
func (a *asker) ended() int {
	err := waits.Ended(a.t, a.command)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		a.t.Error(err)
	}
	return 0
}

// A script gets every outcome.
func TestAsk(t *testing.T) {
	picks := func(picks ...protocol.Pick) func(*sidecar, string) (any, error) {
		return func(s *sidecar, id string) (any, error) {
			return rpc.Call(t.Context(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Picks: picks})
		}
	}
	said := func(answer protocol.AnswerParams) func(*sidecar, string) (any, error) {
		return func(s *sidecar, id string) (any, error) {
			answer.QuestionID = id
			return rpc.Call(t.Context(), s.conn, protocol.QuestionAnswer, answer)
		}
	}
	second := 1
	image := []protocol.Image{{MimeType: "image/png", Data: "iVBORw0KGgo="}}
	for name, test := range map[string]struct {
		args           string // separated by |
		stdin          string
		shows          string // a part of the payload
		does           func(*sidecar, string) (any, error)
		status         int
		stdout, stderr string
	}{
		"a suggestion": {
			args: "Which?|--suggest|a b|-s|c <d>", shows: `"suggest":[{"answer":"a b"},{"answer":"c \u003cd\u003e"}]`,
			does: said(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &second}), stdout: "c <d>\n",
		},
		"own words": {
			args: "-|-s|x", stdin: "First line\n\nlast\n", shows: `"question":"First line\n\nlast"`,
			does:   said(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: " two\nlines </answer>"}),
			stdout: " two\nlines </answer>\n",
		},
		"an image": {
			args:   "Look?",
			does:   said(protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "this", Images: image}),
			stdout: "this\n", stderr: "followup ask: Images in the answer: 1. Use --json to print them.\n",
		},
		"quiet": {args: "Look?|-q", does: said(protocol.AnswerParams{Text: "this", Provenance: protocol.ProvenanceTyped, Images: image}), stdout: "this\n"},
		"several": {
			args: "Which?|--multi|--header|Checks|-s|Unit|-s|Lint|-s|Race", shows: `"header":"Checks"`,
			does: picks(protocol.Pick{Options: []int{0, 2}, Other: "and Fuzz"}), stdout: "Unit\nRace\nand Fuzz\n",
		},
		"one with a header": {
			args: "Which?|--header|H|-s|a|-s|b", shows: `"multiSelect":false`, does: picks(protocol.Pick{Options: []int{1}}), stdout: "b\n",
		},
		"questions of a file": {
			args: "--questions|-", stdin: `{"questions":[{"question":"A?","header":"A","multiSelect":false,"options":[{"label":"x","description":""},{"label":"y","description":""}]},` +
				`{"question":"B?","header":"B","multiSelect":true,"options":[{"label":"x","description":""},{"label":"y","description":""}]}]}`,
			does:   picks(protocol.Pick{Options: []int{1}}, protocol.Pick{Options: []int{0, 1}}),
			stdout: "The user has answered:\n\"A?\"=\"y\"\n\"B?\"=\"x, y\"\n",
		},
		"dismissed": {
			args: "Which?", does: func(s *sidecar, id string) (any, error) {
				return rpc.Call(t.Context(), s.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
			},
			status: 3, stderr: "followup ask: The question was dismissed.\n",
		},
		"dismissed, in French": {
			args: "Which?|--locale|fr", does: func(s *sidecar, id string) (any, error) {
				return rpc.Call(t.Context(), s.conn, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
			},
			status: 3, stderr: "followup ask: La question a été déclinée.\n",
		},
		"replied": {
			args: "Which?|-m|-s|a|-s|b|--json|-q", does: func(s *sidecar, id string) (any, error) {
				return rpc.Call(t.Context(), s.conn, protocol.QuestionReply, protocol.ReplyParams{QuestionID: id, Text: "why?"})
			},
			status: 6, stdout: `"outcome":"replied"`,
		},
		"withdrawn elsewhere": {
			args: "Which?|--json", does: func(s *sidecar, id string) (any, error) {
				return rpc.Call(t.Context(), s.conn, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id})
			},
			status: 7, stdout: `"outcome":"withdrawn","text":""}`, stderr: "followup ask: The question was withdrawn elsewhere.\n",
		},
		"a document without control characters": {
			args: "Which?|-s|x|-s|a\u009b2J\u202e\u007f|--json",
			does: said(protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &second}), stdout: `"text":"a\u009b2J\u202e\u007f"`,
		},
		"a document": {
			args: "Which?|-s|a|-s|b|--json|--need-inbox",
			does: said(protocol.AnswerParams{Provenance: protocol.ProvenanceEdited, Suggestion: &second, Text: "b, but later", Images: image}),
			stdout: `"outcome":"answered","provenance":"edited","text":"b, but later","structured":{"provenance":"edited","suggestion":"b"},` +
				`"images":[{"mimeType":"image/png","data":"iVBORw0KGgo="}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			asks := startAsk(t, storage, test.stdin, strings.Split(test.args, "|")...)
			item := onlyPending(t, editor)
			if shown, _ := json.Marshal(item.Payload); !strings.Contains(string(shown), test.shows) {
				t.Errorf("it shows %s", shown)
			}
			if _, err := test.does(editor, item.QuestionID); err != nil {
				t.Fatal(err)
			}
			if got := asks.ended(); got != test.status {
				t.Errorf("status %d, want %d", got, test.status)
			}
			got := asks.stdout.String()
			if strings.Contains(test.args, "--json") {
				if !json.Valid(asks.stdout.Bytes()) || !strings.Contains(got, test.stdout) || !strings.Contains(got, item.QuestionID) {
					t.Errorf("it prints %s", got)
				}
			} else if got != test.stdout {
				t.Errorf("it prints %q, want %q", got, test.stdout)
			}
			if got := asks.stderr.String(); got != test.stderr {
				t.Errorf("stderr %q, want %q", got, test.stderr)
			}
		})
	}
}

// A question or a suggestion of which nothing can be seen is empty.
func TestAskNothingVisible(t *testing.T) {
	t.Parallel()
	for _, text := range []string{" \n", "\x00\n", "\u200b\u2060\x1b"} {
		o := askOptions{question: "-"}
		if _, _, err := o.toCall(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "the question is empty") {
			t.Errorf("the question %+q: %v", text, err)
		}
		o = askOptions{suggestions: []string{"yes", text}}
		if err := o.checkSuggestions(); err == nil || !strings.Contains(err.Error(), "suggestion 2 of 2 is empty") {
			t.Errorf("the suggestion %+q: %v", text, err)
		}
	}
}

// An invalid question, or one that nobody saw, has no answer.
func TestAwaitWithoutAnAnswer(t *testing.T) {
	soon := 1
	for name, test := range map[string]struct {
		input, says string
		outcome     protocol.Outcome
		status      int
	}{
		"no question": {`{"question":""}`, "Not a question", protocol.OutcomeInvalid, exitFailed},
		"not shown":   {`{"question":"Anybody?"}`, "Nobody saw it", protocol.OutcomeNotShown, exitNotShown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			agent := startAgent(t, protocol.InitializationOptions{StorageFolder: storage, NotShownAfter: &soon})
			opened := rpctest.Call(agent, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Robot", Key: "k"})
			answer := rpctest.Call(agent, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: awaitedID, Tool: "ask_followup_question", Input: json.RawMessage(test.input),
			})
			if answer.Outcome != test.outcome {
				t.Fatalf("it ended as %s", answer.Outcome)
			}
			asks := startAsk(t, storage, "", "--await", awaitedID)
			if status := asks.ended(); status != test.status || asks.stdout.Len() > 0 || !strings.Contains(asks.stderr.String(), test.says) {
				t.Errorf("status %d, printed %q, stderr %q", status, asks.stdout.String(), asks.stderr.String())
			}
		})
	}
}

// If another client withdraws the question, the script's conversation ends too.
func TestAskIsWithdrawn(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	asks := startAsk(t, storage, "", "Still there?", "-s", "yes")
	item := onlyPending(t, editor)
	if _, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: item.QuestionID}); err != nil {
		t.Fatal(err)
	}
	if got := asks.ended(); got != exitWithdrawn {
		t.Errorf("status %d; stderr %s", got, asks.stderr.String())
	}
	editor.disconnect()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(storage, "inbox.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var open int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM sessions WHERE closed = 0").Scan(&open); err != nil || open != 0 {
		t.Errorf("%d conversations are open, %v", open, err)
	}
}

const awaitedID = "019a9c00-0000-7000-8000-000000000003"

// A signal withdraws the question, since nobody would get its answer. With --keep it stays open, and its answer can be collected.
func TestAskEndsOnSignal(t *testing.T) {
	for name, test := range map[string]struct {
		signal os.Signal
		args   []string
		status int
		ends   protocol.Outcome // of the question; empty if it stays open
	}{
		"interrupted":            {os.Interrupt, nil, 130, protocol.OutcomeWithdrawn},
		"terminated":             {syscall.SIGTERM, nil, 143, protocol.OutcomeWithdrawn},
		"killed":                 {os.Kill, nil, -1, ""},
		"terminated, but keeps":  {syscall.SIGTERM, []string{"--keep"}, 143, ""},
		"out of time, but keeps": {nil, []string{"--keep", "--timeout", "1ms"}, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storage := storageDir(t)
			editor := startSidecar(t, storage)
			if test.signal == os.Interrupt {
				needsInterrupts(t)
			}
			asks := startAsk(t, storage, "", append(test.args, "Still there?", "-s", "yes")...)
			item := onlyPending(t, editor)
			if test.signal != nil {
				if err := asks.command.Process.Signal(test.signal); err != nil {
					t.Skip(err) // Windows has no such signals
				}
			}
			if got := asks.ended(); got != test.status {
				t.Errorf("status %d, want %d; stderr %s", got, test.status, asks.stderr.String())
			}
			if test.ends != "" {
				var closed protocol.InboxItem
				editor.untilTrue(func() bool {
					closed = editor.items[item.QuestionID]
					return closed.State == protocol.ItemClosed
				})
				if closed.Outcome.Outcome != test.ends {
					t.Errorf("it ended as %s", closed.Outcome.Outcome)
				}
				return
			}
			if test.args != nil && !strings.Contains(asks.stderr.String(), "followup ask --await "+item.QuestionID) {
				t.Errorf("stderr %s", asks.stderr.String())
			}
			editor.untilTrue(func() bool { return editor.items[item.QuestionID].Orphaned })
			again := startAsk(t, storage, "", "--await", item.QuestionID)
			editor.untilTrue(func() bool { return !editor.items[item.QuestionID].Orphaned })
			_, err := rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: item.QuestionID, Provenance: protocol.ProvenanceTyped, Text: "yes, here",
			})
			if err != nil {
				t.Fatal(err)
			}
			if status, got := again.ended(), again.stdout.String(); status != 0 || got != "yes, here\n" {
				t.Errorf("status %d, printed %q", status, got)
			}
			late := startAsk(t, storage, "", "--await", item.QuestionID)
			if status, got := late.ended(), late.stdout.String(); status != 0 || got != "yes, here\n" {
				t.Errorf("later: status %d, printed %q", status, got)
			}
		})
	}
}
