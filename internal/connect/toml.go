package connect

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// codexServer is the one table that connect writes in TOML. It stands between two comments.
var codexServer = path{"mcp_servers", "followup"}

const (
	tomlBegin = "# followup connect codex: begin"
	tomlEnd   = "# followup connect codex: end"
)

func parseTOML(text []byte) (values object, err error) {
	err = toml.Unmarshal(text, &values)
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, column := wrong.Position()
		return nil, &syntaxError{line, column, strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	return values, err
}

// span is a part of a text.
type span struct{ from, to int }

// tomlPlaces are the parts of a text that have to do with a table.
type tomlPlaces struct {
	lines  []span          // the table, those below it, and the comments around them
	marked bool            // it has those comments
	head   int             // the end of the table's own header, or zero
	keys   map[string]span // the table's own keys
	other  int             // the line of the first value that is there without a table of its own
}

func findTable(text []byte, at path) (places tomlPlaces) {
	places.keys = map[string]span{}
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(text)
	var table path
	for parser.NextExpression() {
		node := parser.Expression()
		from, end := int(node.Raw.Offset), int(node.Raw.Offset+node.Raw.Length)
		if node.Kind == unstable.Comment {
			if mark := string(node.Data); mark == tomlBegin || mark == tomlEnd {
				places.lines, places.marked = append(places.lines, linesOf(text, from, end)), true
			}
			continue
		}
		var keys path
		for each := node.Key(); each.Next(); {
			if keys = append(keys, string(each.Node().Data)); len(keys) == 1 {
				from = int(each.Node().Raw.Offset)
			}
		}
		lines := linesOf(text, from, max(from, end)) // the node of a header has no end
		if node.Kind != unstable.KeyValue {
			if table = keys; table.below(at) {
				places.lines = append(places.lines, lines)
			}
			if slices.Equal(table, at) {
				places.head = lines.to
			}
			continue
		}
		full := slices.Concat(table, keys)
		switch {
		case table.below(at):
			places.lines[len(places.lines)-1].to = lines.to
			if slices.Equal(table, at) && len(keys) == 1 {
				places.keys[keys[0]] = span{from, end}
			}
		case places.other == 0 && (full.below(at) || at.below(full) && node.Value().Kind == unstable.InlineTable):
			places.other = lineAt(text, from)
		}
	}
	return places
}

// below reports whether a path is another one or leads through it.
func (p path) below(other path) bool {
	return len(p) >= len(other) && slices.Equal(p[:len(other)], other)
}

// linesOf returns the whole lines of a part of a text.
func linesOf(text []byte, from, to int) span {
	s := span{bytes.LastIndexByte(text[:from], '\n') + 1, len(text)}
	if next := bytes.IndexByte(text[to:], '\n'); next >= 0 {
		s.to = to + next + 1
	}
	return s
}

func lineInTOML(text []byte, at path) int {
	places := findTable(text, at)
	if places.other == 0 && len(places.lines) > 0 {
		return lineAt(text, places.lines[0].from)
	}
	return places.other
}

// editTOML changes the table's own keys where they stand, if connect wrote the table. Otherwise it removes the table, with those that Codex or
// the user has put below it, and appends a new one. Comments between tables stay.
func editTOML(d document) ([]byte, error) {
	text := d.body
	values, err := parseTOML(text)
	was, _ := codexServer.in(values)
	value, wanted := codexServer.in(d.values)
	if err != nil || same(was, value) {
		return text, err
	}
	places := findTable(text, codexServer)
	if places.other > 0 {
		return nil, d.refuse(notShaped, codexServer)
	}
	old, _ := was.(object)
	fields, _ := value.(object)
	line := newline(text)
	var edits []udiff.Edit
	inPlace := places.marked && places.head > 0
	for name := range old {
		_, stays := fields[name]
		inPlace = inPlace && stays
	}
	var lines []string
	for _, name := range names(fields) {
		written := tomlLine(name, fields[name])
		lines = append(lines, written)
		at, there := places.keys[name]
		switch {
		case !inPlace || same(old[name], fields[name]):
		case there:
			edits = append(edits, udiff.Edit{Start: at.from, End: at.to, New: written})
		default:
			edits = append(edits, udiff.Edit{Start: places.head, End: places.head, New: written + line})
		}
	}
	if !inPlace {
		edits = cuts(text, places.lines)
	}
	edited, err := udiff.Apply(string(text), edits)
	if err != nil {
		return nil, err
	}
	if wanted && !inPlace {
		lines = slices.Insert(lines, 0, "["+codexServer.String()+"]")
		if !places.marked { // otherwise the user's own takes the place of Followup's
			lines = append(slices.Insert(lines, 0, tomlBegin), tomlEnd)
		}
		if edited != "" {
			lines = slices.Insert(lines, 0, "")
		}
		if edited != "" && !strings.HasSuffix(edited, "\n") {
			edited += line
		}
		edited += strings.Join(lines, line) + line
	}
	values, err = parseTOML([]byte(edited))
	if is, _ := codexServer.in(values); err != nil || !same(is, value) {
		return nil, d.refuse(notShaped, codexServer)
	}
	return []byte(edited), nil
}

// cuts removes lines, and a blank line before them if another one or nothing follows.
func cuts(text []byte, lines []span) (edits []udiff.Edit) {
	line := newline(text)
	for _, s := range lines {
		if last := len(edits) - 1; last >= 0 && edits[last].End == s.from {
			edits[last].End = s.to
		} else {
			edits = append(edits, udiff.Edit{Start: s.from, End: s.to})
		}
	}
	for i := range edits {
		e := &edits[i]
		if bytes.HasSuffix(text[:e.Start], []byte("\n"+line)) && (e.End == len(text) || bytes.HasPrefix(text[e.End:], []byte(line))) {
			e.Start -= len(line)
		}
	}
	return edits
}

func tomlLine(name string, value any) string {
	var text strings.Builder
	encoder := toml.NewEncoder(&text).SetTablesInline(true)
	if err := encoder.Encode(object{name: value}); err != nil {
		panic(err) // it was read from a file, or is Followup's own
	}
	return strings.TrimSpace(text.String())
}
