package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/agentfolder"
	"followup/internal/archive"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/waits"
)

// shelf is a store with some entries, newest first; their keys count down to 1.
type shelf struct {
	store.Store // unused methods
	entries     []store.Question
	limits      []int // of the pages that were read
	fail        error
	deleted     store.Deletion
	importing   chan struct{} // gets a word when an import has begun; it never ends then
}

func (s *shelf) Restore(context.Context, string) (int, error) { return 0, nil }

func (s *shelf) History(_ context.Context, _ store.Filter, before store.Key, limit int) (store.Page, error) {
	s.limits = append(s.limits, limit)
	if s.fail != nil {
		return store.Page{}, s.fail
	}
	from := 0
	if before != 0 {
		from = len(s.entries) - int(before) + 1
	}
	page := store.Page{Entries: slices.Clone(s.entries[from:min(from+limit, len(s.entries))])}
	for i := range page.Entries {
		outcome := *page.Entries[i].Outcome
		outcome.Key = store.Key(len(s.entries) - from - i)
		page.Entries[i].Outcome = &outcome
	}
	if from+limit < len(s.entries) {
		page.Next = store.Key(len(s.entries) - from - limit + 1)
	}
	return page, nil
}

func (s *shelf) Question(_ context.Context, id string) (store.Question, error) {
	for _, q := range s.entries {
		if q.ID == id {
			return q, s.fail
		}
	}
	return store.Question{}, store.ErrNotFound
}

func (s *shelf) IDs(_ context.Context, prefix string, limit int) (ids []string, err error) {
	for _, q := range s.entries {
		if strings.HasPrefix(q.ID, prefix) && len(ids) < limit {
			ids = append(ids, q.ID)
		}
	}
	return ids, s.fail
}

func (s *shelf) Session(context.Context, string) (store.Session, error) {
	return store.Session{}, store.ErrNotFound
}

func (s *shelf) Export(_ context.Context, _ store.Selection, emit func(store.Question) error) error {
	for _, q := range s.entries {
		if err := emit(q); err != nil {
			return err
		}
	}
	return s.fail
}

func (s *shelf) Delete(context.Context, string, store.Selection) (store.Deletion, error) {
	return s.deleted, s.fail
}
func (s *shelf) Owns(string) bool { return false }

func (s *shelf) Import(context.Context, []store.Imported) (added, known int, err error) {
	s.importing <- struct{}{}
	select {}
}

