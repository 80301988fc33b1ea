package server_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

// Logs are found on the machine, counted without an import, and imported as they appear if the user wants that.
func TestLogsAreFoundAndKept(t *testing.T) {
	t.Parallel()
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
	// A tool without logs is not an error.
	if none := rpctest.Call(e, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: []string{empty}}); none.Files != 0 || none.SkippedCount != 0 {
		t.Errorf("counted %+v", none)
	}
	if none := rpctest.Call(e, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{empty}}); none.Files != 0 || none.SkippedCount != 0 || none.Summary != "0 questions were added to the history" {
		t.Errorf("imported %+v", none)
	}
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: true, KeepImporting: true})
	for begun := time.Now(); ; { // the first import starts at once
		page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{})
		if len(page.Entries) == 1 && page.Entries[0].Source == "Claude Code" {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the existing log was not imported")
		}
	}
	rpctest.Call(e, protocol.HistoryConfigure, protocol.HistoryConfigureParams{Keep: true})
	if counted := rpctest.Call(e, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: found.Places[0].Paths}); counted.Added != 0 || counted.Known != 1 {
		t.Errorf("counted again %+v", counted)
	}
}

// Anything but a regular file, such as a pipe without a writer, is rejected without blocking.
func TestImportOfAPipe(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	folder := t.TempDir()
	pipe := filepath.Join(folder, "log.jsonl")
	if err := makeFIFO(pipe); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, folder} {
		_, err := rpc.Call(context.Background(), e.Conn, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{path}})
		if rpctest.ErrorCode(err) != protocol.CodeRefused {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// Neither the cancellation of a request nor the exit of the process waits for a running import.
func TestCancelledImport(t *testing.T) {
	t.Parallel()
	disk, importing := rpctest.NewDisk(), make(chan struct{}, 2)
	stuck := make(chan struct{})
	defer close(stuck)
	disk.Fail("Import", func() error {
		importing <- struct{}{}
		<-stuck
		return nil
	})
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, []byte(importable), 0o600); err != nil {
		t.Fatal(err)
	}
	e := rpctest.ConnectTo(t, t.TempDir(), onDisk(disk))
	id := jsonrpc2.ID{Str: "import", IsString: true}
	failed := make(chan error, 2)
	read := func() {
		_, err := rpc.Send(e.Conn, id, protocol.HistoryImport, protocol.HistoryImportParams{Paths: []string{log}})()
		failed <- err
	}
	go read()
	select {
	case <-importing:
	case err := <-failed:
		t.Fatal(err)
	}
	rpc.Notify(e.Conn, protocol.CancelRequest, protocol.CancelParams{ID: lsp.ID(id)})
	if err := waits.For(t, failed); rpctest.ErrorCode(err) != protocol.CodeCancelled {
		t.Errorf("got %v", err)
	}
	go read()
	waits.For(t, importing)
	rpctest.Call(e, protocol.Shutdown, protocol.None{})
	rpc.Notify(e.Conn, protocol.Exit, protocol.None{})
	waits.For(t, e.Served())
}
