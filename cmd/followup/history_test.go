package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/waits"
)

// shell runs a subcommand like a shell.
func shell(t *testing.T, storage string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	environment := map[string]string{"FOLLOWUP_STORAGE": storage, "LANG": "en"}
	status = run(process{args, io.NopCloser(strings.NewReader("")), &out, &problems, func(name string) string { return environment[name] }})
	return status, out.String(), problems.String()
}

// filled returns a storage folder with three answers: of the agents Roo, Kilo and Roo.
func filled(t *testing.T) string {
	t.Helper()
	storage := storageDir(t)
	fill(t, startSidecar(t, storage))
	return storage // the sidecar still runs: the history can be read meanwhile
}

// fill asks three questions and answers them.
func fill(t *testing.T, s *sidecar) {
	t.Helper()
	for i, asked := range []struct{ agent, question, answer string }{
		{"Roo", "Which database?\nThe old one is gone.", "PostgreSQL"},
		{"Kilo", "Which port, and why \x1b[31mthat one\x07?", "8080, because " + strings.Repeat("it is long ", 20)},
		{"Roo", "Quelle base ?", "数据库"},
	} {
		opened, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{
			Agent: asked.agent, Key: "s", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: "file:///home/me/" + "w", Name: "w"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		input, _ := json.Marshal(map[string]string{"question": asked.question})
		id := "019a9c00-0000-7000-8000-00000000000" + string(rune('1'+i))
		done := make(chan error, 1)
		go func() {
			_, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: input,
			})
			done <- err
		}()
		if !s.untilPending(id) {
			t.Fatal("the sidecar ended")
		}
		_, err = rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: asked.answer,
		})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestHistoryFromAShell(t *testing.T) {
	t.Parallel()
	storage := filled(t)
	long := "8080, because " + strings.TrimSpace(strings.Repeat("it is long ", 20)) // a pipe cuts nothing
	tests := []struct {
		args string
		want []string // the ends of the lines
	}{
		{"history", []string{"Quelle base ?                         数据库", long, "PostgreSQL"}},
		{"history list --limit 1", []string{"数据库"}},
		{"history --agent Kilo", []string{long}},
		{"history --workspace /home/me/w --limit 2", []string{"数据库", long}},
		{"history --workspace /elsewhere", nil},
		{"history --since 1h --until 2999-01-01 --outcome answered --limit 1", []string{"数据库"}},
		{"history --kind question --limit 1", []string{"数据库"}},
		{"history --kind approval --kind guidance", nil},
		{"history --until 1d", nil},
		{"history search data", []string{"PostgreSQL"}},
		{"history search 据库", []string{"数据库"}},
		{"history search WHICH post", []string{"PostgreSQL"}},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			status, stdout, stderr := shell(t, storage, strings.Fields(test.args)...)
			lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
			if len(test.want) == 0 {
				if status != 0 || stdout != "" || !strings.Contains(stderr, "Nothing was found") {
					t.Errorf("status %d, %q, %q", status, stdout, stderr)
				}
				return
			}
			if status != 0 || len(lines) != len(test.want) || stderr != "" {
				t.Fatalf("status %d, %q, %q", status, stdout, stderr)
			}
			for i, line := range lines {
				if !strings.HasSuffix(line, test.want[i]) {
					t.Errorf("got %q, want …%q", line, test.want[i])
				}
				if strings.ContainsAny(line, "\x1b\x07") {
					t.Errorf("commands for a terminal: %q", line)
				}
			}
		})
	}
}

