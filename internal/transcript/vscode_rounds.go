package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"followup/internal/question"
)

// What a chat's agent was given stands in the result of a request: {"metadata": {"toolCallRounds": [{"toolCalls": [{"id", "name",
// "arguments"}], "timestamp"}], "toolCallResults": {id: {"content": [{"value"}]}}}}. The response has no part for the questions of
// Copilot's ask_questions, which the editor's own tool followed. Made after microsoft/vscode 2e5f7a6a,
// extensions/copilot/src/extension/prompt/common/conversation.ts, and 0488178c, toolCallRound.ts, and after
// microsoft/vscode-copilot-chat 454cfd9a, src/extension/tools/vscode-node/askQuestionsTool.ts.

// toolCallRounds opens the calls of a request's rounds.
func (f *file) toolCallRounds() error {
	return f.array(func() error {
		before := len(f.record.calls)
		var at time.Time
		err := f.object(func(key []byte) error {
			switch string(key) {
			case "toolCalls":
				return f.array(f.roundCall)
			case "timestamp":
				return f.value(func(raw []byte) { at = instant(raw) })
			}
			return f.skip()
		})
		for _, c := range f.record.calls[min(before, len(f.record.calls)):] {
			c.asked = at
		}
		return err
	})
}

func (f *file) roundCall() error {
	b := &f.block
	b.reset()
	err := f.object(func(key []byte) error {
		switch string(key) {
		case "id":
			return f.text(&b.id)
		case "name":
			return f.text(&b.name)
		case "arguments":
			return f.ofNative(Copilot, &b.input)
		}
		return f.skip()
	})
	n := natives[Copilot][b.name]
	if err != nil || n == nil {
		return err
	}
	id, input := internalID().ReplaceAllString(b.id, ""), []byte(decode(b.input.raw))
	read, _, ok := n.read(input)
	switch {
	case !ok || f.calls.isOver(id):
		return nil
	case f.shownAlready(read.Questionnaire):
		f.calls.end(id)
		return nil
	}
	f.calls.take(f.key(id)) // what the response tells of it has no end yet
	f.openNative(n, id, input)
	return nil
}

// toolCallResults takes those of the calls that are open.
func (f *file) toolCallResults() error {
	return f.object(func(key []byte) error {
		b := &f.block
		b.reset()
		b.resultOf = internalID().ReplaceAllString(string(key), "")
		if c := f.calls.open[f.key(b.resultOf)]; c == nil || c.native == nil {
			return f.skip()
		}
		if err := f.raw(&b.content); err != nil {
			return err
		}
		var given struct {
			Content []struct{ Value json.RawMessage }
		}
		_ = json.Unmarshal(b.content.raw, &given) // what has another form is left out
		var text strings.Builder
		for _, part := range given.Content {
			text.WriteString(decode(part.Value))
		}
		return f.gaveText(text.String(), nil)
	})
}

// asShown are the texts of a questionnaire, by which a call is known again whose part of the response has an id of its own.
func asShown(all *question.Questionnaire) [16]byte {
	var texts strings.Builder
	for _, q := range all.Questions {
		texts.WriteString(q.Question + "\x00")
	}
	return digest(texts.String())
}

// wasShown notes a part of a response that has an id of its own.
func (f *file) wasShown(all *question.Questionnaire, id string) {
	if uuid.Validate(id) != nil || f.calls.isOver(id) || f.calls.open[f.key(id)] != nil {
		return
	}
	n, _ := f.shown.get(asShown(all))
	f.shown.set(asShown(all), n+1)
}

// shownAlready reports whether a call's questions stand in such a part, and takes that.
func (f *file) shownAlready(all *question.Questionnaire) bool {
	n, _ := f.shown.get(asShown(all))
	if n > 0 {
		f.shown.set(asShown(all), n-1)
	}
	return n > 0
}

// copilotOther is what ask_questions says was selected where only own words were given.
const copilotOther = "Other"

// copilotQuestions is vscode_askQuestions, and ask_questions; the result is {"answers": {header: {"selected", "freeText", "skipped"}}}.
var copilotQuestions = &native{
	read: byPlace(func(q foreign) string { return q.Header }),
	judge: func(_ *file, r *result, x *Exchange) bool {
		var from struct {
			Answers map[string]struct {
				Selected []string
				FreeText string
				Skipped  bool
			}
		}
		if json.Unmarshal([]byte(r.first()), &from) != nil || len(from.Answers) == 0 {
			return false
		}
		skipped, alone := true, false
		given := x.choose(func(i int, a *Answer, q asked) {
			one := from.Answers[r.call.keys[i]]
			skipped = skipped && one.Skipped
			alone = alone || strings.HasPrefix(one.FreeText, unattended)
			for _, value := range one.Selected {
				isOption := slices.ContainsFunc(q.Options, func(o struct{ Label string }) bool { return o.Label == value })
				if value != copilotOther || isOption {
					a.choose(q, value)
				}
			}
			if one.FreeText != "" {
				a.choose(q, one.FreeText)
			}
		})
		if skipped {
			x.Outcome = question.Dismissed
		}
		return (given || skipped) && !alone
	},
}
