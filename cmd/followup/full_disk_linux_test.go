package main

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// limitFiles limits the size of the files that a process writes, which acts like a full disk.
func limitFiles(t *testing.T, s *sidecar, size uint64) {
	t.Helper()
	limit := unix.Rlimit{Cur: size, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(keeperPID(t, s.folder), unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		t.Fatal(err)
	}
}

// On a full disk, the question works in memory and the user sees that it is not saved. Once there is space again, it is saved.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	s := startSidecar(t, storage)
	call := func(id, text string) {
		t.Helper()
		opened, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
		if err != nil {
			t.Fatal(err)
		}
		reply := make(chan protocol.Answer, 1)
		go func() {
			answer, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
				Session: opened.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
			})
			if err != nil {
				t.Error(err)
			}
			reply <- answer
		}()
		if !s.untilPending(id) {
			t.Fatal("the sidecar ended; its log:\n", s.stderr.String())
		}
		result, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text,
		})
		if err != nil || !result.Accepted {
			t.Errorf("%+v, %v", result, err)
		}
		if answer := <-reply; answer.Text != "<answer>\n"+text+"\n</answer>" {
			t.Errorf("the agent got %+v", answer)
		}
	}
	const before, during = "019a9c00-0000-7000-8000-000000000001", "019a9c00-0000-7000-8000-000000000002"
	call(before, "saved")
	limitFiles(t, s, 1)
	call(during, "not saved")
	if now := s.untilStorage(func(now protocol.Storage) bool { return !now.Saved }); !strings.Contains(now.Problem, "not being saved") {
		t.Errorf("the problem is %q", now.Problem)
	}
	leavesDialog(t, storage, "codex") // the decision would not be saved
	limitFiles(t, s, unix.RLIM_INFINITY)
	if now := s.untilStorage(func(now protocol.Storage) bool { return now.Saved }); now.Problem != "" {
		t.Errorf("the problem is %q", now.Problem)
	}
	s.kill()
	again := startSidecar(t, storage)
	page, err := rpc.Call(context.Background(), again.conn, protocol.HistoryList, protocol.HistoryListParams{})
	if err != nil || len(page.Entries) != 2 || page.Entries[0].Outcome.Text != "not saved" || page.Entries[1].Outcome.Text != "saved" {
		t.Errorf("after a crash: %+v, %v", page.Entries, err)
	}
}
