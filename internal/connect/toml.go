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

// tomlText is TOML 1.0 (https://toml.io/en/v1.0.0). It sets and removes tables and their keys; there is no path into an array.
type tomlText struct{}

func (tomlText) read(text []byte) (map[string]any, error) {
	read := map[string]any{}
	err := toml.Unmarshal(text, &read)
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return nil, &SyntaxError{line, strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	if err != nil {
		return nil, err
	}
	values, _ := asRead(read).(map[string]any)
	return values, nil
}

// asRead gives whole numbers as those of JSON are given.
func asRead(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, each := range value {
			value[key] = asRead(each)
		}
	case []any:
		for i, each := range value {
			value[i] = asRead(each)
		}
	case int64:
		return float64(value)
	case float64:
		if math.IsNaN(value) {
			return "nan" // which equals itself
		}
	}
	return value
}

// expression is one of a text: a key with its value, or a table's header.
type expression struct {
	header   bool
	keys     []string // from the root
	from, to int      // its bytes; a header's without what follows its brackets
	value    int      // where a value begins
	within   []span   // the keys of an inline table, with their values
	names    [][]string
	inline   bool
}

// span is where something stands.
type span struct{ from, to int }

// expressions are those of a text, in order.
func expressions(text []byte) (all []expression, err error) {
	var parser unstable.Parser
	parser.Reset(text)
	var table []string
	for parser.NextExpression() {
		node := parser.Expression()
		keys, first, last := keysOf(node)
		found := expression{keys: keys}
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = keys
			found.header = true
			found.from = bytes.LastIndexByte(text[:first], '\n') + 1
			found.to = last + bytes.IndexByte(text[last:], ']') + 1
			if node.Kind == unstable.ArrayTable {
				found.to++
			}
		case unstable.KeyValue:
			found.keys = append(slices.Clone(table), keys...)
			found.from = int(node.Raw.Offset)
			found.to = found.from + int(node.Raw.Length)
			found.value = last + bytes.IndexByte(text[last:], '=') + 1
			found.value += len(text[found.value:]) - len(bytes.TrimLeft(text[found.value:], " \t"))
			if found.inline = node.Value().Kind == unstable.InlineTable; found.inline {
				pairs := node.Value().Children()
				for pairs.Next() {
					pair := pairs.Node()
					names, _, _ := keysOf(pair)
					found.names = append(found.names, names)
					found.within = append(found.within, span{int(pair.Raw.Offset), int(pair.Raw.Offset + pair.Raw.Length)})
				}
			}
		default:
			continue
		}
		all = append(all, found)
	}
	return all, parser.Error()
}

// keysOf are the keys of an expression, and where they begin and end.
func keysOf(node *unstable.Node) (keys []string, first, last int) {
	first = -1
	for each := node.Key(); each.Next(); {
		raw := each.Node().Raw
		keys = append(keys, string(each.Node().Data))
		if first < 0 {
			first = int(raw.Offset)
		}
		last = int(raw.Offset + raw.Length)
	}
	return keys, first, last
}

