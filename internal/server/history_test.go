package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// answered asks and answers a question, and returns its id.
func answered(t *testing.T, e *rpctest.Editor, session, question, answer string) string {
	t.Helper()
	input, err := json.Marshal(map[string]any{"question": question, "follow_up": []string{"One", "Two"}})
	if err != nil {
		t.Fatal(err)
	}
	id, reply := e.Ask(session, string(input))
	e.UntilState(id, protocol.ItemPending)
	params := typed(id, answer)
	params.Images = []protocol.Image{{MimeType: "image/gif", Data: "R0lGODlh"}}
	rpctest.Call(e, protocol.QuestionAnswer, params)
	waits.For(t, reply)
	return id
}

func texts(page protocol.HistoryPage) []string {
	var all []string
	for _, entry := range page.Entries {
		all = append(all, entry.Outcome.Text)
	}
	return all
}

func TestHistory(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	session := e.Session("s")
	other := rpctest.Call(e, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: "Other", Key: "s", WorkspaceFolders: []protocol.WorkspaceFolder{{URI: "file:///w", Name: "w"}},
	}).Session
	first := answered(t, e, session, "Which *database*?", "alpha")
	answered(t, e, other, "Which port?", "beta")
	dismissed, reply := e.Ask(session, `{"question":"Which host?"}`)
	e.UntilState(dismissed, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: dismissed})
	waits.For(t, reply)
	_, reply = e.Ask(session, `{}`)
	waits.For(t, reply)

	var seen []string
	list := protocol.HistoryListParams{Limit: 1}
	for {
		page := rpctest.Call(e, protocol.HistoryList, list)
		if !page.Saved || page.Problem != "" {
			t.Errorf("got %+v", page)
		}
		for _, entry := range page.Entries {
			seen = append(seen, entry.Payload.Question)
		}
		if list.After = page.Next; page.Next == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"Which host?", "Which port?", "Which *database*?"}, seen); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}
	filters := []struct {
		filter protocol.HistoryFilter
		want   []string
	}{
		{protocol.HistoryFilter{Agents: []string{"Other"}}, []string{"beta"}},
		{protocol.HistoryFilter{Workspaces: []string{"file:///w"}}, []string{"beta"}},
		{protocol.HistoryFilter{Outcomes: []protocol.Outcome{protocol.OutcomeAnswered}}, []string{"beta", "alpha"}},
		{protocol.HistoryFilter{Outcomes: []protocol.Outcome{protocol.OutcomeInvalid}}, []string{""}},
		{protocol.HistoryFilter{Kinds: []protocol.HistoryKind{protocol.KindApproval, protocol.KindQuestion}}, []string{"", "beta", "alpha"}},
		{protocol.HistoryFilter{Kinds: []protocol.HistoryKind{protocol.KindApproval}}, nil},
		{protocol.HistoryFilter{To: 1}, nil},
	}
	for _, test := range filters {
		if diff := cmp.Diff(test.want, texts(rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{Filter: test.filter}))); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.filter, diff)
		}
	}
	for text, want := range map[string][]string{"data": {"alpha"}, "WHICH por": {"beta"}, "bet": {"beta"}, "nothing": nil, `"which" AND (`: nil} {
		if diff := cmp.Diff(want, texts(rpctest.Call(e, protocol.HistorySearch, protocol.HistorySearchParams{Text: text}))); diff != "" {
			t.Errorf("search for %q (-want +got):\n%s", text, diff)
		}
	}
	facets := rpctest.Call(e, protocol.HistoryFacets, protocol.None{})
	if diff := cmp.Diff(protocol.HistoryFacetsResult{Agents: []string{"Other", "Test"}, Workspaces: []string{"file:///w"}}, facets); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
	entry := rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: first})
	if len(entry.Images) != 1 || entry.Images[0].Data != "R0lGODlh" || entry.Outcome.Images != 1 || len(entry.Payload.Suggest) != 2 ||
		entry.Rendered == nil || !holds(entry.Rendered.Question, protocol.MarkdownNode{Kind: protocol.MarkdownEmphasis, Text: "database"}) {
		t.Errorf("got %+v", entry)
	}
	for _, bad := range []func() int64{
		func() int64 { return rpctest.Code(e, protocol.HistoryList, protocol.HistoryListParams{After: "x"}) },
		func() int64 {
			return rpctest.Code(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: rpctest.NewID()})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{DeletionID: rpctest.NewID()})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryRestore, protocol.HistoryRestoreParams{Undo: "x"})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryExport, protocol.HistoryExportParams{HistoryTextParams: protocol.HistoryTextParams{Format: "pdf"}})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryExport, protocol.HistoryExportParams{HistoryTextParams: protocol.HistoryTextParams{Format: "json"}, Path: "relative"})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{RetentionDays: -1})
		},
		func() int64 {
			return rpctest.Code(e, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{"relative"}})
		},
		func() int64 { return rpctest.Code(e, protocol.HistoryImport, protocol.HistoryImportParams{}) },
	} {
		if code := bad(); code != protocol.CodeRefused {
			t.Errorf("got code %d", code)
		}
	}
}

