package connect

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is Codex's configuration. Connect writes one table there, between two comments, and the table's keys each in a line of their own.
type tomlFile struct {
	mark, body []byte
	values     map[string]any
}

const (
	tomlBegin = "# followup connect codex: begin"
	tomlEnd   = "# followup connect codex: end"
)

func parseTOML(text []byte) (document, error) {
	f := &tomlFile{}
	f.mark, f.body = cutMark(text)
	return f, f.parse()
}

// parse reads the values of the whole file, and so checks that it is valid.
func (f *tomlFile) parse() error {
	f.values = nil
	err := toml.Unmarshal(f.body, &f.values)
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return &SyntaxError{line, strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	plainNumbers(f.values)
	return err
}

// plainNumbers makes numbers those of JSON. Not a number becomes a text, which equals itself.
func plainNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, each := range value {
			value[key] = plainNumbers(each)
		}
	case []any:
		for i, each := range value {
			value[i] = plainNumbers(each)
		}
	case int64:
		return float64(value)
	case float64:
		if math.IsNaN(value) {
			return "nan"
		}
	}
	return value
}

func (f *tomlFile) text() []byte { return slices.Concat(f.mark, f.body) }

func (f *tomlFile) get(at path) (value any, ok bool) {
	value, ok = f.values, true
	for _, step := range at {
		fields, _ := value.(map[string]any)
		name, _ := step.(string)
		if value, ok = fields[name]; !ok {
			return nil, false
		}
	}
	return value, ok
}

// span is a part of the text.
type span struct{ from, to int }

// block returns the table that connect wrote, with its comments.
func (f *tomlFile) block() (s span, ok bool) {
	s.from = bytes.Index(f.body, []byte(tomlBegin))
	end := bytes.Index(f.body, []byte(tomlEnd))
	if s.from < 0 || end < s.from {
		return span{}, false
	}
	s.to = f.nextLine(end)
	return s, true
}

func (f *tomlFile) nextLine(at int) int {
	if next := bytes.IndexByte(f.body[at:], '\n'); next >= 0 {
		return at + next + 1
	}
	return len(f.body)
}

// tables returns the tables at a path and below it, and the line of the first value there that has no table of its own.
func (f *tomlFile) tables(at path) (all []span, other int) {
	var parser unstable.Parser
	parser.Reset(f.body)
	var table []any
	within := func(keys []any) bool { return len(keys) >= len(at) && slices.Equal(path(keys[:len(at)]), at) }
	for parser.NextExpression() {
		node := parser.Expression()
		var keys []any
		from := -1
		for each := node.Key(); each.Next(); {
			if keys = append(keys, string(each.Node().Data)); from < 0 {
				from = int(each.Node().Raw.Offset)
			}
		}
		if from < 0 {
			continue
		}
		end := int(node.Raw.Offset + node.Raw.Length)
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			if table = keys; within(table) {
				all = append(all, span{bytes.LastIndexByte(f.body[:from], '\n') + 1, f.nextLine(from)})
			}
		case unstable.KeyValue:
			full := slices.Concat(table, keys)
			inline := len(full) < len(at) && slices.Equal(path(full), at[:len(full)]) && node.Value().Kind == unstable.InlineTable
			switch {
			case within(table):
				all[len(all)-1].to = f.nextLine(end)
			case (within(full) || inline) && other == 0:
				other = lineAt(f.body, from)
			}
		}
	}
	return all, other
}

func (f *tomlFile) foreign(at path) error {
	all, other := f.tables(at)
	block, _ := f.block()
	switch {
	case other > 0:
		return &ShapeError{at.String(), other}
	case len(all) > 0 && (all[0].from < block.from || all[0].from >= block.to):
		return &ForeignError{at.String(), lineAt(f.body, all[0].from)}
	}
	return nil
}

// put writes the block, or a key in it.
func (f *tomlFile) put(at path, value any) error {
	line := newline(f.body)
	if fields, isTable := value.(object); isTable && len(at) == 2 {
		parts := []string{tomlBegin, "[" + at.String() + "]"}
		for _, m := range fields {
			parts = append(parts, tomlLine(m.name, m.value))
		}
		return f.add(strings.Join(append(parts, tomlEnd), line) + line)
	}
	block, ok := f.block()
	if !ok || len(at) != 3 {
		return &ShapeError{At: at.String()}
	}
	name := fmt.Sprint(at[2])
	lines := strings.SplitAfter(string(f.body[block.from:block.to]), "\n")
	i := slices.IndexFunc(lines, func(text string) bool { return strings.HasPrefix(text, name+" =") })
	if i < 0 {
		i = 2 // behind the header
		lines = slices.Insert(lines, i, "")
	}
	lines[i] = tomlLine(name, value) + line
	if err := f.splice(block, strings.Join(lines, "")); err != nil {
		return err
	}
	if is, _ := f.get(at); !same(is, value) { // the line was another table's
		return &ShapeError{At: at.String()}
	}
	return nil
}

func tomlLine(name string, value any) string {
	text, err := toml.Marshal(map[string]any{name: value})
	if err != nil {
		panic(err) // it is a text, a number or a list of those
	}
	return strings.TrimSpace(string(text))
}

// add appends tables, behind a blank line.
func (f *tomlFile) add(tables string) error {
	line, end := newline(f.body), len(f.body)
	if end > 0 {
		tables = line + tables
	}
	if end > 0 && f.body[end-1] != '\n' {
		tables = line + tables
	}
	return f.splice(span{end, end}, tables)
}

func (f *tomlFile) splice(s span, by string) error {
	f.body = slices.Concat(f.body[:s.from], []byte(by), f.body[s.to:])
	return f.parse()
}

// take removes the block, and tables that Codex or the user has put below its table. Comments between tables stay.
func (f *tomlFile) take(at path) error {
	if block, ok := f.block(); ok {
		f.cut(block)
	}
	for {
		all, _ := f.tables(at)
		if len(all) == 0 {
			return f.parse()
		}
		f.cut(all[len(all)-1])
	}
}

// cut removes lines, and a blank line before them if another one or nothing follows.
func (f *tomlFile) cut(s span) {
	line := newline(f.body)
	before, behind := f.body[:s.from], f.body[s.to:]
	if bytes.HasSuffix(before, []byte("\n"+line)) && (len(behind) == 0 || bytes.HasPrefix(behind, []byte(line))) {
		before = bytes.TrimSuffix(before, []byte(line))
	}
	f.body = slices.Concat(before, behind)
}

func (f *tomlFile) restore(at path, from document) error {
	if err := f.take(at); err != nil {
		return err
	}
	source := from.(*tomlFile)
	all, _ := source.tables(at)
	for _, s := range all {
		if err := f.add(string(source.body[s.from:s.to])); err != nil {
			return err
		}
	}
	return nil
}
