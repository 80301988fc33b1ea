package connect

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Configuration files as people and programs write them. MODEL is a value that a user changes while an agent is connected.
var jsonTexts = map[string]string{
	"empty object":         "{}",
	"empty object, line":   "{}\n",
	"spaces":               "{   }\n",
	"one line":             `{"model": "MODEL"}`,
	"dense":                `{"model":"MODEL","a":[1,2],"mcpServers":{},"mcp":{}}`,
	"indented":             "{\n  \"model\": \"MODEL\"\n}\n",
	"tabs":                 "{\n\t\"model\": \"MODEL\",\n\t\"b\": {\n\t\t\"c\": []\n\t}\n}\n",
	"no line at the end":   "{\n    \"model\": \"MODEL\"\n}",
	"trailing comma":       "{\n  \"model\": \"MODEL\",\n}\n",
	"comments":             "// mine\n{\n  // before\n  \"model\": \"MODEL\", // behind\n  /* last */\n}\n// end\n",
	"comment, no comma":    "{\n  \"model\": \"MODEL\" // behind\n  // last\n}\n",
	"CRLF":                 "{\r\n  \"model\": \"MODEL\",\r\n  \"a\": 1\r\n}\r\n",
	"BOM":                  "\xef\xbb\xbf{\n  \"model\": \"MODEL\"\n}\n",
	"BOM and CRLF":         "\xef\xbb\xbf{\r\n  \"model\": \"MODEL\"\r\n}\r\n",
	"duplicate keys":       "{\n  \"model\": \"x\",\n  \"mcpServers\": {\"a\": {}},\n  \"model\": \"MODEL\",\n  \"mcpServers\": {}\n}\n",
	"empty containers":     "{\n  \"model\": \"MODEL\",\n  \"mcpServers\": {},\n  \"mcp\": {},\n  \"hooks\": {},\n  \"permissions\": {\"allow\": []},\n  \"env\": {}\n}\n",
	"containers of spaces": "{\n  \"model\": \"MODEL\",\n  \"mcpServers\": {\n  },\n  \"mcp\": { },\n  \"permissions\": {\n    \"allow\": [\n    ]\n  },\n  \"env\": { /* none */ }\n}\n",
	"other entries": "{\n  \"mcpServers\": { \"b\": { \"command\": \"x\" } },\n  \"mcp\": {\n    \"b\": {\"type\": \"local\"},\n  },\n  \"model\": \"MODEL\",\n" +
		"  \"permissions\": { \"allow\": [\"Bash(ls)\", ], \"deny\": [\"Read(x)\"] },\n  \"env\": {\"A\": \"1\"},\n  \"plugin\": [\"mine\"]\n}\n",
	"null":             "{\n  \"model\": \"MODEL\",\n  \"mcpServers\": null,\n  \"mcp\": null,\n  \"hooks\": null\n}\n",
	"many blank lines": "\n\n{\n\n  \"model\": \"MODEL\"\n\n\n}\n\n\n",
	"escapes":          "{\"model\": \"MODEL\", \"\\u006dcp\": {}, \"e\": \"\\ud83d\\ude00 \\u003c\"}\n",
}

var tomlTexts = map[string]string{
	"empty":              "",
	"a line":             "\n",
	"keys":               "model = \"MODEL\"\n",
	"no line at the end": "model = \"MODEL\"",
	"tables":             "model = \"MODEL\"\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[tui]\nnotifications = true\n",
	"CRLF":               "model = \"MODEL\"\r\n\r\n[tui]\r\na = 1\r\n",
	"BOM":                "\xef\xbb\xbfmodel = \"MODEL\"\n",
	"comments":           "# mine\nmodel = \"MODEL\" # behind\n\n# last\n",
	"dotted":             "model = \"MODEL\"\nmcp_servers.other.command = \"x\"\n",
	"a table first":      "[mcp_servers]\n[mcp_servers.other]\ncommand = \"MODEL\"\n",
	"arrays of tables":   "model = \"MODEL\"\n[[a]]\nb = 1\n\n[[a]]\nb = 2\n",
}

// Whatever a file contains, disconnecting restores it byte for byte. If the user has changed it in between, it is the original
// with the user's change.
func TestNothingIsLost(t *testing.T) {
	for _, a := range Agents() {
		for n, p := range machine(t).partsOf(a) {
			texts := jsonTexts
			if filepath.Ext(p.name) == ".toml" {
				texts = tomlTexts
			}
			for name, text := range texts {
				for _, change := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%d/%s/%v", a.ID, n, name, change), func(t *testing.T) {
						m := machine(t)
						file := filepath.Join(m.Home, strings.TrimPrefix(m.partsOf(a)[n].name, m.Home))
						write(t, file, text)
						m.connect(t, a, false)
						if s := m.Look(a); s.Err != nil {
							t.Fatal(s.Err)
						}
						connected, err := os.ReadFile(file)
						if err != nil || !strings.Contains(string(connected), "bin") {
							t.Fatalf("%q, %v", connected, err)
						}
						if change {
							if !strings.Contains(text, "MODEL") { // no value to change, so a line is added
								connected, text = append([]byte("\n"), connected...), "\n"+text
							}
							connected = bytes.ReplaceAll(connected, []byte("MODEL"), []byte("another"))
							text = strings.ReplaceAll(text, "MODEL", "another")
							write(t, file, string(connected))
						}
						m.disconnect(t, a)
						left, err := os.ReadFile(file)
						if err != nil || string(left) != text {
							t.Errorf("%v, left is %.2000q\n         want %.2000q", err, left, text)
						}
					})
				}
			}
		}
	}
}

