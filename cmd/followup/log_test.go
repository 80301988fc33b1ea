package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// A command for people logs warnings in words, one per line and without control characters. With --log-level, it logs JSON lines,
// as commands for programs do.
func TestLogs(t *testing.T) {
	t.Parallel()
	write := func(log *zap.Logger) {
		log.Debug("unseen")
		log.With(zap.String("reason", "no\x1b[31m\nWebSocket")).Warn("refused", zap.Error(errors.New("it ended\nearly")), zap.Int("status", 400))
		log.Error("plain", zap.Error(nil), zap.NamedError("cause", nil))
	}
	var words, lines, program bytes.Buffer
	level := logLevel{Level: zap.WarnLevel}
	write(newWordsLog(process{stderr: &words}, "followup web", level))
	if want := "followup web: refused: it ended early (reason no�[31m WebSocket, status 400)\nfollowup web: plain\n"; words.String() != want {
		t.Errorf("got %q, want %q", words.String(), want)
	}
	if err := level.Set("error"); err != nil {
		t.Fatal(err)
	}
	write(newWordsLog(process{stderr: &lines}, "followup web", level))
	if got := lines.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, `{"level":"error",`) {
		t.Errorf("by --log-level error: %s", got)
	}
	write(newLog(process{stderr: &program}, logLevel{Level: zap.WarnLevel}))
	if got := program.String(); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `{"level":"warn",`) {
		t.Errorf("of a program: %s", got)
	}
}
