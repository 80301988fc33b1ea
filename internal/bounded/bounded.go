// Package bounded shortens texts of others for errors and log lines, which would otherwise repeat texts of any length.
package bounded

import (
	"errors"
	"reflect"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

const (
	// maxText limits the characters of a text.
	maxText = 1000
	// maxMessage limits the bytes of a logged message of the protocol.
	maxMessage = 64 << 10
)

// Text returns the beginning of a text.
func Text(text string) string {
	if len(text) <= maxText {
		return text
	}
	runes := 0
	for at := range text {
		if runes++; runes > maxText {
			return text[:at] + "…"
		}
	}
	return text
}

// Args shortens the texts among the arguments of fmt.Sprintf, which would otherwise be copied before they can be shortened.
func Args(args []any) []any {
	short := make([]any, len(args))
	for i, arg := range args {
		if value := reflect.ValueOf(arg); value.Kind() == reflect.String {
			arg = Text(value.String())
		}
		short[i] = arg
	}
	return short
}

// Log returns a log that shortens long texts, except stack traces. Messages of the protocol (see rpc.Tracer) may be longer.
func Log(log *zap.Logger) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core { return shortening{core} }))
}

// shortening shortens the texts that it logs.
type shortening struct{ zapcore.Core }

func (c shortening) With(fields []zapcore.Field) zapcore.Core {
	return shortening{c.Core.With(shortened(fields))}
}

func (c shortening) Check(entry zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return to.AddCore(entry, c)
	}
	return to
}

func (c shortening) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	entry.Message = Text(entry.Message)
	return c.Core.Write(entry, shortened(fields))
}

func shortened(fields []zapcore.Field) []zapcore.Field {
	all := make([]zapcore.Field, len(fields))
	for i, f := range fields {
		switch value := f.Interface.(type) {
		case error:
			f = zap.NamedError(f.Key, errors.New(Text(value.Error())))
		case []byte:
			switch {
			case f.Key == "stack", f.Key == "message" && len(value) <= maxMessage:
			case f.Key == "message":
				f = zap.String(f.Key, string(value[:maxMessage])+"…")
			default:
				f = zap.String(f.Key, Text(string(value[:min(len(value), 4*maxText+1)])))
			}
		default:
			f.String = Text(f.String)
		}
		all[i] = f
	}
	return all
}
