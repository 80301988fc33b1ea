package server_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
)

// Logs are found on the machine, counted without being imported, and imported as they come where that is wanted.
func TestLogsAreFoundAndKept(t *testing.T) {
	home := t.TempDir()
	logs := filepath.Join(home, ".claude", "projects")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	const line = `{"type":"user","sessionId":"s","timestamp":"2026-07-02T09:01:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01S0000000000000009","content":"?"}]},"toolUseResult":{"questions":[{"question":"Which log?","header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}],"answers":{"Which log?":"A"}}}` + "\n"
	if err := os.WriteFile(filepath.Join(logs, "a.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(home, ".codex", "sessions")
	if err := os.MkdirAll(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) {
		o.Env = func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] }
	})
	found := rpctest.Call(e, protocol.HistoryFindLogs, protocol.None{})
	if len(found.Places) != 2 || found.Places[0].Tool != "Claude Code" || len(found.Places[0].Paths) != 1 || found.Places[0].Paths[0] != logs {
		t.Fatalf("found %+v", found)
	}
	counted := rpctest.Call(e, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: found.Places[0].Paths})
	if counted.Added != 1 || counted.Known != 0 || counted.Files != 1 {
		t.Errorf("counted %+v", counted)
	}
	if page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{}); len(page.Entries) != 0 {
		t.Errorf("counting added %d entries", len(page.Entries))
	}
	// Where a tool keeps nothing yet there is nothing to do, which is no error.
	if none := rpctest.Call(e, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: []string{empty}}); none.Files != 0 || none.SkippedCount != 0 {
		t.Errorf("counted %+v", none)
	}
	if none := rpctest.Call(e, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{empty}}); none.Files != 0 || none.SkippedCount != 0 {
		t.Errorf("imported %+v", none)
	}
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: true, KeepImporting: true})
	for begun := time.Now(); ; { // it looks at once
		page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
		if len(page.Entries) == 1 && page.Entries[0].Source == "claude-code" {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("what is there was not imported")
		}
	}
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: true})
	if counted := rpctest.Call(e, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: found.Places[0].Paths}); counted.Added != 0 || counted.Known != 1 {
		t.Errorf("counted again %+v", counted)
	}
}