// endOfLine is where the line ends in which a place is, before the line's end.
func endOfLine(text []byte, at int) int {
	end := len(text)
	if next := bytes.IndexByte(text[at:], '\n'); next >= 0 {
		end = at + next
	}
	if end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

// nextLine is where the line after the one begins in which a place is.
func nextLine(text []byte, at int) int {
	if next := bytes.IndexByte(text[at:], '\n'); next >= 0 {
		return at + next + 1
	}
	return len(text)
}

func names(at path) (keys []string) {
	for _, step := range at {
		keys = append(keys, fmt.Sprint(step))
	}
	return keys
}

func hasPrefix(keys, prefix []string) bool {
	return len(keys) >= len(prefix) && slices.Equal(keys[:len(prefix)], prefix)
}

// set replaces the value of a key, puts a key behind the others of its table, or a table behind everything.
func (tomlText) set(text []byte, at path, value any) ([]byte, error) {
	all, err := expressions(text)
	if err != nil {
		return nil, err
	}
	keys := names(at)
	end := -1 // of the table's last line
	for _, e := range all {
		switch {
		case !e.header && slices.Equal(e.keys, keys):
			return spliced(text, splice{e.value, e.to, tomlValue(value)}), nil
		case !e.header && e.inline && len(e.keys) < len(keys) && hasPrefix(keys, e.keys):
			return intoInline(text, e, keys[len(e.keys):], value), nil
		case slices.Equal(e.keys, keys[:len(keys)-1]) && e.header, end >= 0 && !e.header && hasPrefix(e.keys, keys[:len(keys)-1]):
			end = endOfLine(text, e.to)
		case e.header && end >= 0:
			return spliced(text, splice{end, end, newline(text) + tomlKey(keys[len(keys)-1]) + " = " + tomlValue(value)}), nil
		}
	}
	if end >= 0 {
		return spliced(text, splice{end, end, newline(text) + tomlKey(keys[len(keys)-1]) + " = " + tomlValue(value)}), nil
	}
	fields, ok := value.(object)
	if !ok {
		return nil, &ShapeError{at.String()}
	}
	line := newline(text)
	var out strings.Builder
	if len(text) > 0 {
		if text[len(text)-1] != '\n' {
			out.WriteString(line)
		}
		out.WriteString(line)
	}
	out.WriteString("[")
	for i, key := range keys {
		if i > 0 {
			out.WriteString(".")
		}
		out.WriteString(tomlKey(key))
	}
	out.WriteString("]" + line)
	for _, m := range fields {
		out.WriteString(tomlKey(m.name) + " = " + tomlValue(m.value) + line)
	}
	return append(text, out.String()...), nil
}

// intoInline puts a value into a table that is written in one line.
func intoInline(text []byte, e expression, keys []string, value any) []byte {
	for i, name := range e.names {
		if slices.Equal(name, keys) {
			pair := text[e.within[i].from:e.within[i].to]
			from := e.within[i].from + bytes.IndexByte(pair, '=') + 1
			return spliced(text, splice{from, e.within[i].to, " " + tomlValue(value)})
		}
	}
	dotted := make([]string, len(keys))
	for i, key := range keys {
		dotted[i] = tomlKey(key)
	}
	pair := strings.Join(dotted, ".") + " = " + tomlValue(value)
	if len(e.within) == 0 {
		return spliced(text, splice{e.value, e.to, "{ " + pair + " }"})
	}
	end := e.within[len(e.within)-1].to
	return spliced(text, splice{end, end, ", " + pair})
}

// remove takes a table with all that is in it away, or a key with its value. Comments between tables stay.
func (tomlText) remove(text []byte, at path) ([]byte, error) {
	all, err := expressions(text)
	if err != nil {
		return nil, err
	}
	keys := names(at)
	var gone []splice
	for i := 0; i < len(all); i++ {
		e := all[i]
		switch {
		case e.header && hasPrefix(e.keys, keys):
			end := e.to
			for i+1 < len(all) && (!all[i+1].header || hasPrefix(all[i+1].keys, keys)) {
				i++
				end = all[i].to
			}
			gone = append(gone, withBlankLine(text, e.from, nextLine(text, end)))
		case !e.header && hasPrefix(e.keys, keys):
			gone = append(gone, splice{bytes.LastIndexByte(text[:e.from], '\n') + 1, nextLine(text, e.to), ""})
		case !e.header && e.inline && len(e.keys) < len(keys) && hasPrefix(keys, e.keys):
			for n, name := range e.names {
				if !hasPrefix(name, keys[len(e.keys):]) {
					continue
				}
				s := splice{from: e.within[n].from, to: e.within[n].to}
				switch {
				case n > 0:
					s.from = e.within[n-1].to
				case n+1 < len(e.within):
					s.to = e.within[n+1].from
				}
				gone = append(gone, s)
			}
		}
	}
	return spliced(text, gone...), nil
}

// withBlankLine removes a blank line before what is removed, too, where another one or nothing follows.
func withBlankLine(text []byte, from, to int) splice {
	rest := text[to:]
	before := text[:from]
	for _, blank := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(before, []byte("\n"+blank)) && (len(rest) == 0 || bytes.HasPrefix(rest, []byte(blank))) {
			return splice{from - len(blank), to, ""}
		}
	}
	return splice{from, to, ""}
}

// tomlKey writes a key, bare where that can be.
func tomlKey(key string) string {
	bare := key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
	if bare {
		return key
	}
	return tomlValue(key)
}

// tomlValue writes a value in one line.
func tomlValue(value any) string {
	switch value := value.(type) {
	case object:
		var pairs []string
		for _, m := range value {
			pairs = append(pairs, tomlKey(m.name)+" = "+tomlValue(m.value))
		}
		if len(pairs) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(pairs, ", ") + " }"
	case []any:
		var elements []string
		for _, each := range value {
			elements = append(elements, tomlValue(each))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case string:
		if !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\'' }) && strings.Contains(value, `\`) {
			return "'" + value + "'" // a path of Windows
		}
		return jsonWriter{}.scalar(strings.ReplaceAll(value, "\x7f", "")) // its escapes are TOML's
	}
	return fmt.Sprint(value)
}
