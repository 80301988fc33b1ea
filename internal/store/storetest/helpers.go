package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"followup/internal/question"
	"followup/internal/store"
)

// Commit writes one change, and returns its result.
func Commit(t testing.TB, s store.Store, c store.Change) store.Result {
	t.Helper()
	return must(s.Commit(t.Context(), []store.Change{c}))(t)[0]
}

// Apply writes one change.
func Apply(t testing.TB, s store.Store, c store.Change) store.Result {
	t.Helper()
	result := Commit(t, s, c)
	if result.Err != nil {
		t.Fatalf("%+v", result)
	}
	return result
}

// Remove deletes questions by their ids.
func Remove(t testing.TB, s store.Store, ids ...string) store.Deletion {
	t.Helper()
	return must(s.Delete(t.Context(), uuid.NewString(), store.Selection{IDs: ids}))(t)
}

// CloseQuestion writes an outcome, and returns the one that the store has then.
func CloseQuestion(t testing.TB, s store.Store, o store.Outcome) store.Outcome {
	t.Helper()
	result, err := s.Commit(t.Context(), []store.Change{{Outcomes: []store.Outcome{o}}})
	if err != nil || result[0].Err != nil {
		t.Error(err, result)
		return store.Outcome{}
	}
	return *must(s.Question(t.Context(), o.QuestionID))(t).Outcome
}

// Ask writes a pending question without a session.
func Ask(t testing.TB, s store.Store, id, text string) {
	t.Helper()
	Apply(t, s, store.Change{Questions: []store.Question{{ID: id, State: store.Pending, Tool: question.ToolFollowup, Text: text, Agent: "Roo", Workspace: "file:///w"}}})
}

// Answered returns an outcome with the user's words.
func Answered(id, text string) store.Outcome {
	return store.Outcome{QuestionID: id, Outcome: question.Answered, Provenance: question.Typed, Text: text}
}

// Converse asks and answers a question, a second after the previous one.
func Converse(t testing.TB, s store.Store, c *Clock, id, asked, said string) {
	t.Helper()
	c.Forward(time.Second)
	Ask(t, s, id, asked)
	Apply(t, s, store.Change{Outcomes: []store.Outcome{Answered(id, said)}, Collected: []string{id}})
}

// pages reads the history in pages, newest first, and checks that each but the last is full.
func pages(t testing.TB, s store.Store, f store.Filter, limit int) (all []store.Question) {
	t.Helper()
	for before := store.Key(0); ; {
		page := must(s.History(t.Context(), f, before, limit))(t)
		all = append(all, page.Entries...)
		if before = page.Next; before == 0 {
			return all
		}
		Same(t, "a full page", len(page.Entries), limit)
	}
}

// imports imports exchanges, and checks how many were added and known.
func imports(t testing.TB, s store.Store, what string, added, known int, exchanges ...store.Imported) {
	t.Helper()
	gotAdded, gotKnown, err := s.Import(t.Context(), exchanges)
	if err != nil || gotAdded != added || gotKnown != known {
		t.Errorf("%s: added %d, known %d, %v", what, gotAdded, gotKnown, err)
	}
}

// IDs returns questions' ids in order.
func IDs(questions []store.Question) []string {
	all := []string{}
	for _, q := range questions {
		all = append(all, q.ID)
	}
	return all
}

func Same(t testing.TB, what string, got, want any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, append(options, cmpopts.EquateEmpty())...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
