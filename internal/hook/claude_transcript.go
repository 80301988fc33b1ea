package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"

	"followup/internal/question"
)

// claudeTranscript follows the log of a session of Claude Code's. It tells when a question was answered in the terminal: 2.1.330 does not
// tell its hook, which it ends only when it ends itself.
type claudeTranscript struct {
	path string
	// offset is up to where it is read, and known how long it was when the hook was told the call: a result before that is an earlier one's.
	offset, known int64
	// call is the newest call that asks the same, "" where none does: of an earlier one a killed session left no result. The log has a call as
	// the model wrote it, and the hook is told it with what the tool adds: they are the same in what is asked, not to the letter.
	call string
	// tool is the tool of the call, and same reports whether its arguments, as the log has them, are those of the hook's.
	tool string
	same func(input json.RawMessage) bool
	// closed tells that it has its result.
	closed bool
	// questions are those of the call, and answers what was answered to each; nil where the log does not tell.
	questions []asked
	answers   [][]string
}

// transcriptTail is how much of what stands in the log already is read: the call stands at its end.
const transcriptTail = 4 << 20

// followQuestions begins to follow a log for the call of some questions; nil where there is none.
func followQuestions(path string, questions []asked) *claudeTranscript {
	t := followClaude(path, question.ToolAskUser, func(input json.RawMessage) bool { // what cannot be read is not the same
		return questions != nil && reflect.DeepEqual((&Call{input: input}).questions(), questions)
	})
	if t != nil {
		t.questions = questions
	}
	return t
}

// followCall begins to follow a log for the call of a tool. The hook is told more arguments than the log has, such as a plan.
func followCall(path, tool string, told json.RawMessage) *claudeTranscript {
	var all map[string]any
	if json.Unmarshal(told, &all) != nil {
		return nil
	}
	return followClaude(path, tool, func(input json.RawMessage) bool {
		var logged map[string]any
		if json.Unmarshal(input, &logged) != nil {
			return false
		}
		for name, value := range logged {
			if !reflect.DeepEqual(all[name], value) {
				return false
			}
		}
		return true
	})
}

// followClaude begins to follow a log; nil where there is none.
func followClaude(path, tool string, same func(json.RawMessage) bool) *claudeTranscript {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &claudeTranscript{path: path, tool: tool, same: same, known: info.Size(), offset: max(0, info.Size()-transcriptTail)}
}

// over reads what has come, and tells whether the call has its result.
func (t *claudeTranscript) over() bool {
	file, err := os.Open(t.path)
	if err != nil {
		return t.closed
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(t.offset, io.SeekStart); err != nil {
		return t.closed
	}
	for lines := bufio.NewReader(file); !t.closed; {
		line, err := lines.ReadBytes('\n')
		if err != nil { // also where a line is still being written
			break
		}
		t.offset += int64(len(line))
		t.read(line)
	}
	return t.closed
}

// read takes note of calls and results in one line.
func (t *claudeTranscript) read(line []byte) {
	if !bytes.Contains(line, []byte(t.tool)) && !bytes.Contains(line, []byte("tool_result")) {
		return
	}
	var entry struct {
		Result  json.RawMessage `json:"toolUseResult"` // words, where it failed
		Message struct {
			Content []struct {
				Type   string          `json:"type"`
				ID     string          `json:"id"`
				Name   string          `json:"name"`
				Input  json.RawMessage `json:"input"`
				Result string          `json:"tool_use_id"`
			} `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &entry) != nil { // words alone, or another form
		return
	}
	for _, block := range entry.Message.Content {
		switch {
		case block.Type == "tool_use" && block.Name == t.tool && t.same(block.Input):
			t.call = block.ID
		case block.Type == "tool_result" && block.Result == t.call && t.call != "" && t.offset > t.known:
			t.closed = true
			var result struct {
				Answers map[string]string `json:"answers"`
			}
			if json.Unmarshal(entry.Result, &result) == nil && len(result.Answers) > 0 {
				t.answers = claudeAnswers(t.questions, result.Answers)
			}
			return
		}
	}
}
