package main

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// asked leaves two open questions in an unused storage folder: one with a context, and one without.
func asked(t *testing.T, storage string) (first, second string) {
	t.Helper()
	e := rpctest.ConnectTo(t, storage, nil)
	ids := []string{rpctest.NewID(), rpctest.NewID()}
	for i, id := range ids {
		params := protocol.AskParams{
			Session: e.Session(id), QuestionID: id, Tool: "ask_followup_question", Input: json.RawMessage(`{"question":"Drop **all**?"}`),
		}
		if i == 0 {
			params.Context = "I read *the schema*."
		}
		e.AskWith(params)
		e.UntilState(id, protocol.ItemPending)
	}
	e.Leave()
	return ids[0], ids[1]
}

func TestInboxShowsTheContext(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	first, _ := asked(t, storage)
	status, out, problems := shell(t, storage, "inbox", "--json")
	var got struct{ Items []protocol.InboxItem }
	if err := json.Unmarshal([]byte(out), &got); status != 0 || err != nil || len(got.Items) != 2 {
		t.Fatalf("status %d, %v: %s%s", status, err, out, problems)
	}
	if item := got.Items[0]; item.QuestionID != first || item.Context != "I read *the schema*." || got.Items[1].Context != "" {
		t.Errorf("got %+v", got.Items)
	}
	if _, out, _ = shell(t, storage, "inbox"); !strings.Contains(out, "Drop all?") {
		t.Errorf("it prints %s", out)
	}
}

// A corrupt row is reported, and does not hide other questions.
func TestInboxWithACorruptRow(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	first, second := asked(t, storage)
	db, err := sql.Open("sqlite", filepath.Join(storage, "inbox.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`UPDATE questions SET call = CAST('x' AS BLOB) WHERE ord = (SELECT min(ord) FROM questions)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"inbox"}, {"inbox", "--json"}} {
		status, out, problems := shell(t, storage, args...)
		if status != 0 || !strings.Contains(out, second) || strings.Contains(out, first) || !strings.Contains(problems, first) {
			t.Errorf("%v: status %d\n%s\n%s", args, status, out, problems)
		}
	}
}
