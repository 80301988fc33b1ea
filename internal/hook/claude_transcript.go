package hook

import (
	"bytes"
	"encoding/json"
	"reflect"

	"followup/internal/dialect"
	"followup/internal/question"
)

// claudeTranscript follows the log of a Claude Code session to detect that a question was answered in the terminal. Version
// 2.1.330 does not notify its hook of that, and only stops it when it exits itself.
type claudeTranscript struct {
	logFile // results before its first size belong to earlier calls
	// call is the id of the newest call with the same questions, or empty. Earlier calls may lack a result after a
	// killed session. Only the questions are compared, since the hook gets further arguments from the tool.
	call string
	// tool is the call's tool. same reports whether arguments in the log are the hook's.
	tool string
	same func(input json.RawMessage) bool
	// open are the ids of all such calls that have had no result before closed.
	open map[string]bool
	// closed means that the log has the call's result.
	closed bool
	// questions are the call's questions, and answers the answers to each; nil if the log has no answers.
	questions []dialect.Asked
	answers   [][]string
}

// transcriptTail is how many bytes at the end of the log are searched for the call.
const transcriptTail = 4 << 20

// followQuestions starts to follow a log for a call with these questions; nil if there is no log.
func followQuestions(path string, questions []dialect.Asked) *claudeTranscript {
	t := followClaude(path, question.ToolAskUser, func(input json.RawMessage) bool { // invalid arguments never match
		return questions != nil && reflect.DeepEqual((&Call{input: input}).questions(), questions)
	})
	if t != nil {
		t.questions = questions
	}
	return t
}

// followCall starts to follow a log for a call of a tool. The hook's arguments may have more fields than the log's, such as a plan.
func followCall(path, tool string, input json.RawMessage) *claudeTranscript {
	var all map[string]any
	if json.Unmarshal(input, &all) != nil {
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

// followClaude starts to follow a log; nil if there is none.
func followClaude(path, tool string, same func(json.RawMessage) bool) *claudeTranscript {
	log := tailOf(path, transcriptTail)
	if log.path == "" {
		return nil
	}
	return &claudeTranscript{logFile: log, tool: tool, same: same, open: map[string]bool{}}
}

// over reads new lines, and reports whether the log has the call's result.
func (t *claudeTranscript) over() bool {
	for line := range t.lines() {
		if t.read(line); t.closed {
			break
		}
	}
	return t.closed
}

// read handles calls and results in one line.
func (t *claudeTranscript) read(line []byte) {
	if !bytes.Contains(line, []byte(t.tool)) && !bytes.Contains(line, []byte("tool_result")) {
		return
	}
	var entry struct {
		Result  json.RawMessage `json:"toolUseResult"` // a string if the call failed
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
	if json.Unmarshal(line, &entry) != nil { // a message of plain text, or another format
		return
	}
	for _, block := range entry.Message.Content {
		switch {
		case block.Type == "tool_use" && block.Name == t.tool && t.same(block.Input):
			t.call, t.open[block.ID] = block.ID, true
		case block.Type == "tool_result" && block.Result == t.call && t.call != "" && t.offset > t.size:
			t.closed = true
			var result struct {
				Answers map[string]string `json:"answers"`
			}
			if json.Unmarshal(entry.Result, &result) == nil && len(result.Answers) > 0 {
				t.answers = claudeAnswers(t.questions, result.Answers)
			}
			return
		case block.Type == "tool_result":
			delete(t.open, block.Result)
		}
	}
}
