// Package subject shows all that an approval would allow, so that different subjects look different. Terminals and exports get
// text, pages get nodes.
package subject

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"followup/internal/protocol"
	"followup/internal/question"
)

// Text returns the subject as text; the Markdown of a plan stays as it is.
func Text(s protocol.Subject) string {
	var parts []string
	text, end := cutBreak(s.Text)
	for _, part := range []string{Visible(s.Folder), Visible(s.Path), Visible(s.Name), Visible(text) + end, Visible(unified(s)), Visible(s.OtherArguments)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}

// cutBreak splits off a text's final line break. In a text of lines it hides nothing.
func cutBreak(text string) (before, end string) {
	before = strings.TrimSuffix(text, "\n")
	return before, text[len(before):]
}

// Line returns the beginning of the subject on one line.
func Line(a *protocol.Approval) string {
	s := a.Subject
	text := s.Text
	switch s.Kind {
	case protocol.SubjectEdit:
		text = pathEnd(s.Path)
	case protocol.SubjectTool:
		text = s.Name + " " + s.Text
	case protocol.SubjectUnshown:
		text = s.Name
	}
	if a.Title == s.Name || a.Title == "" || s.Kind == protocol.SubjectPlan { // a plan has its own title
		return Visible(oneLine(text))
	}
	return Visible(a.Title + ": " + oneLine(text))
}

// pathEnd returns the last two elements of a path, which are the most significant in a short line.
func pathEnd(path string) string {
	isSlash := func(r rune) bool { return r == '/' || r == '\\' }
	name := strings.LastIndexFunc(path, isSlash)
	folder := strings.LastIndexFunc(path[:max(name, 0)], isSlash)
	if folder <= 0 {
		return path
	}
	return "..." + path[folder:]
}

// lineLength is how many bytes of a text its line can show.
const lineLength = 1 << 10

func oneLine(text string) string {
	if len(text) > lineLength {
		text = strings.ToValidUTF8(text[:lineLength], "") + "…"
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }), " ")
}

// Nodes returns the subject's main text as a code block; of an edit, its unified diff. It returns nil for a plan.
func Nodes(s protocol.Subject) []protocol.MarkdownNode {
	code := protocol.MarkdownNode{Kind: protocol.MarkdownCode}
	switch {
	case s.Kind == protocol.SubjectPlan:
		return nil
	case s.Kind != protocol.SubjectEdit:
		text, end := cutBreak(s.Text)
		if code.Nodes = Exact(text); end != "" {
			code.Nodes = append(code.Nodes, protocol.MarkdownNode{Text: end})
		}
	case s.Text != "":
		code.Nodes = lines(s.Text, false)
	default:
		code.Nodes = lines(unified(s), true)
	}
	return []protocol.MarkdownNode{{Kind: protocol.MarkdownCodeBlock, Nodes: []protocol.MarkdownNode{code}}}
}

// unified returns the unified diff of an edit with two texts. They may be parts of a file, so a single hunk at the beginning has no
// header, which would have line numbers, and a missing final newline is shown only if one of them has it.
func unified(s protocol.Subject) string {
	if s.Kind != protocol.SubjectEdit || s.Before == s.After {
		return ""
	}
	before, after := s.Before, s.After
	if endsWithin(before) && endsWithin(after) {
		before, after = before+"\n", after+"\n"
	}
	c := question.ChangesOf(before, after)
	changes := string(diff.Diff("", []byte(c.Before), "", []byte(c.After)))
	if at := strings.Index(changes, "\n@@"); at >= 0 { // after the names of the files
		changes = changes[at+1:]
	}
	changes = numbered(changes, c.Skipped)
	first, rest, _ := strings.Cut(changes, "\n")
	atStart := strings.HasPrefix(first, "@@ -1,") || strings.HasPrefix(first, "@@ -0,")
	if atStart && !strings.Contains(rest, "\n@@") {
		changes = rest
	}
	changes = strings.TrimSuffix(changes, "\n")
	if c.LeftBefore+c.LeftAfter > 0 {
		changes = strings.TrimPrefix(fmt.Sprintf("%s\n@@ ... -%d +%d @@", changes, c.LeftBefore, c.LeftAfter), "\n") // in any language
	}
	return changes
}

// numbered adds to the line numbers in a diff's headers the lines that precede it.
func numbered(changes string, skipped int) string {
	if skipped == 0 {
		return changes
	}
	var all strings.Builder
	for line := range strings.Lines(changes) {
		var before, lines, after, others int
		if strings.HasPrefix(line, "@@ -") {
			_, _ = fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@\n", &before, &lines, &after, &others) // package diff has written it
			line = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", before+skipped, lines, after+skipped, others)
		}
		all.WriteString(line)
	}
	return all.String()
}

// endsWithin reports whether a text ends without a newline.
func endsWithin(text string) bool { return text != "" && !strings.HasSuffix(text, "\n") }

// mostLines is how many lines of a diff are coloured, so that the nodes of a hostile diff stay in proportion to it.
const mostLines = 5000

// lines returns the lines of a diff. Lines before its first hunk are not coloured; begun means that there are none.
func lines(changes string, begun bool) (nodes []protocol.MarkdownNode) {
	for range mostLines {
		line, rest, more := strings.Cut(changes, "\n")
		changes = rest
		begun = begun || strings.HasPrefix(line, "@@")
		sign := line[:min(1, len(line))]
		kind := lineKinds[sign]
		if !begun {
			kind = ""
		}
		nodes = append(nodes, protocol.MarkdownNode{Kind: kind, Text: sign, Nodes: Exact(line[len(sign):])})
		if !more {
			return nodes
		}
		nodes = append(nodes, protocol.MarkdownNode{Text: "\n"})
	}
	return append(nodes, Exact(changes)...)
}

var lineKinds = map[string]protocol.MarkdownKind{
	"+": protocol.MarkdownInserted, "-": protocol.MarkdownRemoved, "@": protocol.MarkdownHunk,
}
