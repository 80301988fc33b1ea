package hub

import (
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// Overlong names do not fill a hub's log.
func TestLongNamesDoNotFillTheLog(t *testing.T) {
	storage := t.TempDir()
	s := serve(t, storage, nil)
	agent := s.connect(s.invite(opened(t, storage), "ci", true))
	long := strings.Repeat("x", 100_000)
	if err := failure(agent, protocol.QuestionAsk, protocol.AskParams{Session: agent.Session("s"), QuestionID: long}); rpctest.ErrorCode(err) != -32602 {
		t.Errorf("got %v", err)
	}
	for _, line := range s.log.All() {
		for _, field := range line.Context {
			if len(field.String) > 1100 {
				t.Errorf("%s: %s has %d bytes", line.Message, field.Key, len(field.String))
			}
		}
	}
}
