package server_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/store/sqlite"
	"followup/internal/waits"
)

// questionsUnderLoad is how many questions two windows ask, unless FOLLOWUP_LOAD sets another number.
const questionsUnderLoad = 400

// Two windows ask and answer on one file concurrently, half of it for each other: nothing is lost, and neither reports that the
// file is locked.
func TestLoad(t *testing.T) {
	t.Parallel()
	total := questionsUnderLoad
	if set := os.Getenv("FOLLOWUP_LOAD"); set != "" {
		var err error
		if total, err = strconv.Atoi(set); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	quiet := func(o *server.Options) { o.Log = zap.NewNop() }
	windows := []*rpctest.Editor{rpctest.ConnectTo(t, folder, quiet), rpctest.ConnectTo(t, folder, nil)}
	const workers = 16
	var running sync.WaitGroup
	for worker := range workers {
		running.Go(func() {
			asks := windows[worker%2]
			answers := windows[worker/2%2]
			session := asks.Session(fmt.Sprint("worker ", worker))
			for n := worker; n < total; n += workers {
				id := fmt.Sprintf("019a9c00-0000-7000-8000-%012d", n)
				reply := asks.AskAs(session, id, `{"question":"Which one, and why?","follow_up":["This one","That one"]}`)
				answers.UntilState(id, protocol.ItemPending)
				result, err := rpc.Call(context.Background(), answers.Conn, protocol.QuestionAnswer, typed(id, "answer "+id))
				if err != nil || !result.Accepted {
					t.Errorf("%s: %+v, %v", id, result, err)
					return
				}
				if got := waits.For(t, reply); got.Err != nil || got.Answer.Text != "<answer>\nanswer "+id+"\n</answer>" {
					t.Errorf("%s: the agent got %+v", id, got)
					return
				}
			}
		})
	}
	running.Wait()
	for _, window := range windows {
		if window.Storage.Problem != "" {
			t.Errorf("a window reported %q", window.Storage.Problem)
		}
		window.Leave()
	}
	kept, _, err := sqlite.Open(context.Background(), folder, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = kept.Close() }()
	// On a slow machine an export begins before all closed questions are in the history.
	if err := kept.Idle(context.Background()); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	err = kept.Export(context.Background(), store.Selection{}, func(q store.Question) error {
		if found[q.ID] || q.Outcome.Text != "answer "+q.ID || !q.Collected {
			t.Errorf("%s: twice %v, answer %q, collected %v", q.ID, found[q.ID], q.Outcome.Text, q.Collected)
		}
		found[q.ID] = true
		return nil
	})
	if err != nil || len(found) != total {
		t.Errorf("%d of %d questions were found, %v", len(found), total, err)
	}
}
