package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"followup/internal/question"
)

// The calls of a chat's agent and their results are in the result of a request: {"metadata": {"toolCallRounds": [{"toolCalls": [{"id", "name",
// "arguments"}], "timestamp"}], "toolCallResults": {id: {"content": [{"value"}]}}}}. The response has no part for the questions of
// Copilot's ask_questions, which the editor's own tool followed. Made after microsoft/vscode 2e5f7a6a,
// extensions/copilot/src/extension/prompt/common/conversation.ts, and 0488178c, toolCallRound.ts, and after
// microsoft/vscode-copilot-chat 454cfd9a, src/extension/tools/vscode-node/askQuestionsTool.ts.

// toolCallRound takes a round, and opens its calls.
func (f *file) toolCallRound() take {
	b := &f.block
	var at time.Time
	round := f.object(members{
		"timestamp": f.set(&at),
		"toolCalls": f.list(f.piece(Copilot, members{
			"id": f.set(&b.id), "name": f.set(&b.name), "arguments": f.input,
		}, f.roundCall)),
	})
	return func() error {
		before := len(f.record.calls)
		at = time.Time{}
		err := round()
		for _, c := range f.record.calls[min(before, len(f.record.calls)):] {
			c.asked = at
		}
		return err
	}
}

func (f *file) roundCall() error {
	b, n := &f.block, f.native()
	if n == nil {
		return nil
	}
	b.id = internalID().ReplaceAllString(b.id, "")
	read, _, ok := n.read([]byte(decode(b.input.raw)))
	switch {
	case !ok || f.calls.isOver(b.id):
	case f.shownAlready(read.Questionnaire):
		f.calls.end(b.id)
	default:
		f.calls.take(f.callKey(b.id)) // the part of the response has no end yet
		f.open()
	}
	return nil
}

// toolCallResults takes the results of open calls.
func (f *file) toolCallResults() error {
	return f.each(func(key []byte) error {
		f.block.reset(Copilot)
		f.block.id = internalID().ReplaceAllString(string(key), "")
		if c := f.calls.open[f.callKey(f.block.id)]; c == nil || c.native == nil {
			return f.skip()
		}
		if err := f.texts(); err != nil {
			return err
		}
		return f.close()
	})
}

// asShown is a digest of a questionnaire's texts. It identifies a call whose part of the response has an id of its own.
func asShown(all *question.Questionnaire) [16]byte {
	var texts strings.Builder
	for _, q := range all.Questions {
		texts.WriteString(q.Question + "\x00")
	}
	return digest(texts.String())
}

// wasShown counts a part of a response that has an id of its own.
func (f *file) wasShown(all *question.Questionnaire, id string) {
	if uuid.Validate(id) != nil || f.calls.isOver(id) || f.calls.open[f.callKey(id)] != nil {
		return
	}
	n, _ := f.shown.get(asShown(all))
	f.shown.set(asShown(all), n+1)
}

// shownAlready reports whether such a part has a call's questions, and counts it as used.
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
	judge: func(r *result, x *Exchange) bool {
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
		given := x.choose(func(i int, a *Answer, q question.Question) {
			one := from.Answers[r.call.keys[i]]
			skipped = skipped && one.Skipped
			alone = alone || strings.HasPrefix(one.FreeText, unattended)
			for _, value := range one.Selected {
				isOption := slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Label == value })
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