// A file that cannot be written is left alone, and the message says what to do.
func TestMessagesForFiles(t *testing.T) {
	for name, test := range map[string]struct {
		make func(t *testing.T, file string)
		says string
	}{
		"a folder": {func(t *testing.T, file string) {
			if err := os.MkdirAll(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, " is not a file, so it was not changed. Move it away, then try again."},
		"read-only": {func(t *testing.T, file string) {
			write(t, file, "{}")
			if err := os.Chmod(file, 0o400); err != nil {
				t.Fatal(err)
			}
		}, " is read-only, so it was not changed. Make it writable, then try again."},
	} {
		m, a := machine(t), agent(t, "qwen")
		file := filepath.Join(m.Home, ".qwen", "settings.json")
		test.make(t, file)
		plan, err := m.Plan(a, false)
		if err == nil {
			err = m.Apply(plan)
		}
		if err == nil || err.Error() != file+test.says {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Of several concurrent processes, one connects, the others find that done, and disconnecting restores the file byte for byte.
func TestConnectConcurrently(t *testing.T) {
	const before = "{\n  \"model\":   \"opus\"\n}\n"
	m, a := machine(t), agent(t, "claude-code")
	settings := filepath.Join(m.Home, ".claude", "settings.json")
	write(t, settings, before)
	var all sync.WaitGroup
	var changed atomic.Int32
	for range 8 {
		all.Go(func() {
			unlock, err := m.Lock(a)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			plan, err := m.Plan(a, false)
			if err == nil {
				err = m.Apply(plan)
			}
			if err != nil {
				t.Error(err)
			}
			if len(plan.Changes) > 0 {
				changed.Add(1)
			}
		})
	}
	all.Wait()
	if changed.Load() != 1 {
		t.Errorf("%d have changed something", changed.Load())
	}
	m.disconnect(t, a)
	if got := files(t, m); len(got) != 1 || got[".claude/settings.json"] != before {
		t.Errorf("left is %q", got)
	}
}

// A file with a line longer than any buffer is connected and restored like any other.
func TestLargeFile(t *testing.T) {
	before := "{\n  \"a\": \"" + strings.Repeat("x", 1<<20) + "\",\n  \"model\": \"opus\"\n}\n"
	m, a := machine(t), agent(t, "claude-code")
	file := filepath.Join(m.Home, ".claude.json")
	write(t, file, before)
	m.connect(t, a, false)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), "opus", "haiku", 1))
	m.disconnect(t, a)
	if got, err := os.ReadFile(file); err != nil || string(got) != strings.Replace(before, "opus", "haiku", 1) {
		t.Errorf("%v, the file differs from the original", err)
	}
}

// Whatever the user does to a connected file, disconnect removes Followup's entry, keeps the rest, and leaves a valid file.
func TestUserChangesWhileConnected(t *testing.T) {
	const entry = `"followup"`
	for name, test := range map[string]struct {
		before string
		change func(connected string) string
		want   string
	}{
		"another server after": {
			"{\n  \"a\": 1\n}\n", func(s string) string { return strings.Replace(s, "    }\n  }", "    },\n    \"other\": {}\n  }", 1) },
			`{"a": 1, "mcpServers": {"other": {}}}`,
		},
		"another server before, in one line": {
			`{"a": 1}`, func(s string) string { return strings.Replace(s, entry, `"other": {}, `+entry, 1) },
			`{"a": 1, "mcpServers": {"other": {}}}`,
		},
		"a member of the entry": {
			`{"a": 1}`, func(s string) string { return strings.Replace(s, entry+": {", entry+`: {"env": {"A": "b"}, `, 1) },
			`{"a": 1}`,
		},
		"a member of the entry, in lines": {
			"{\n  \"a\": 1\n}\n", func(s string) string {
				return strings.Replace(s, "\"trust\"", "\"env\": {\"A\": \"b\"},\n      \"trust\"", 1)
			},
			`{"a": 1}`,
		},
		"another limit": {
			"{}\n", func(s string) string { return strings.Replace(s, "86400000", "5000", 1) },
			`{}`,
		},
		"no entry": {
			"{\n  \"a\": 1\n}\n", func(string) string { return "{\n  \"a\": 2,\n  \"mcpServers\": {}\n}\n" },
			`{"a": 2}`,
		},
		"other white space": {
			"{\n  \"a\": 1, // mine\n  \"b\": [1, 2]\n}\n", func(s string) string { return strings.ReplaceAll(s, "  ", "\t") },
			`{"a": 1, "b": [1, 2]}`,
		},
		"nothing left": {
			"{\n  \"a\": 1\n}\n", func(string) string { return "" },
			`{}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, a := machine(t), agent(t, "qwen")
			file := filepath.Join(m.Home, ".qwen", "settings.json")
			write(t, file, test.before)
			m.connect(t, a, false)
			text, err := os.ReadFile(file)
			changed := test.change(string(text))
			if err != nil || changed == string(text) {
				t.Fatalf("%v, nothing was changed: %s", err, text)
			}
			write(t, file, changed)
			m.disconnect(t, a)
			left, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := parseJSON(left)
			if err != nil {
				t.Fatalf("%v\n%s", err, left)
			}
			want, _ := parseJSON([]byte(test.want))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("left is %s (-want +got):\n%s", left, diff)
			}
			if strings.Contains(changed, "// mine") != strings.Contains(string(left), "// mine") {
				t.Errorf("the comment is lost: %s", left)
			}
		})
	}
}
