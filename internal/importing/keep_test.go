package importing

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// What is there is imported at the first look, and then what was written since the last one, of whichever window.
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
		Places: func() []Place { return []Place{{"Claude Code", []string{logs, filepath.Join(logs, "none")}}} }, Store: func() store.Store { return into },
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
	write("b.jsonl", start.Add(-time.Hour), "0003") // written before: it is not looked at again
	look(80*time.Second, 2)
	write("b.jsonl", start.Add(90*time.Second), "0003")
	look(120*time.Second, 3)
	if added != 3 {
		t.Errorf("told %d times", added)
	}
}