// Deleted entries disappear at once and can be restored for a while. After that, no file of the store contains their text.
func TestDeleteAndUndo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	session := e.Session("s")
	id := answered(t, e, session, "Keep the sentinel-question?", "sentinel-answer")
	answered(t, e, session, "Another?", "other")
	deleted := rpctest.Call(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{DeletionID: rpctest.NewID(), QuestionIDs: []string{id}})
	if deleted.Count != 1 || deleted.Undo == "" || deleted.UndoUntil == 0 {
		t.Fatalf("got %+v", deleted)
	}
	if got := texts(rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})); !cmp.Equal(got, []string{"other"}) {
		t.Errorf("after deleting: %q", got)
	}
	if restored := rpctest.Call(e, protocol.HistoryRestore, protocol.HistoryRestoreParams{Undo: deleted.Undo}); restored.Count != 1 {
		t.Errorf("got %+v", restored)
	}
	if got := texts(rpctest.Call(e, protocol.HistorySearch, protocol.HistorySearchParams{Text: "sentinel"})); !cmp.Equal(got, []string{"sentinel-answer"}) {
		t.Errorf("after the undo: %q", got)
	}
	all := rpctest.Call(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{DeletionID: rpctest.NewID(), All: true, Text: "sentinel"})
	if all.Count != 1 {
		t.Errorf("deleting by search: %+v", all)
	}
	if got := texts(rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})); !cmp.Equal(got, []string{"other"}) {
		t.Errorf("after deleting: %q", got)
	}
}

// holds reports whether an element is among nodes or their descendants.
func holds(nodes []protocol.MarkdownNode, element protocol.MarkdownNode) bool {
	return slices.ContainsFunc(nodes, func(n protocol.MarkdownNode) bool {
		return cmp.Equal(n, element) || holds(n.Nodes, element)
	})
}

// An export can be read back completely, from a file or as text.
func TestExport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	session := e.Session("s")
	first := answered(t, e, session, "Which database?", "a\nb `c` <d>")
	answered(t, e, session, "Which port?", "beta")
	path := filepath.Join(t.TempDir(), "out.json")
	result := rpctest.Call(e, protocol.HistoryExport, protocol.HistoryExportParams{HistoryTextParams: protocol.HistoryTextParams{Format: protocol.HistoryJSON}, Path: path})
	if result.Count != 2 {
		t.Errorf("got %+v", result)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var entries []protocol.HistoryEntry
	if err := json.Unmarshal(body, &entries); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	want := rpctest.Call(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: first})
	want.Rendered = nil
	if len(entries) != 2 || !cmp.Equal(entries[1], want) {
		t.Errorf("read back (-want +got):\n%s", cmp.Diff(want, entries[1]))
	}
	text := rpctest.Call(e, protocol.HistoryText, protocol.HistoryTextParams{Format: protocol.HistoryMarkdown, QuestionIDs: []string{first}}).Text
	for _, part := range []string{"# Questions and answers\n", "Which database?\n", "- [ ] One\n", "**Answered**\n", "> a\n> b \\`c\\` \\<d\\>\n", "data:image/gif;base64,R0lGODlh"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, ".out*")); err != nil || len(left) > 0 {
		t.Errorf("left over next to the export: %v, %v", left, err)
	}
	_, err = rpc.Call(context.Background(), e.Conn, protocol.HistoryExport, protocol.HistoryExportParams{
		HistoryTextParams: protocol.HistoryTextParams{Format: protocol.HistoryJSON}, Path: filepath.Join(folder, "no", "such", "folder", "out.json"),
	})
	if rpctest.ErrorCode(err) != protocol.CodeRefused || !strings.Contains(err.Error(), "out.json") {
		t.Errorf("got %v", err)
	}
}

