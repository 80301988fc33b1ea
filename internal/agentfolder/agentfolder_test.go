package agentfolder

import (
	"path/filepath"
	"testing"
)

func TestOf(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	for _, test := range []struct{ agent, variable, value, want string }{
		{"gemini", "", "", filepath.Join(home, ".gemini")},
		{"gemini", "GEMINI_CLI_HOME", other, filepath.Join(other, ".gemini")},
		{"gemini", "GEMINI_CLI_HOME", "relative", filepath.Join(home, ".gemini")},
		{"codex", "CODEX_HOME", other, other},
		{"kilo", "XDG_CONFIG_HOME", other, filepath.Join(other, "kilo")},
		{"kimi", "KIMI_CODE_HOME", other, other},
		{"qwen", "", other, filepath.Join(home, ".qwen")},
	} {
		env := func(name string) string {
			if name == test.variable && name != "" {
				return test.value
			}
			return ""
		}
		if got, ok := Of(test.agent, env, home); got != test.want || !ok {
			t.Errorf("%+v: %s, %v", test, got, ok)
		}
	}
	if got, ok := Of("unknown", func(string) string { return other }, home); ok {
		t.Errorf("an unknown agent has %s", got)
	}
}
