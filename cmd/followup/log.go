package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"followup/internal/archive"
	"followup/internal/bounded"
)

// logLevel is the value of --log-level.
type logLevel struct {
	zapcore.Level
	named bool // named by the user
}

// logLevels are the levels that a user can name.
var logLevels = []string{"debug", "info", "warn", "error", "fatal"}

// logFlag adds --log-level to a command for programs, which always logs.
func logFlag(c *cobra.Command, level *logLevel) {
	c.Flags().Var(level, "log-level", "log JSON lines from `LEVEL` up: "+strings.Join(logLevels, ", "))
	oneOf(c, "log-level", logLevels...)
}

// wordsLogFlag adds --log-level to a command for people, which logs only on request.
func wordsLogFlag(c *cobra.Command, level *logLevel) {
	logFlag(c, level)
	flag := c.Flags().Lookup("log-level")
	flag.Usage += fmt.Sprintf(" (default: plain lines from %s up)", level.Level)
	flag.DefValue = ""
}

// Set takes the flag's value.
func (l *logLevel) Set(text string) error {
	l.named = true
	return l.Level.Set(text)
}

// Type names the type of the flag's value.
func (*logLevel) Type() string { return "level" }

// newLog returns a log of JSON lines on standard error, for programs that start this one.
func newLog(p process, level logLevel) *zap.Logger {
	return jsonLog(p.stderr, level.Level)
}

func jsonLog(to io.Writer, level zapcore.Level) *zap.Logger {
	return bounded.Log(zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.Lock(zapcore.AddSync(to)), level)))
}

// newWordsLog returns a log of readable lines on standard error, each with the command's name. With --log-level it is JSON.
func newWordsLog(p process, command string, level logLevel) *zap.Logger {
	if level.named {
		return newLog(p, level)
	}
	return bounded.Log(zap.New(&wordsCore{LevelEnabler: level.Level, to: zapcore.Lock(zapcore.AddSync(p.stderr)), command: command}))
}

// quietLog returns a log for commands that return their errors.
func (p process) quietLog() *zap.Logger {
	return newWordsLog(p, "followup", logLevel{Level: zap.FatalLevel})
}

// wordsCore writes log entries as readable lines: "followup web: not being saved: no space left on device".
type wordsCore struct {
	zapcore.LevelEnabler
	to      io.Writer
	command string
	fields  []zapcore.Field
}

func (c *wordsCore) With(fields []zapcore.Field) zapcore.Core {
	more := *c
	more.fields = append(slices.Clone(c.fields), fields...)
	return &more
}

func (c *wordsCore) Check(entry zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return to.AddCore(entry, c)
	}
	return to
}

func (c *wordsCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	encoder := zapcore.NewMapObjectEncoder()
	line := fmt.Sprintf("%s: %s", c.command, entry.Message)
	var details []string
	for _, field := range append(slices.Clone(c.fields), fields...) {
		if field.Type == zapcore.SkipType { // such as a nil error
			continue
		}
		field.AddTo(encoder)
		value := archive.Inline(fmt.Sprint(encoder.Fields[field.Key]))
		if field.Type == zapcore.ErrorType {
			line += ": " + value
		} else if value != "" {
			details = append(details, field.Key+" "+value)
		}
	}
	if len(details) > 0 {
		line += " (" + strings.Join(details, ", ") + ")"
	}
	_, err := fmt.Fprintln(c.to, line)
	return err
}

func (c *wordsCore) Sync() error { return nil }

var _ zapcore.Core = (*wordsCore)(nil)