// If no history is kept, questions are stored while they are open and deleted once their agents have the answers.
func TestKeepNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	session := e.Session("s")
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: false})
	open, _ := e.Ask(session, `{"question":"Still open?"}`)
	e.UntilState(open, protocol.ItemPending)
	done := answered(t, e, e.Session("t"), "Closed?", "yes")
	for rpctest.Code(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: done}) == 0 {
	}
	e.Leave()
	again := rpctest.ConnectTo(t, folder, nil)
	again.UntilState(open, protocol.ItemPending)
}

// If no history is kept, questions that are withdrawn, cancelled or closed with their session are deleted too.
func TestKeepNothingOfWithdrawnQuestions(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: false})
	withdrawn, _ := e.Ask(e.Session("a"), `{"question":"Withdrawn?"}`)
	closes := e.Session("b")
	closed, _ := e.Ask(closes, `{"question":"Closed?"}`)
	cancelled, _ := e.Ask(e.Session("c"), `{"question":"Cancelled?"}`)
	for _, id := range []string{withdrawn, closed, cancelled} {
		e.UntilState(id, protocol.ItemPending)
	}
	rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: withdrawn})
	rpctest.Call(e, protocol.SessionClose, protocol.SessionCloseParams{Session: closes})
	e.Cancel(protocol.QuestionAsk.Method)
	for _, id := range []string{withdrawn, closed, cancelled} {
		e.UntilState(id, protocol.ItemClosed)
	}
	waits.Until(t, "they are gone", func() bool {
		for _, id := range []string{withdrawn, closed, cancelled} {
			if rpctest.Code(e, protocol.HistoryGet, protocol.QuestionParams{QuestionID: id}) == 0 {
				return false
			}
		}
		return true
	})
}

// Without a storage folder the history is empty, and the page says why.
func TestHistoryWithoutStorage(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if page.Saved || !strings.Contains(page.Problem, "storage folder") || page.Entries == nil {
		t.Errorf("got %+v", page)
	}
	if code := rpctest.Code(e, protocol.HistoryText, protocol.HistoryTextParams{Format: protocol.HistoryJSON}); code != protocol.CodeRefused {
		t.Errorf("got code %d", code)
	}
}

// importable is another tool's log: a question, its answer, and a truncated line.
const importable = `{"type":"assistant","sessionId":"s","uuid":"u1","cwd":"/w","timestamp":"2026-01-02T03:04:05Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}]}}]}}` + "\n" +
	`{"type":"user","sessionId":"s","uuid":"u2","cwd":"/w","timestamp":"2026-01-02T03:05:05Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"User has answered your questions: \"Which?\"=\"B\". You can now continue."}]}}` + "\n" +
	`{"type":"assistant","sessionId":`

func TestImport(t *testing.T) {
	t.Parallel()
	folder, logs := t.TempDir(), t.TempDir()
	log := filepath.Join(logs, "session.jsonl")
	if err := os.WriteFile(log, []byte(importable), 0o600); err != nil {
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, folder, nil)
	for _, want := range []protocol.HistoryImportResult{{Added: 1}, {Known: 1}} {
		result := rpctest.Call(e, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{logs}, Token: "token"})
		if result.Added != want.Added || result.Known != want.Known || result.Files != 1 || result.DamagedCount != 1 || len(result.Damaged) != 1 {
			t.Errorf("got %+v", result)
		}
	}
	page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
	if len(page.Entries) != 1 || page.Entries[0].Source == "" || len(page.Entries[0].Outcome.Picks) != 1 ||
		!cmp.Equal(page.Entries[0].Outcome.Picks[0].Options, []int{1}) || page.Entries[0].Outcome.At != 1767323105000 {
		t.Errorf("got %+v", page.Entries)
	}
	if err := os.WriteFile(log, []byte("nothing of the kind"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := rpctest.Code(e, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{logs}}); code != protocol.CodeRefused {
		t.Errorf("no log: got code %d", code)
	}
}

// If an import finds no log, its error's data lists the skipped files.
func TestImportErrorHasTheResult(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	notes := filepath.Join(t.TempDir(), "notes.json")
	if err := os.WriteFile(notes, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := rpc.Call(t.Context(), e.Conn, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{notes}})
	var wrong *jsonrpc2.Error
	if !errors.As(err, &wrong) || wrong.Code != protocol.CodeRefused || wrong.Data == nil {
		t.Fatalf("got %v", err)
	}
	var result protocol.HistoryImportResult
	if err := json.Unmarshal(*wrong.Data, &result); err != nil || result.SkippedCount != 1 || result.Skipped[0].File != notes {
		t.Errorf("got %+v, %v", result, err)
	}
}

