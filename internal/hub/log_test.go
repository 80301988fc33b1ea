package hub

import (
	"errors"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// The log truncates long texts.
func TestLogIsCut(t *testing.T) {
	t.Parallel()
	core, seen := observer.New(zap.InfoLevel)
	log := CutLog(zap.New(core))
	long := strings.Repeat("é", 300)
	want := strings.Repeat("é", 200) + "…"
	log.With(zap.String("with", long)).Info(long,
		zap.String("text", long), zap.ByteString("bytes", []byte(long)), zap.Error(errors.New(long)), zap.Int("number", 7), zap.String("short", "é"),
		zap.ByteString("stack", []byte(long)))
	log.Debug("nobody sees this")
	if seen.Len() != 1 {
		t.Fatalf("%d lines", seen.Len())
	}
	line := seen.All()[0]
	got := line.ContextMap()
	if line.Message != want || got["with"] != want || got["text"] != want || got["bytes"] != want || got["error"] != want || got["number"] != int64(7) ||
		got["short"] != "é" || got["stack"] != long {
		t.Errorf("got %q: %v", line.Message, got)
	}
}

// Overlong names do not fill a hub's log.
func TestLongNamesDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	s := serve(t, storage, nil)
	agent := s.connect(s.invite(opened(t, storage), "ci", true))
	long := strings.Repeat("x", 100_000)
	if err := failure(agent, protocol.QuestionAsk, protocol.AskParams{Session: agent.Session("s"), QuestionID: long}); rpctest.ErrorCode(err) != -32602 {
		t.Errorf("got %v", err)
	}
	for _, line := range s.log.All() {
		for _, field := range line.Context {
			if len(field.String) > 1000 {
				t.Errorf("%s: %s has %d bytes", line.Message, field.Key, len(field.String))
			}
		}
	}
}
