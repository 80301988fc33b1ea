package transcript

import (
	"bytes"
	"context"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadFrom checks that no log makes the reader panic or keep more than the limits, and that one byte at a time gives the same result.
func FuzzReadFrom(f *testing.F) {
	for path, data := range logs(f) {
		if len(data) < 3000 {
			f.Add(path, data)
			continue
		}
		lines := bytes.SplitAfter(data, []byte("\n")) // small inputs change faster
		for i := 1; i < len(lines); i++ {
			if both := bytes.Join(lines[i-1:i+1], nil); len(both) < 3000 {
				f.Add("f", both)
			}
		}
	}
	f.Add("f", []byte(`{"message":{"content":[{"type":"tool_use","id":"1","name":"AskUserQuestion","input":{}}]}}`))
	f.Add("f", []byte("{\n  \"body\": {\n"+`"messages":[`+"\n{"))
	f.Add("f", []byte("{\n\"a\":[!\n0{"))
	f.Add("f", []byte(`[{"ts":1,"ask":"followup","text":"\ud800\u0000"},{"role":"x`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		o := options
		o.Limits = question.Limits{Message: 4000}
		var whole, bytewise reading
		whole.done(ReadFrom(context.Background(), name, bytes.NewReader(data), o, whole.emit))
		bytewise.done(ReadFrom(context.Background(), name, iotest.OneByteReader(bytes.NewReader(data)), o, bytewise.emit))
		if diff := cmp.Diff(whole, bytewise); diff != "" {
			t.Errorf("byte by byte (-whole +bytewise):\n%s", diff)
		}
		if whole.Report.Bytes != int64(len(data)) || whole.Report.Found != len(whole.Exchanges) {
			t.Errorf("%+v of %d bytes, %d exchanges", whole.Report, len(data), len(whole.Exchanges))
		}
		seen := map[string]bool{}
		for _, x := range whole.Exchanges {
			all := x.AnswerText
			for _, p := range x.Picks {
				all += p.Other + p.Notes
			}
			if x.Call.Size() > 4000 || len(x.AnswerText) > 3*4000 || !utf8.ValidString(all) {
				t.Errorf("%+v", x)
			}
			if x.ID == "" || seen[x.ID] || x.Outcome == "" {
				t.Errorf("the id %q, the outcome %q", x.ID, x.Outcome)
			}
			seen[x.ID] = true
		}
	})
}
