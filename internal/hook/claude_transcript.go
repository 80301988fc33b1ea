package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"

	"followup/internal/question"
)

// claudeTranscript follows the log of a session of Claude Code's. It tells when a question was answered in the terminal: 2.1.330 does not
// tell its hook, which it ends only when it ends itself.
type claudeTranscript struct {
	path   string
	offset int64
	// open are the calls that ask the same and whose results are not there yet; seen tells that there were any. The log has a call as the
	// model wrote it, and the hook is told it with what the tool adds: they are the same in what is asked, not to the letter.
	open map[string]bool
	seen bool
	// questions are those of the call, and answers what was answered to each; nil where the log does not tell.
	questions []asked
	answers   [][]string
}

// transcriptTail is how much of what stands in the log already is read: the call stands at its end.
const transcriptTail = 4 << 20

// followClaude begins to follow a log; nil where there is none.
func followClaude(path string, questions []asked) *claudeTranscript {
	t := &claudeTranscript{path: path, questions: questions, open: map[string]bool{}}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t.offset = max(0, info.Size()-transcriptTail)
	return t
}

// over reads what has come, and tells whether the call has its result.
func (t *claudeTranscript) over() bool {
	file, err := os.Open(t.path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(t.offset, io.SeekStart); err != nil {
		return false
	}
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) || err != nil {
			return t.seen && len(t.open) == 0
		}
		t.offset += int64(len(line))
		t.read(line)
	}
}

// read takes note of calls and results in one line.
func (t *claudeTranscript) read(line []byte) {
	if !bytes.Contains(line, []byte(question.ToolAskUser)) && !bytes.Contains(line, []byte("tool_result")) {
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
		case block.Type == "tool_use" && block.Name == question.ToolAskUser && reflect.DeepEqual((&Call{input: block.Input}).questions(), t.questions):
			t.open[block.ID], t.seen = true, true
		case block.Type == "tool_result" && t.open[block.Result]:
			delete(t.open, block.Result)
			var result struct {
				Answers map[string]string `json:"answers"`
			}
			if t.answers = nil; json.Unmarshal(entry.Result, &result) == nil && len(result.Answers) > 0 {
				t.answers = claudeAnswers(t.questions, result.Answers)
			}
		}
	}
}