// entry is a closed question.
func entry(t *testing.T, id, asked, said string, offered ...string) store.Question {
	t.Helper()
	input, err := json.Marshal(map[string]any{"question": asked, "follow_up": offered})
	if err != nil {
		t.Fatal(err)
	}
	call, err := archive.EncodeCall(dialect.ReadInput("ask_followup_question", input, dialect.Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := archive.EncodeEnded(archive.Ended{Item: protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: said}})
	if err != nil {
		t.Fatal(err)
	}
	return store.Question{
		ID: id, Agent: "Roo", Tool: "ask_followup_question", Call: call, AskedAt: time.UnixMilli(1), State: store.Closed,
		Outcome: &store.Outcome{QuestionID: id, Outcome: question.Answered, Answer: answer, Images: []question.Image{{MimeType: "image/png", Data: []byte{1}}}, ImageCount: 1},
	}
}

// of makes a history of stores: the next one comes when the one before is lost.
func of(stores ...store.Store) (h *History, lost *int) {
	lost = new(int)
	return New(Options{
		Log: zap.NewNop(), Locale: func() locale.Tag { return locale.English }, Places: func() []agentfolder.Place { return nil },
		Background: func(_ string, run func()) { go run() },
		Store: func(context.Context) (store.Store, string) {
			if *lost >= len(stores) {
				return nil, "nothing is kept"
			}
			return stores[*lost], ""
		},
		Lost: func(_ context.Context, _ store.Store, err error) bool {
			if errors.Is(err, store.ErrDamaged) {
				*lost++
				return true
			}
			return false
		},
	}), lost
}

// userText returns the user's text for an error; empty if the user does not see it.
func userText(err error) string {
	var refusal *locale.Refusal
	if !errors.As(err, &refusal) {
		return ""
	}
	return refusal.In(locale.English)
}

// Pages follow each other to the end, and are of a size that is bounded.
func TestPages(t *testing.T) {
	s := &shelf{}
	for i := range 120 {
		s.entries = append(s.entries, entry(t, fmt.Sprint("q", i), "**Q**?", "yes"))
	}
	h, _ := of(s)
	var ids []string
	for p := (protocol.HistorySearchParams{}); ; {
		page, err := h.Page(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !page.Saved || page.Problem != "" {
			t.Errorf("got %v, %q", page.Saved, page.Problem)
		}
		for _, e := range page.Entries {
			ids = append(ids, e.QuestionID)
			if e.Images != nil || e.Rendered == nil {
				t.Errorf("%s has %d images and is rendered as %v", e.QuestionID, len(e.Images), e.Rendered)
			}
		}
		if p.After = page.Next; p.After == "" {
			break
		}
	}
	if len(ids) != 120 || ids[0] != "q0" || ids[119] != "q119" || len(s.limits) != 3 || s.limits[0] != defaultPage {
		t.Errorf("%d entries in pages of %v", len(ids), s.limits)
	}
	var p protocol.HistorySearchParams
	p.Limit = 1 << 20
	if _, err := h.Page(t.Context(), p); err != nil || s.limits[3] != largestPage {
		t.Errorf("a page of %d, %v", s.limits[3], err)
	}
	for _, after := range []string{"0", "-1", "x"} {
		if _, err := h.Page(t.Context(), protocol.HistorySearchParams{HistoryListParams: protocol.HistoryListParams{After: after}}); !strings.Contains(userText(err), after) {
			t.Errorf("the key %s: %v", after, err)
		}
	}
}

// A page has the beginnings of long texts, cut between characters; the single entry has all of it, and its images.
func TestLongTexts(t *testing.T) {
	long := "x" + strings.Repeat("é", longestText)
	h, _ := of(&shelf{entries: []store.Question{entry(t, "q", long, long), {ID: "bad", Outcome: &store.Outcome{Answer: []byte("no JSON")}}}})
	page, err := h.Page(t.Context(), protocol.HistorySearchParams{})
	if err != nil || len(page.Entries) != 1 {
		t.Fatalf("%d entries, %v", len(page.Entries), err)
	}
	short := page.Entries[0]
	want := long[:longestText-1] + "…"
	if !short.Shortened || short.Outcome.Text != want || short.Payload.Question != want {
		t.Errorf("cut to %d and %d bytes, %v", len(short.Outcome.Text), len(short.Payload.Question), short.Shortened)
	}
	whole, err := h.Get(t.Context(), "q")
	if err != nil || whole.Shortened || whole.Outcome.Text != long || whole.Payload.Question != long || len(whole.Images) != 1 {
		t.Errorf("got %d bytes and %d images, %v", len(whole.Outcome.Text), len(whole.Images), err)
	}
	if _, err := h.Get(t.Context(), "none"); userText(err) != locale.English.Text(locale.HistoryUnknownEntry) {
		t.Errorf("got %v", err)
	}
}

// An unreadable entry hides no other one with its prefix; by itself it is an error that the user sees.
func TestFindBesideUnreadableEntries(t *testing.T) {
	odd := store.Question{ID: "a2", Outcome: &store.Outcome{Answer: []byte("no JSON")}}
	open := store.Question{ID: "a3", Call: []byte("no JSON")}
	h, _ := of(&shelf{entries: []store.Question{entry(t, "a1", "Q?", "yes"), odd, open, entry(t, "a4", "Q?", "no")}})
	logged, logs := observer.New(zap.ErrorLevel)
	h.Log = zap.New(logged)
	found, err := h.Find(t.Context(), protocol.HistoryFindParams{Prefix: "a"})
	if err != nil || len(found.Questions) != 2 || found.Questions[0].Entry.QuestionID != "a1" || found.Questions[1].Entry.QuestionID != "a4" || found.More {
		t.Errorf("got %+v, %v", found, err)
	}
	if logs.Len() != 2 {
		t.Errorf("the log has %v", logs.All())
	}
	for _, id := range []string{"a2", "a3"} {
		if found, err := h.Find(t.Context(), protocol.HistoryFindParams{Prefix: id}); !strings.Contains(userText(err), id) {
			t.Errorf("%s: got %+v, %v", id, found, err)
		}
	}
	if _, err := h.Get(t.Context(), "a2"); !strings.Contains(userText(err), "a2") {
		t.Errorf("got %v", err)
	}
}

// A store that is lost during a read is read again once after reopening; other errors are returned at once.
func TestLostStore(t *testing.T) {
	whole := &shelf{entries: []store.Question{entry(t, "q", "Q?", "yes")}}
	damaged := &shelf{fail: fmt.Errorf("%w: page 7", store.ErrDamaged)}
	h, _ := of(damaged, whole)
	if page, err := h.Page(t.Context(), protocol.HistorySearchParams{}); err != nil || len(page.Entries) != 1 {
		t.Errorf("got %+v, %v", page, err)
	}
	h, lost := of(damaged, damaged, whole)
	if _, err := h.Page(t.Context(), protocol.HistorySearchParams{}); !strings.Contains(userText(err), "page 7") || *lost != 2 {
		t.Errorf("got %v after %d stores", err, *lost)
	}
	full := &shelf{fail: store.ErrUnavailable}
	h, _ = of(full, whole)
	if _, err := h.Page(t.Context(), protocol.HistorySearchParams{}); userText(err) == "" || len(full.limits) != 1 {
		t.Errorf("got %v", err)
	}
	h, _ = of()
	if page, err := h.Page(t.Context(), protocol.HistorySearchParams{}); err != nil || page.Saved || page.Problem != "nothing is kept" {
		t.Errorf("got %+v, %v", page, err)
	}
	if _, err := h.Get(t.Context(), "q"); userText(err) != "nothing is kept" {
		t.Errorf("got %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	h, _ = of(full)
	if _, err := h.Page(ended, protocol.HistorySearchParams{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A deletion that failed half way can be undone. An empty list deletes nothing.
func TestDelete(t *testing.T) {
	h, _ := of(&shelf{deleted: store.Deletion{ID: "7", Count: 3, Until: time.UnixMilli(5)}, fail: store.ErrUnavailable})
	result, err := h.Delete(t.Context(), protocol.HistoryDeleteParams{All: true})
	if userText(err) == "" || result != (protocol.HistoryDeleteResult{Count: 3, Undo: "7", UndoUntil: 5}) {
		t.Errorf("got %+v, %v", result, err)
	}
	if result, err := h.Delete(t.Context(), protocol.HistoryDeleteParams{}); userText(err) != "No entries to delete were named." || result.Count != 0 {
		t.Errorf("got %+v, %v", result, err)
	}
	if _, err := h.Restore(t.Context(), protocol.HistoryRestoreParams{Undo: "x"}); userText(err) != locale.English.Text(historyUndoLapsed) {
		t.Errorf("got %v", err)
	}
}

// An export as text is limited; a file is not.
func TestExport(t *testing.T) {
	s := &shelf{}
	for i := range 5 {
		s.entries = append(s.entries, entry(t, fmt.Sprint("q", i), "Q?", strings.Repeat("x", largestText/5)))
	}
	h, _ := of(s)
	asText := protocol.HistoryTextParams{Format: protocol.HistoryJSON}
	if _, err := h.Text(t.Context(), asText); userText(err) != fmt.Sprintf("This is more than %d MiB of text. Export it to a file instead.", largestText>>20) {
		t.Errorf("got %v", err)
	}
	p := protocol.HistoryExportParams{HistoryTextParams: asText, Path: filepath.Join(t.TempDir(), "out.json")}
	if result, err := h.Export(t.Context(), p); err != nil || result.Count != 5 {
		t.Errorf("got %+v, %v", result, err)
	}
	if written, err := os.ReadFile(p.Path); err != nil || len(written) < largestText || !json.Valid(written) {
		t.Errorf("wrote %d bytes, %v", len(written), err)
	}
	s.entries = append(s.entries[:4], store.Question{ID: "bad", Outcome: &store.Outcome{Answer: []byte("no JSON")}}) // it is skipped
	if result, err := h.Text(t.Context(), asText); err != nil || result.Count != 4 || !json.Valid([]byte(result.Text)) {
		t.Errorf("got %d, %v", result.Count, err)
	}
	for _, wrong := range []protocol.HistoryExportParams{
		{HistoryTextParams: protocol.HistoryTextParams{Format: "pdf"}, Path: p.Path}, {HistoryTextParams: asText, Path: "out.json"}, {HistoryTextParams: asText},
	} {
		if _, err := h.Export(t.Context(), wrong); userText(err) == "" {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// An import that is cancelled is not waited for, whatever it is at.
func TestCancelledImport(t *testing.T) {
	s := &shelf{importing: make(chan struct{}, 1)}
	h, _ := of(s)
	log := filepath.Join(t.TempDir(), "log.jsonl")
	const line = `{"type":"assistant","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion",` +
		`"input":{"questions":[{"question":"Q?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}],"multiSelect":false}]}}]}}` + "\n" +
		`{"type":"user","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"User has answered your questions: \"Q?\"=\"A\"."}]}}` + "\n"
	if err := os.WriteFile(log, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := h.Import(ctx, []string{log}, nil)
		ended <- err
	}()
	select {
	case <-s.importing:
	case err := <-ended:
		t.Fatal(err)
	}
	why := errors.New("says the test")
	cancel(why)
	if err := waits.For(t, ended); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	for _, paths := range [][]string{nil, {"relative.jsonl"}} {
		if _, err := h.Import(t.Context(), paths, nil); userText(err) == "" {
			t.Errorf("%q: %v", paths, err)
		}
	}
}
