package hook

import (
	"encoding/json"
	"strings"
)

// contextTail is how many bytes at the end of a log are searched for the text before a call.
const contextTail = 1 << 20

// claudeContext returns the last text that Claude Code wrote in this turn, from the session's log. The log may already contain
// the call, but nothing after it, since the call is unanswered.
func claudeContext(path string) string {
	var said claudeWords
	log := tailOf(path, contextTail)
	for line := range log.lines() {
		said.read(line)
	}
	return strings.Join(said.texts, "\n\n")
}

// claudeWords is Claude Code's last text in its turn.
type claudeWords struct {
	texts []string
	over  bool // a tool call followed, so the next text replaces this one
}

// read parses a line of the log. It ignores other formats and truncated lines.
func (w *claudeWords) read(line []byte) {
	var entry struct {
		Type    string `json:"type"`
		Side    bool   `json:"isSidechain"` // of a subagent's conversation
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &entry) != nil || entry.Side {
		return
	}
	var blocks []struct{ Type, Text string }
	plain := json.Unmarshal(entry.Message.Content, &blocks) != nil
	switch entry.Type {
	case "user": // results of tools, or the user's words, which start a turn
		if plain || len(blocks) > 0 && blocks[0].Type != "tool_result" {
			*w = claudeWords{}
		}
	case "assistant":
		for _, block := range blocks {
			switch {
			case block.Type == "tool_use":
				w.over = true
			case block.Type == "text" && w.over:
				*w = claudeWords{texts: []string{block.Text}}
			case block.Type == "text":
				w.texts = append(w.texts, block.Text)
			}
		}
	}
}
