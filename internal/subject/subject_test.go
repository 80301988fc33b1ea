package subject

import (
	"encoding/json"
	"runtime"
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

// A change is shown with its place, however long the file is. Of a change that is too large, the lines that are left out are counted.
func TestLongEdits(t *testing.T) {
	same := strings.Repeat("line\n", 100_000)
	edit := func(before, after string) protocol.Subject {
		return protocol.Subject{Kind: protocol.SubjectEdit, Path: "a", Before: before, After: after}
	}
	if got, want := Text(edit(same+"x\n"+same, same+"y\n"+same)), "a\n@@ -99998,7 +99998,7 @@\n line\n line\n line\n-x\n+y\n line\n line\n line"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Text(edit("x\n"+same, "y\n"+strings.Repeat("other\n", 100_000))); !strings.HasSuffix(got, "\n@@ ... -97501 +97501 @@") {
		t.Errorf("it ends with %q", got[len(got)-50:])
	}
	if got := Text(edit("a", strings.Repeat("b", 1<<20))); got != "a\n-a\n@@ ... -0 +1 @@" {
		t.Errorf("got %.100q", got)
	}
}

// An edit costs at most three times what a command of the same length costs.
func TestCost(t *testing.T) {
	const size = 5 << 20
	fill := func(piece string) string { return strings.Repeat(piece, size/2/len(piece)) }
	cost := func(s protocol.Subject) (allocated uint64, nodes int) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		shown, err := json.Marshal(Nodes(s))
		_ = Text(s)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return after.TotalAlloc - before.TotalAlloc, len(shown)
	}
	allocated, length := cost(protocol.Subject{Kind: protocol.SubjectCommand, Text: fill("echo hello\n") + fill("echo world\n")})
	for _, texts := range [][2]string{
		{"a\n", "b\n"}, {"\n", " \n"}, {"\u202e", "\u200b\n"}, {"a\nq\nq\n", "b\nq\nq\n"}, {"a", "b"}, {"a\n", "a\n"}, {"a\nb\n", "b\na\n"},
	} {
		some, shown := cost(protocol.Subject{Kind: protocol.SubjectEdit, Path: "a", Before: fill(texts[0]), After: fill(texts[1])})
		if some > 3*allocated || shown > 3*length {
			t.Errorf("%q: %d bytes allocated and %d of JSON, a command %d and %d", texts, some, shown, allocated, length)
		}
	}
}