// Lists, searches, exports and single entries have the same JSON, from a shell and for the page.
func TestHistoryJSON(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	editor := startSidecar(t, storage)
	fill(t, editor)
	opened, err := rpc.Call(t.Context(), editor.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Roo", Key: "pictures"})
	if err != nil {
		t.Fatal(err)
	}
	const id = "019a9c00-0000-7000-8000-000000000009"
	asked := make(chan error, 1)
	go func() {
		_, err := rpc.Call(context.Background(), editor.conn, protocol.QuestionAsk, protocol.AskParams{
			Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: json.RawMessage(`{"question":"Which **picture**?"}`),
		})
		asked <- err
	}()
	editor.untilPending(id)
	if _, err = rpc.Call(t.Context(), editor.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: strings.Repeat("this long ", 1<<10) + "database",
		Images: []protocol.Image{{MimeType: "image/png", Data: "iVBORw0KGgo="}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := waits.For(t, asked); err != nil {
		t.Fatal(err)
	}
	command := func(line string) string {
		status, stdout, stderr := shell(t, storage, strings.Fields(line)...)
		if status != 0 {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
		return stdout
	}
	waits.Until(t, "the answer is recorded as collected", func() bool {
		return strings.Contains(command("history show --json "+id), `"collected":true`)
	})
	for _, words := range []string{"", " database"} {
		exported := command("history export --format json" + words)
		listed := command(strings.TrimSpace("history " + map[bool]string{true: "list", false: "search"}[words == ""] + " --json" + words))
		if listed != exported {
			t.Errorf("%q: listed %s, exported %s", words, listed, exported)
		}
		page, err := rpc.Call(t.Context(), editor.conn, protocol.HistoryText, protocol.HistoryTextParams{Format: protocol.HistoryJSON, Text: strings.TrimSpace(words)})
		if err != nil || page.Text != exported {
			t.Errorf("%q: the page exports %s, %v, a shell %s", words, page.Text, err, exported)
		}
		if shown := strings.TrimSpace(command("history show --json " + id)); !strings.Contains(exported, shown) || !strings.Contains(shown, `"images":[{`) {
			t.Errorf("shown %s, exported %s", shown, exported)
		}
	}
	if none := command("history --json --agent Nobody"); none != "[]\n" {
		t.Errorf("no entry is %q", none)
	}
}

func TestExportFromAShell(t *testing.T) {
	t.Parallel()
	storage := filled(t)
	status, stdout, _ := shell(t, storage, "history", "export", "--format", "json")
	var entries []protocol.HistoryEntry
	if err := json.Unmarshal([]byte(stdout), &entries); status != 0 || err != nil || len(entries) != 3 {
		t.Errorf("status %d, %v: %s", status, err, stdout)
	}
	path := filepath.Join(storageDir(t), "history.md")
	status, stdout, stderr := shell(t, storage, "history", "export", "--output", path, "--agent", "Roo", "database")
	body, err := os.ReadFile(path)
	if status != 0 || stdout != "" || err != nil || !strings.Contains(stderr, "1 entry was exported to ") || !strings.Contains(string(body), "> PostgreSQL\n") {
		t.Errorf("status %d, %q, %q, %v:\n%s", status, stdout, stderr, err, body)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

func TestImportFromAShell(t *testing.T) {
	t.Parallel()
	storage, log := storageDir(t), filepath.Join(storageDir(t), "session.jsonl")
	lines := `{"type":"assistant","sessionId":"s","uuid":"u1","cwd":"/w","timestamp":"2026-01-02T03:04:05Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}]}}]}}
{"type":"user","sessionId":"s","uuid":"u2","cwd":"/w","timestamp":"2026-01-02T03:05:05Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"User has answered your questions: \"Which?\"=\"B\". You can now continue."}]}}
{"type":"assistant"`
	if err := os.WriteFile(log, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 added, 0 already known", "0 added, 1 already known"} {
		status, stdout, stderr := shell(t, storage, "import", log)
		if status != 0 || !strings.HasPrefix(stdout, want) || !strings.Contains(stderr, "session.jsonl:3") {
			t.Errorf("status %d, %q, %q", status, stdout, stderr)
		}
	}
	if status, stdout, _ := shell(t, storage, "history", "search", "which"); status != 0 || !strings.Contains(stdout, "Which?") || !strings.HasSuffix(stdout, "B\n") {
		t.Errorf("status %d, %q", status, stdout)
	}
	if status, stdout, _ := shell(t, storage, "import", "--json", log); status != 0 || !strings.HasPrefix(stdout, `{"added":0,"known":1,`) {
		t.Errorf("status %d, %q", status, stdout)
	}
}

func TestHistoryRefuses(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	tests := []struct {
		args   string
		status int
		words  string
	}{
		{"history", 0, "No questions are stored in"},
		{"history words", 2, "followup history search words"},
		{"history search", 2, "text to search for is missing"},
		{"history --limit -1", 2, "limit"},
		{"history --since yesterday", 2, "2006-01-02"},
		{"history --outcome lost", 2, "use one of answered, dismissed"},
		{"history --kind other", 2, "use one of question, approval, plan, guidance"},
		{"history export --format pdf", 2, "use one of markdown, json"},
		{"history --nonsense", 2, "nonsense"},
		{"import /no/such/file", 1, filepath.FromSlash("/no/such/file")},
		{"import " + storage, 1, "No log in a known format"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			status, _, stderr := shell(t, storage, strings.Fields(test.args)...)
			if status != test.status || !strings.Contains(stderr, test.words) {
				t.Errorf("status %d, want %d; %q", status, test.status, stderr)
			}
		})
		if test.args == "history" { // before an import creates the storage
			if left, err := os.ReadDir(storage); err != nil || len(left) > 0 {
				t.Errorf("looking left %v, %v", left, err)
			}
		}
	}
	for _, args := range []string{"history -h", "history export -h", "import -h"} {
		if status, stdout, stderr := shell(t, storage, strings.Fields(args)...); status != 0 || !strings.Contains(stdout, "followup help storage  --storage\n") || stderr != "" {
			t.Errorf("%s: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	var ms int64
	for value, age := range map[string]time.Duration{"36h": 36 * time.Hour, "7d": 7 * 24 * time.Hour} {
		if err := moment(&ms)(value); err != nil || time.Since(time.UnixMilli(ms)) < age-2*time.Hour || time.Since(time.UnixMilli(ms)) > age+2*time.Hour {
			t.Errorf("%s: %d, %v", value, ms, err)
		}
	}
	if err := moment(&ms)("2026-01-02T03:04:05Z"); err != nil || ms != 1767323045000 {
		t.Errorf("%d, %v", ms, err)
	}
}

// storeIn opens a store that another process also has open, until the test ends.
func storeIn(t *testing.T, place string) store.Store {
	t.Helper()
	return storeOf(t, place, "")
}

// storeOf is storeIn for a team's store.
func storeOf(t *testing.T, place, team string) store.Store {
	t.Helper()
	in, _, err := openEngine(t.Context(), place, store.Options{Team: team})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return in
}

// pastIn returns a store's closed questions.
func pastIn(t *testing.T, in store.Store) (past []protocol.HistoryEntry) {
	t.Helper()
	err := in.Export(t.Context(), store.Selection{}, func(q store.Question) error {
		entry, err := archive.Entry(q)
		past = append(past, entry)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return past
}
