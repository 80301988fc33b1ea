//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"followup/internal/protocol"
	"followup/internal/waits"
)

// When interrupted or out of time, followup ask does not wait for an unresponsive hub, but tries to take the question back, and says why.
func TestAskLeavesAnUnresponsiveHub(t *testing.T) {
	t.Parallel()
	awaited, withdrawn := make(chan bool, 10), make(chan protocol.WithdrawParams, 10)
	url := hubThatSays(t, func(method string, id, params json.RawMessage, say func(any)) {
		switch method {
		case protocol.InboxStatus.Method:
			say(responds(id, protocol.InboxStatusResult{Shown: true, Storage: &protocol.Storage{Saved: true}}))
		case protocol.SessionOpen.Method:
			say(responds(id, protocol.SessionOpenResult{Session: "s"}))
		case protocol.QuestionAsk.Method:
			say(responds(id, protocol.Answer{Outcome: protocol.OutcomeWaiting}))
		case protocol.SessionGet.Method:
			say(responds(id, protocol.SessionState{}))
		case protocol.QuestionAwait.Method: // no response, even to its cancellation
			awaited <- true
		case protocol.QuestionWithdraw.Method:
			var p protocol.WithdrawParams
			_ = json.Unmarshal(params, &p)
			withdrawn <- p
			say(responds(id, protocol.CloseResult{Accepted: true}))
		case protocol.SessionClose.Method:
			say(responds(id, protocol.None{}))
		}
	})
	token := filepath.Join(storageDir(t), "token")
	if err := os.WriteFile(token, []byte(url+" followup_TOKEN\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAsk(t, "", "", "Now?", "--suggest", "Yes", "--suggest", "No", "--hub", url, "--hub-token-file", token)
	waits.For(t, awaited)
	_ = a.command.Process.Signal(syscall.SIGINT)
	if p := waits.For(t, withdrawn); p.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("it was taken back with %+v", p)
	}
	if code := a.ended(); code != 128+int(syscall.SIGINT) {
		t.Errorf("it ended with %d:\n%s", code, a.stderr.String())
	}
	for limit := time.Second; len(withdrawn) == 0; limit *= 2 { // a busy machine may not have asked by then
		a := startAsk(t, "", "", "Now?", "--hub", url, "--hub-token-file", token, "--json", "--timeout", limit.String())
		if code := a.ended(); code != exitTimedOut || !strings.Contains(a.stdout.String(), `"outcome":"expired"`) {
			t.Fatalf("it ended with %d:\n%s%s", code, a.stdout.String(), a.stderr.String())
		}
	}
	if p := <-withdrawn; p.Outcome != protocol.OutcomeExpired {
		t.Errorf("it was taken back with %+v", p)
	}
}
