package server_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// An unreadable row only affects itself: the user gets a report, its session continues, and nobody gets an empty answer.
func TestOddRows(t *testing.T) {
	t.Parallel()
	for name, odd := range map[string]struct {
		damage string
		shown  bool // the question is still shown
	}{
		"draft without JSON":    {damage: `UPDATE drafts SET document = CAST('x' AS BLOB)`, shown: true},
		"call without JSON":     {damage: `UPDATE questions SET call = CAST('x' AS BLOB)`},
		"call without payload":  {damage: `UPDATE questions SET call = CAST('{}' AS BLOB)`},
		"held without an error": {damage: `UPDATE questions SET state = 4, call = CAST('{}' AS BLOB)`},
		"outcome without JSON":  {damage: `UPDATE outcomes SET answer = CAST('x' AS BLOB)`, shown: true},
		"empty outcome":         {damage: `UPDATE outcomes SET answer = CAST('{}' AS BLOB)`, shown: true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			before := rpctest.ConnectTo(t, folder, nil)
			session := before.Session("s")
			closed, _ := before.Ask(session, `{"question":"First?"}`)
			before.UntilState(closed, protocol.ItemPending)
			rpctest.Call(before, protocol.QuestionAnswer, typed(closed, "one"))
			open, _ := before.Ask(session, `{"question":"Second?"}`)
			before.UntilState(open, protocol.ItemPending)
			rpctest.Call(before, protocol.QuestionSaveDraft, protocol.SaveDraftParams{QuestionID: open, Draft: protocol.Draft{Text: "half", ChangedAt: 1}})
			before.Leave()
			for name, damage := range map[string]string{
				"inbox.db":   odd.damage,
				"history.db": strings.ReplaceAll(strings.ReplaceAll(odd.damage, "UPDATE questions SET state = 4, ", "UPDATE questions SET "), "questions", "entries"),
			} {
				if name == "history.db" {
					if strings.Contains(damage, "drafts") {
						continue
					}
					damage = strings.ReplaceAll(damage, "outcomes", "entries")
				}
				db, err := sql.Open("sqlite", filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := db.Exec(damage); err != nil {
					t.Fatal(err)
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}

			e := rpctest.ConnectTo(t, folder, nil)
			if _, shown := e.Items[open]; shown != odd.shown {
				t.Errorf("the question is shown: %v", shown)
			}
			if closes := strings.Contains(odd.damage, "outcomes"); closes {
				if code := rpctest.Code(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: closed}); code != protocol.CodeRefused {
					t.Errorf("awaiting the closed one gives code %d", code)
				}
			} else if !e.Storage.Saved || !strings.Contains(e.Storage.Problem, "could not be read") {
				t.Errorf("the user got %+v", e.Storage)
			}
			if !odd.shown {
				if code := rpctest.Code(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: open}); code != protocol.CodeRefused {
					t.Errorf("awaiting it gives code %d", code)
				}
			} else {
				rpctest.Call(e, protocol.QuestionAnswer, typed(open, "two"))
			}
			next, reply := e.Ask(e.Session("s"), `{"question":"Third?"}`)
			e.UntilState(next, protocol.ItemPending)
			rpctest.Call(e, protocol.QuestionAnswer, typed(next, "three"))
			if got := waits.For(t, reply); got.Answer.Text != "<answer>\nthree\n</answer>" {
				t.Errorf("got %+v", got)
			}
		})
	}
}
