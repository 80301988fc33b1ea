package hub

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// maxLogged limits the logged characters of a text, since errors may quote very long texts of strangers.
const maxLogged = 200

// CutLog returns a log that cuts long texts, except stack traces.
func CutLog(log *zap.Logger) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core { return cutting{core} }))
}

// cutting cuts the texts that it logs.
type cutting struct{ zapcore.Core }

func (c cutting) With(fields []zapcore.Field) zapcore.Core {
	return cutting{c.Core.With(cutAll(fields))}
}

func (c cutting) Check(entry zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return to.AddCore(entry, c)
	}
	return to
}

func (c cutting) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	entry.Message = cut(entry.Message)
	return c.Core.Write(entry, cutAll(fields))
}

func cutAll(fields []zapcore.Field) []zapcore.Field {
	all := make([]zapcore.Field, len(fields))
	for i, f := range fields {
		switch value := f.Interface.(type) {
		case error:
			f = zap.String(f.Key, cut(value.Error()))
		case []byte:
			if f.Key != "stack" {
				f = zap.String(f.Key, cut(string(value[:min(len(value), 4*maxLogged+1)])))
			}
		default:
			f.String = cut(f.String)
		}
		all[i] = f
	}
	return all
}

// cut returns the beginning of a text.
func cut(text string) string {
	runes := 0
	for at := range text {
		if runes++; runes > maxLogged {
			return text[:at] + "…"
		}
	}
	return text
}