// A prefix of its id finds a question, open or closed. Each entry has the shortest prefix that no other entry shares.
func TestFindByTheBeginningOfAnID(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	session := e.Session("s")
	const closed, near, open = "019a9c00-0000-7000-8000-000000000001", "019a9c00-1000-7000-8000-000000000002", "029a9c00-0000-7000-8000-000000000003"
	for _, id := range []string{closed, near, open} {
		e.AskWith(protocol.AskParams{Session: session, QuestionID: id, Tool: "ask_followup_question", Input: json.RawMessage(`{"question":"Q?"}`)})
		e.UntilState(id, protocol.ItemPending)
		if id != open {
			rpctest.Call(e, protocol.QuestionAnswer, typed(id, strings.Repeat("long ", 2000)))
		}
	}
	find := func(prefix string, limit int) (ids []string, more bool) {
		result := rpctest.Call(e, protocol.HistoryFind, protocol.HistoryFindParams{Prefix: prefix, Limit: limit})
		for _, q := range result.Questions {
			switch {
			case q.Entry != nil && q.Item == nil && !q.Entry.Shortened && len(q.Entry.Outcome.Text) == 10_000:
				ids = append(ids, q.Entry.QuestionID)
			case q.Entry == nil && q.Item != nil && q.Item.State == protocol.ItemPending && q.Item.Payload.Question == "Q?":
				ids = append(ids, q.Item.QuestionID)
			default:
				t.Errorf("found %+v", q)
			}
		}
		return ids, result.More
	}
	for _, test := range []struct {
		prefix string
		limit  int
		want   []string
		more   bool
	}{
		{"0", 0, []string{closed, near, open}, false},
		{"019a9c00", 1, []string{closed}, true},
		{"02", 0, []string{open}, false},
		{near, 0, []string{near}, false},
		{"%", 0, nil, false},
	} {
		if ids, more := find(test.prefix, test.limit); !slices.Equal(ids, test.want) || more != test.more {
			t.Errorf("%q: found %v, more %v", test.prefix, ids, more)
		}
	}
	if code := rpctest.Code(e, protocol.HistoryFind, protocol.HistoryFindParams{}); code != protocol.CodeRefused {
		t.Errorf("an empty prefix: got code %d", code)
	}
	page := rpctest.Call(e, protocol.HistorySearch, protocol.HistorySearchParams{ShortIDs: true, Plain: true})
	if len(page.Entries) != 2 || page.Entries[0].Rendered != nil || page.Entries[0].ShortID != "019a9c00-1" || page.Entries[1].ShortID != "019a9c00-0" {
		t.Errorf("got %+v", page.Entries)
	}
}

// Once the undo has expired, no file of the store contains the text of a deleted entry.
func TestDeletedTextIsGone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := rpctest.ConnectTo(t, folder, nil)
	id := answered(t, e, e.Session("s"), "Where is the sentinelquestion?", "sentinelanswer")
	if !inFiles(t, folder, "sentinelquestion", "sentinelanswer") {
		t.Fatal("the texts are not found even before the deletion, so the test proves nothing")
	}
	deleted := rpctest.Call(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{DeletionID: rpctest.NewID(), QuestionIDs: []string{id}})
	for range time.Tick(100 * time.Millisecond) {
		if !inFiles(t, folder, "sentinelquestion") && !inFiles(t, folder, "sentinelanswer") {
			break
		}
	}
	if time.Now().UnixMilli() < deleted.UndoUntil {
		t.Error("removed permanently while the undo was still possible")
	}
	if code := rpctest.Code(e, protocol.HistoryRestore, protocol.HistoryRestoreParams{Undo: deleted.Undo}); code != protocol.CodeRefused {
		t.Errorf("a late undo: got code %d", code)
	}
}

// inFiles reports whether the files in a folder contain all texts.
func inFiles(t *testing.T, folder string, texts ...string) bool {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		body, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, body...)
	}
	for _, text := range texts {
		if !bytes.Contains(all, []byte(text)) {
			return false
		}
	}
	return true
}
