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

// codexServer is the only table that connect writes in TOML. It is between two comments.
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

// tomlPlaces are the parts of a text that concern a table.
type tomlPlaces struct {
	lines  []udiff.Edit          // the lines of the table, of its subtables, and of the comments around them
	marked bool                  // there are such comments
	head   int                   // the end of the table's header; 0 if it has none
	keys   map[string]udiff.Edit // the table's own keys
	other  int                   // the line of the first value that belongs to the table without a header of its own
}

// add adds the lines of a part of the text.
func (p *tomlPlaces) add(text []byte, from, to int) {
	from = bytes.LastIndexByte(text[:from], '\n') + 1
	if next := bytes.IndexByte(text[to:], '\n'); next >= 0 {
		to += next + 1
	} else {
		to = len(text)
	}
	if last := len(p.lines) - 1; last >= 0 && p.lines[last].End == from {
		p.lines[last].End = to
	} else {
		p.lines = append(p.lines, udiff.Edit{Start: from, End: to})
	}
}

func findTable(text []byte, at path) (places tomlPlaces) {
	places.keys = map[string]udiff.Edit{}
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(text)
	var table path
	for parser.NextExpression() {
		node := parser.Expression()
		from, end := int(node.Raw.Offset), int(node.Raw.Offset+node.Raw.Length)
		if node.Kind == unstable.Comment {
			if mark := string(node.Data); mark == tomlBegin || mark == tomlEnd {
				places.marked = true
				places.add(text, from, end)
			}
			continue
		}
		var keys path
		for each := node.Key(); each.Next(); {
			if keys = append(keys, string(each.Node().Data)); len(keys) == 1 {
				from = int(each.Node().Raw.Offset)
			}
		}
		full := slices.Concat(table, keys)
		switch isTable := node.Kind != unstable.KeyValue; {
		case isTable:
			if table = keys; table.below(at) {
				places.add(text, from, from) // a header's node has no end
			}
			if slices.Equal(table, at) {
				places.head = places.lines[len(places.lines)-1].End
			}
		case table.below(at):
			last := &places.lines[len(places.lines)-1]
			places.add(text, last.End, end)
			if slices.Equal(table, at) && len(keys) == 1 {
				places.keys[keys[0]] = udiff.Edit{Start: from, End: end}
			}
		case places.other == 0 && (full.below(at) || at.below(full) && node.Value().Kind == unstable.InlineTable):
			places.other = lineAt(text, from)
		}
	}
	return places
}

// below reports whether a path equals another one or is below it.
func (p path) below(other path) bool {
	return len(p) >= len(other) && slices.Equal(p[:len(other)], other)
}

func lineInTOML(text []byte, at path) int {
	places := findTable(text, at)
	if places.other == 0 && len(places.lines) > 0 {
		return lineAt(text, places.lines[0].Start)
	}
	return places.other
}

// editTOML changes the table's keys in place, if connect wrote the table. Otherwise it removes the table, including subtables of
// Codex or the user, and appends a new one. Comments between tables are kept.
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
		edit, there := places.keys[name]
		if edit.New = written; !there {
			edit = udiff.Edit{Start: places.head, End: places.head, New: written + line}
		}
		if !same(old[name], fields[name]) {
			edits = append(edits, edit)
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
		if !places.marked { // otherwise the user's own table is replaced
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

// cuts removes lines, and a blank line before them if another blank line or the end follows.
func cuts(text []byte, lines []udiff.Edit) []udiff.Edit {
	line := newline(text)
	for i, e := range lines {
		if bytes.HasSuffix(text[:e.Start], []byte("\n"+line)) && (e.End == len(text) || bytes.HasPrefix(text[e.End:], []byte(line))) {
			lines[i].Start -= len(line)
		}
	}
	return lines
}

func tomlLine(name string, value any) string {
	var text strings.Builder
	encoder := toml.NewEncoder(&text).SetTablesInline(true)
	if err := encoder.Encode(object{name: value}); err != nil {
		panic(err) // it was parsed from a file, or is Followup's own
	}
	return strings.TrimSpace(text.String())
}
