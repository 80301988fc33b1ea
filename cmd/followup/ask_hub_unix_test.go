//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"followup/internal/protocol"
	"followup/internal/waits"
)

// When interrupted, followup ask does not wait for an unresponsive hub, but tries to withdraw the question.
func TestInterruptedAskLeavesAnUnresponsiveHub(t *testing.T) {
	awaited, withdrawn := make(chan bool, 10), make(chan bool, 10)
	url := hubThatSays(t, func(method string, id, _ json.RawMessage, say func(any)) {
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
			withdrawn <- true
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
	waits.For(t, withdrawn)
	if code := a.ended(); code != 128+int(syscall.SIGINT) {
		t.Errorf("it ended with %d:\n%s", code, a.stderr.String())
	}
}
