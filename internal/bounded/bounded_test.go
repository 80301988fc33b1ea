package bounded

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// The log truncates long texts.
func TestLogIsCut(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	log := Log(zap.New(core))
	long := strings.Repeat("é", 2*maxText)
	want := strings.Repeat("é", maxText) + "…"
	log.With(zap.String("with", long)).Info(long,
		zap.String("text", long), zap.ByteString("bytes", []byte(long)), zap.Error(errors.New(long)), zap.Int("number", 7), zap.String("short", "é"),
		zap.ByteString("stack", []byte(long)), zap.ByteString("message", []byte(long+strings.Repeat("x", maxMessage))))
	log.Debug("nobody sees this")
	if seen.Len() != 1 {
		t.Fatalf("%d lines", seen.Len())
	}
	line := seen.All()[0]
	got := line.ContextMap()
	if line.Message != want || got["with"] != want || got["text"] != want || got["bytes"] != want || got["error"] != want || got["number"] != int64(7) ||
		got["short"] != "é" || got["stack"] != long ||
		got["message"] != long+strings.Repeat("x", maxMessage-len(long))+"…" {
		t.Errorf("got %q: %v", line.Message, got)
	}
}

// Long texts are shortened before they are formatted, whatever their type. Other arguments and short texts stay.
func TestArgs(t *testing.T) {
	type name string
	long := strings.Repeat("é", 2*maxText)
	got := fmt.Sprintf("%s %q %d %v %s", Args([]any{long, name(long), 7, errors.New("é"), "é"})...)
	if want := strings.Repeat("é", maxText) + "… \"" + strings.Repeat("é", maxText) + "…\" 7 é é"; got != want {
		t.Errorf("got %q", got)
	}
}
