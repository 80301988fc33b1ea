package desktop

import (
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing to replace", "Which port? 8080 – or “3000”?", "Which port? 8080 – or “3000”?"},
		{"markup", `<a href="https://x">List</a> <b>a & b</b>`, `＜a href="https://x"＞List＜/a＞ ＜b＞a ＆ b＜/b＞`},
		{"markup by an escape", `\074b\076`, `＼074b＼076`},
		{"an option", "--action=x", "‐-action=x"},
		{"an option after a dropped character", "\n -u", "‐u"},
		{"a second line, and invisible characters", "a\nb\x1b[0m\u202e\ue000", "a b [0m"},
		{"no text", "a\xffb", "a\ufffdb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := plain(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A toast shows exactly the two given texts.
func TestToast(t *testing.T) {
	for _, text := range []string{
		"Which port?",
		"Which port? ]]> $(Start-Process calc) `whoami`",
		`]]></text></binding></visual><actions><action activationType="protocol" arguments="calc:" content="x"/></actions>`,
		`&lt; " ' & <b>`,
	} {
		var got struct {
			Texts []string `xml:"visual>binding>text"`
			Other []struct {
				XMLName xml.Name
			} `xml:",any"`
		}
		if err := xml.Unmarshal([]byte(toast("Roo "+text, text)), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(got.Texts) != 2 || got.Texts[0] != "Roo "+text || got.Texts[1] != text {
			t.Errorf("%q: texts %q", text, got.Texts)
		}
		if len(got.Other) != 1 || got.Other[0].XMLName.Local != "audio" {
			t.Errorf("%q: also %v", text, got.Other)
		}
	}
	if got := toast("a\x00b", "c\x1b"); strings.ContainsAny(got, "\x00\x1b") {
		t.Errorf("invalid XML: %q", got)
	}
}

// The code for Windows uses nothing that hands the texts to PowerShell.
func TestNoScriptOnWindows(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "notify_windows.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"sync", "unsafe", "git.sr.ht/~jackmordaunt/go-toast/wintoast"}
	for _, used := range file.Imports {
		if path := strings.Trim(used.Path.Value, `"`); !slices.Contains(known, path) {
			t.Errorf("it imports %s", path)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && strings.Contains(name.Name, "owershell") {
			t.Errorf("it uses %s", name.Name)
		}
		return true
	})
}
