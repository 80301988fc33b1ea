package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The context is the agent's last text in its turn, whether or not the log already contains the call.
func TestClaudeContext(t *testing.T) {
	t.Parallel()
	user := `{"type":"user","message":{"content":"do it"}}` + "\n"
	blocks := `{"type":"user","message":{"content":[{"type":"text","text":"do it"}]}}` + "\n"
	image := `{"type":"user","message":{"content":[{"type":"image"},{"type":"text","text":"do it"}]}}` + "\n"
	says := func(text string) string {
		return `{"type":"assistant","message":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n"
	}
	side := strings.Replace(says("a helper's"), `"type":"assistant"`, `"isSidechain":true,"type":"assistant"`, 1)
	use := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Read","input":{}}]}}` + "\n"
	result := `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}` + "\n"
	for name, test := range map[string]struct{ log, want string }{
		"words, and the call after them":   {user + says("One.") + says("Two.") + use, "One.\n\nTwo."},
		"the call is not there yet":        {user + says("One."), "One."},
		"words, then other tools":          {user + says("One.") + use + result + use, "One."},
		"new words":                        {user + says("One.") + use + result + says("Two.") + use, "Two."},
		"an earlier turn's":                {user + says("One.") + user + use, ""},
		"an earlier turn's, in blocks":     {user + says("One.") + blocks + use, ""},
		"an earlier turn's, and a picture": {user + says("One.") + image + use, ""},
		"a helper's words":                 {user + says("One.") + side + use, "One."},
		"truncated lines":                  {says("One.")[9:] + says("Two.") + says("Three.")[:30], "Two."},
		"other forms":                      {"null\n5\n" + `{"type":"assistant","message":{"content":7}}` + "\n" + says("One."), "One."},
		"only the end of a long log":       {says("One.") + user[:0] + `{"type":"x","y":"` + strings.Repeat("z", contextTail) + "\"}\n", ""},
		"nothing":                          {"", ""},
	} {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(path, []byte(test.log), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := claudeContext(path); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
	for _, none := range []string{"", t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if got := claudeContext(none); got != "" {
			t.Errorf("%q: got %q", none, got)
		}
	}
}
