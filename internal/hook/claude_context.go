package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
)

// contextTail is how much of the end of a log is read for what stands before a call.
const contextTail = 1 << 20

// claudeContext is what Claude Code wrote before the call that its hook is told: its last words in the turn, from the session's
// log. Whether the call itself stands there already makes no difference: nothing comes behind it until it is answered.
func claudeContext(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	start := max(0, info.Size()-contextTail)
	tail, err := io.ReadAll(io.NewSectionReader(file, start, info.Size()-start))
	if err != nil {
		return ""
	}
	var said claudeWords
	for line := range bytes.Lines(tail) {
		said.read(line)
	}
	return strings.Join(said.texts, "\n\n")
}

// claudeWords are what Claude Code has written last in its turn.
type claudeWords struct {
	texts []string
	over  bool // a call of a tool came behind them: the next words begin anew
}

// read reads a line of the log; what is in another form, or cut off, tells nothing.
func (w *claudeWords) read(line []byte) {
	var entry struct {
		Type    string `json:"type"`
		Side    bool   `json:"isSidechain"` // another agent's, in a conversation of its own
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
	case "user": // the results of tools, or the user's words, which begin a turn
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
