package importing

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"followup/internal/agentfolder"
	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// The first look imports everything. Each later look imports what was written since the last one, whichever window that was
// in.
func TestKeeper(t *testing.T) {
	folder, logs := t.TempDir(), t.TempDir()
	into, _, err := sqlite.Open(t.Context(), filepath.Join(folder, "store"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = into.Close() }()
	exchange := func(id string) string {
		return `{"type":"user","sessionId":"s","timestamp":"2026-07-02T09:01:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01S000000000000` + id +
			`","content":"?"}]},"toolUseResult":{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}],"answers":{"Which?":"A"}}}` + "\n"
	}
	write := func(name string, at time.Time, ids ...string) {
		t.Helper()
		var text strings.Builder
		for _, id := range ids {
			text.WriteString(exchange(id))
		}
		path := filepath.Join(logs, name)
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	added := 0
	k := Keeper{
		Places: func() []agentfolder.Place {
			return []agentfolder.Place{{Tool: "Claude Code", Paths: []string{logs, filepath.Join(logs, "none")}}}
		}, Store: func() store.Store { return into },
		Locale: func() locale.Tag { return locale.English }, Folder: folder, Added: func() { added++ }, Log: zap.NewNop(),
	}
	start := time.Now()
	look := func(after time.Duration, want int) {
		t.Helper()
		if err := k.look(context.Background(), start.Add(after), DefaultInterval); err != nil {
			t.Fatal(err)
		}
		count, err := into.Count(t.Context(), store.Selection{})
		if err != nil || count != want {
			t.Errorf("after %v: %d questions, want %d, %v", after, count, want, err)
		}
	}
	write("a.jsonl", start.Add(-time.Hour), "0001")
	write("other.json", start.Add(-time.Hour))
	look(0, 1)
	write("a.jsonl", start.Add(5*time.Second), "0001", "0002")
	look(10*time.Second, 1) // another window has just looked
	look(40*time.Second, 2)
	write("b.jsonl", start.Add(-time.Hour), "0003") // written before the last look, so it is not read again
	look(80*time.Second, 2)
	write("b.jsonl", start.Add(90*time.Second), "0003")
	look(120*time.Second, 3)
	if added != 3 {
		t.Errorf("Added was called %d times", added)
	}
}

// If a question ended without an answer through Followup, the outcome in the agent's log replaces that end, whether the log
// is read before or after it. An answer that was given through Followup is kept.
func TestLogsKnowBetter(t *testing.T) {
	answered := protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Provenance: protocol.ProvenanceTyped, Text: "A"}
	for name, test := range map[string]struct {
		live, want protocol.ItemOutcome
		refused    bool
	}{
		"answered elsewhere":              {protocol.ItemOutcome{Outcome: protocol.OutcomeWithdrawn, Elsewhere: true}, answered, false},
		"dismissed elsewhere":             {protocol.ItemOutcome{Outcome: protocol.OutcomeWithdrawn, Elsewhere: true}, protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}, true},
		"withdrawn":                       {protocol.ItemOutcome{Outcome: protocol.OutcomeWithdrawn}, answered, false},
		"expired":                         {protocol.ItemOutcome{Outcome: protocol.OutcomeExpired}, answered, false},
		"disconnected":                    {protocol.ItemOutcome{Outcome: protocol.OutcomeDisconnected}, answered, false},
		"not shown":                       {protocol.ItemOutcome{Outcome: protocol.OutcomeNotShown}, answered, false},
		"answered through Followup":       {protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: "B"}, protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, Text: "B"}, false},
		"dismissed in Followup":           {protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}, protocol.ItemOutcome{Outcome: protocol.OutcomeDismissed}, false},
		"replied to, and the log refuses": {protocol.ItemOutcome{Outcome: protocol.OutcomeReplied, Text: "why?"}, protocol.ItemOutcome{Outcome: protocol.OutcomeReplied, Text: "why?"}, true},
	} {
		for _, first := range []string{"live", "log"} {
			t.Run(name+", "+first+" first", func(t *testing.T) {
				folder, logs := t.TempDir(), t.TempDir()
				into, _, err := sqlite.Open(t.Context(), filepath.Join(folder, "store"), store.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = into.Close() }()
				const call = "toolu_01S0000000000000009"
				result := `"content":"<answer>\nA\n</answer>"`
				if test.refused {
					result = `"is_error":true,"content":"The user doesn't want to proceed with this tool use."`
				}
				log := `{"sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"` + call + `","name":"ask_followup_question","input":{"question":"Which?","follow_up":[]}}]}}` + "\n" +
					`{"sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + call + `",` + result + `}]}}` + "\n"
				if err := os.WriteFile(filepath.Join(logs, "a.jsonl"), []byte(log), 0o600); err != nil {
					t.Fatal(err)
				}
				id := question.IDOfCall(call)
				commit := func(c store.Change) {
					t.Helper()
					r, err := into.Commit(t.Context(), []store.Change{c})
					if err != nil || r[0].Err != nil {
						t.Fatalf("%+v, %v", r, err)
					}
				}
				asked, err := archive.EncodeCall(question.Call{Tool: question.ToolFollowup, Followup: &question.Followup{Question: "Which?"}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				commit(store.Change{Questions: []store.Question{{ID: id, State: store.Pending, Tool: question.ToolFollowup, Call: asked, Text: "Which?", Agent: "Claude"}}})
				given := protocol.Answer{Text: "as the agent got it"}
				end := func() {
					answer, err := archive.EncodeEnded(archive.Ended{Item: test.live, Agent: given})
					if err != nil {
						t.Fatal(err)
					}
					commit(store.Change{Outcomes: []store.Outcome{{QuestionID: id, Outcome: test.live.Outcome, Answer: answer}}})
				}
				added := 0
				k := Keeper{
					Places: func() []agentfolder.Place { return []agentfolder.Place{{Tool: "Claude Code", Paths: []string{logs}}} }, Store: func() store.Store { return into },
					Locale: func() locale.Tag { return locale.English }, Folder: folder, Added: func() { added++ }, Log: zap.NewNop(),
				}
				start := time.Now()
				look := func(after time.Duration) {
					t.Helper()
					if err := k.look(t.Context(), start.Add(after), DefaultInterval); err != nil {
						t.Fatal(err)
					}
				}
				if first == "live" {
					end()
					look(0)
				} else {
					look(0)
					end()
				}
				look(DefaultInterval)
				q, err := into.Question(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				ended, err := archive.DecodeEnded(q.Outcome.Answer, nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, ended.Item); diff != "" || ended.Agent.Text != given.Text || string(q.Outcome.Outcome) != string(test.want.Outcome) {
					t.Errorf("the agent got %q (-want +got):\n%s", ended.Agent.Text, diff)
				}
				if amended := test.want.Outcome != test.live.Outcome; amended != (added == 1) {
					t.Errorf("Added was called %d times", added)
				}
			})
		}
	}
}
