package subject

import (
	"strings"
	"testing"

	"followup/internal/protocol"
)

func TestText(t *testing.T) {
	edit := protocol.Subject{Kind: protocol.SubjectEdit, Path: "/w/a.go", Before: "a\nb\n", After: "a\nB\n"}
	for want, s := range map[string]protocol.Subject{
		"/w\nls -l\n{}":       {Kind: protocol.SubjectCommand, Text: "ls -l", Folder: "/w", OtherArguments: "{}"},
		"/w/a.go\n a\n-b\n+B": edit,
		"/w/a.go\n-x\n+y":     {Kind: protocol.SubjectEdit, Path: "/w/a.go", Before: "x", After: "y"},
		"/w/a.go\n-x\n+x\n\\ No newline at end of file": {Kind: protocol.SubjectEdit, Path: "/w/a.go", Before: "x\n", After: "x"},
		"/w/a.go\n@@ -2,4 +2,3 @@\n 2\n 3\n 4\n-5":      {Kind: protocol.SubjectEdit, Path: "/w/a.go", Before: "1\n2\n3\n4\n5", After: "1\n2\n3\n4"},
		"/w/a.go\n--- a\n+++ b\n@@ -1 +1 @@\n-a":        {Kind: protocol.SubjectEdit, Path: "/w/a.go", Text: "--- a\n+++ b\n@@ -1 +1 @@\n-a"},
		"/w/a.go":                                       {Kind: protocol.SubjectEdit, Path: "/w/a.go", Before: "x", After: "x"},
		"mcp__x\n{\"a\":1}":                             {Kind: protocol.SubjectTool, Name: "mcp__x", Text: `{"a":1}`},
		"https://a.com/‹U+202E›":                        {Kind: protocol.SubjectFetch, Text: "https://a.com/\u202e"},
		"# Plan\n\n1. Read\n":                           {Kind: protocol.SubjectPlan, Text: "# Plan\n\n1. Read\n"},
		"# Plan‹U+000A›\n":                              {Kind: protocol.SubjectPlan, Text: "# Plan\n\n"},
		"a.go‹U+000A›\n+x":                              {Kind: protocol.SubjectEdit, Path: "a.go\n", After: "x\n"},
		"/w/new.go\n+x":                                 {Kind: protocol.SubjectEdit, Path: "/w/new.go", After: "x\n"},
	} {
		if got := Text(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The final line break of a command is not marked. Spaces and line breaks before it are.
func TestNodesOfAFinalLineBreak(t *testing.T) {
	for text, want := range map[string]string{"ls\n": "ls \n", "ls \n": "ls U+0020 \n", "ls": "ls"} {
		var got []string
		for _, node := range Nodes(protocol.Subject{Kind: protocol.SubjectCommand, Text: text})[0].Nodes[0].Nodes {
			got = append(got, node.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestLine(t *testing.T) {
	line := func(title string, s protocol.Subject) string {
		return Line(&protocol.Approval{Title: title, Subject: s})
	}
	for want, got := range map[string]string{
		"Bash: ls -l; rm x":  line("Bash", protocol.Subject{Kind: protocol.SubjectCommand, Text: "ls -l;\n\trm x"}),
		"Edit: /w/a.go":      line("Edit", protocol.Subject{Kind: protocol.SubjectEdit, Path: "/w/a.go", After: "x"}),
		"Edit: .../src/a.go": line("Edit", protocol.Subject{Kind: protocol.SubjectEdit, Path: "/home/ana/shop/src/a.go", After: "x"}),
		`Edit: ...\src\a.go`: line("Edit", protocol.Subject{Kind: protocol.SubjectEdit, Path: `C:\shop\src\a.go`, After: "x"}),
		"Edit: a.go":         line("Edit", protocol.Subject{Kind: protocol.SubjectEdit, Path: "a.go", After: "x"}),
		`mcp__x { "a": 1 }`:  line("mcp__x", protocol.Subject{Kind: protocol.SubjectTool, Name: "mcp__x", Text: "{\n  \"a\": 1\n}"}),
		"Bash: a‹U+202E›b":   line("Bash", protocol.Subject{Kind: protocol.SubjectCommand, Text: "a\u202eb"}),
		"Bash: " + strings.Repeat("é", lineLength/2) + "…‹U+2026›": line("Bash", protocol.Subject{Kind: protocol.SubjectCommand, Text: strings.Repeat("é", lineLength)}),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A line of a diff that looks like a header is shown as a line, and a hostile diff has few nodes.
func TestLines(t *testing.T) {
	code := Nodes(protocol.Subject{Kind: protocol.SubjectEdit, Path: "a", Before: "-- x\n", After: "++ y\n"})[0].Nodes[0].Nodes
	var kinds []string
	for _, node := range code {
		kinds = append(kinds, string(node.Kind))
	}
	if got := strings.Join(kinds, " "); got != "removed  inserted" {
		t.Errorf("the lines are %q", got)
	}
	hostile := lines("@@\n"+strings.Repeat("\n", 1<<20), false)
	if len(hostile) > 2*mostLines+2 {
		t.Errorf("%d nodes", len(hostile))
	}
}
