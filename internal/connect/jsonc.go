package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tailscale/hujson"
)

// jsonc is JSON with comments and trailing commas (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html). A text
// without any value is an empty object.
type jsonc struct{}

func (jsonc) read(text []byte) (map[string]any, error) {
	if len(bytes.Trim(text, spaces)) == 0 {
		return map[string]any{}, nil
	}
	value, err := parse(bytes.Clone(text)) // what follows blanks comments in it
	if err != nil {
		return nil, err
	}
	value.Standardize()
	var read map[string]any
	var wrong *json.UnmarshalTypeError
	err = json.Unmarshal(value.Pack(), &read)
	if errors.As(err, &wrong) && wrong.Type.Kind() != reflect.Map {
		return nil, &SyntaxError{1, wrong.Error()} // a number that is too large
	}
	if err == nil && read == nil || wrong != nil {
		return nil, &SyntaxError{1, "it is not an object"}
	}
	return read, err
}

var place = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^hujson: line (\d+), column \d+: `)
})

func parse(text []byte) (hujson.Value, error) {
	value, err := hujson.Parse(text)
	if err == nil {
		return value, nil
	}
	wrong := &SyntaxError{1, strings.TrimPrefix(err.Error(), "hujson: ")}
	if found := place().FindStringSubmatch(err.Error()); found != nil {
		wrong.Line, _ = strconv.Atoi(found[1])
		wrong.Reason = strings.TrimPrefix(err.Error(), found[0])
	}
	return value, wrong
}

// set replaces the value at the path, or puts it behind its siblings.
func (jsonc) set(text []byte, at path, value any) ([]byte, error) {
	if len(bytes.Trim(text, spaces)) == 0 {
		text = []byte("{}" + newline(text))
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	w := jsonWriter{newline: newline(text), unit: indentUnit(text, root)}
	here := &root
	for n, step := range at {
		if literal, ok := here.Value.(hujson.Literal); ok && string(literal) == "null" {
			value, at = nested(at[n:], value), nil
			break
		}
		next := child(here, step)
		if next == nil {
			return w.insert(text, *here, step, nested(at[n+1:], value))
		}
		here = next
	}
	w.inline = !bytes.Contains(text, []byte("\n"))
	by := w.value(value, lineIndent(text, here.StartOffset))
	return spliced(text, splice{here.StartOffset, here.EndOffset, by}), nil
}

// nested is a value within what leads to it.
func nested(at path, value any) any {
	for i := len(at) - 1; i >= 0; i-- {
		if name, ok := at[i].(string); ok {
			value = object{{name, value}}
		} else {
			value = []any{value}
		}
	}
	return value
}

// child is what is one step further; nil: nothing is. Of members with the same name the last one counts, as it does for who reads it.
func child(v *hujson.Value, step any) *hujson.Value {
	switch container := v.Value.(type) {
	case *hujson.Object:
		name, _ := step.(string)
		for i := len(container.Members) - 1; i >= 0; i-- {
			if nameOf(container.Members[i]) == name {
				return &container.Members[i].Value
			}
		}
	case *hujson.Array:
		if i, ok := step.(int); ok && i < len(container.Elements) {
			return &container.Elements[i]
		}
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string {
	literal, _ := m.Name.Value.(hujson.Literal)
	return literal.String()
}

// items are what stands in an object or an array: where each begins, with its name, and its value.
func items(v hujson.Value) (all []item, isObject bool) {
	switch container := v.Value.(type) {
	case *hujson.Object:
		for _, m := range container.Members {
			all = append(all, item{m.Name.BeforeExtra, m.Name.StartOffset, m.Value})
		}
		return all, true
	case *hujson.Array:
		for _, e := range container.Elements {
			all = append(all, item{e.BeforeExtra, e.StartOffset, e})
		}
	}
	return all, false
}

type item struct {
	before hujson.Extra // what stands between it and the comma or bracket before it
	start  int
	value  hujson.Value
}

// comma is where the comma behind it stands, if one does.
func (i item) comma() int { return i.value.EndOffset + len(i.value.AfterExtra) }

// insert puts a new member or element behind the others.
func (w jsonWriter) insert(text []byte, into hujson.Value, step, value any) ([]byte, error) {
	all, isObject := items(into)
	name, isKey := step.(string)
	if isObject != isKey {
		return nil, &ShapeError{fmt.Sprint(step)}
	}
	shut := into.EndOffset - 1
	outer := lineIndent(text, into.StartOffset)
	inner := outer + w.unit
	w.inline = !bytes.Contains(text[into.StartOffset:shut], []byte("\n")) &&
		(len(all) > 0 || len(text) > into.EndOffset-into.StartOffset+2 && !bytes.Contains(bytes.TrimSpace(text), []byte("\n")))
	for _, i := range all {
		if at := bytes.LastIndexByte(i.before, '\n'); at >= 0 {
			inner = lineIndent(text, i.start)
		}
	}
	new := w.value(value, inner)
	if isKey {
		new = w.name(name) + new
	}
	if len(all) == 0 {
		end := trimmedEnd(text, into.StartOffset+1, shut) // comments may stand there
		if w.inline {
			return spliced(text, splice{end, end, new}), nil
		}
		new = w.newline + inner + new
		if !bytes.Contains(text[end:shut], []byte("\n")) {
			return spliced(text, splice{end, shut, new + w.newline + outer}), nil
		}
		return spliced(text, splice{end, end, new}), nil
	}
	last := all[len(all)-1]
	from, comma := last.value.EndOffset, []splice{{last.value.EndOffset, last.value.EndOffset, ","}}
	if last.value.AfterExtra != nil { // there is one
		from, comma = last.comma()+1, nil
	}
	end := trimmedEnd(text, from, shut)
	switch {
	case !w.inline:
		new = w.newline + inner + new
	case !w.dense(all, isObject):
		new = " " + new
	}
	if comma == nil {
		new += ","
	}
	return spliced(text, append(comma, splice{end, end, new})...), nil
}

// dense tells whether no space is put behind commas.
func (w jsonWriter) dense(all []item, isObject bool) bool {
	if len(all) > 1 {
		return len(all[len(all)-1].before) == 0
	}
	return isObject && len(all[0].value.BeforeExtra) == 0
}

// remove takes a member or an element away, with its comma. Comments around it stay.
func (jsonc) remove(text []byte, at path) ([]byte, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	holder := &root
	for _, step := range at[:len(at)-1] {
		if holder = child(holder, step); holder == nil {
			return text, nil
		}
	}
	gone := child(holder, at[len(at)-1])
	if gone == nil {
		return text, nil
	}
	all, _ := items(*holder)
	index := 0
	for i := range all {
		if all[i].value.StartOffset == gone.StartOffset {
			index = i
		}
	}
	this := all[index]
	last := index == len(all)-1
	from := this.start - len(this.before)
	kept := trimmedEnd(text, from, this.start)
	end := this.value.EndOffset
	var after splice // the comma behind it
	if !last || this.value.AfterExtra != nil {
		if len(bytes.TrimSpace(this.value.AfterExtra)) == 0 {
			end = this.comma() + 1
		} else {
			after = splice{this.comma(), this.comma() + 1, ""}
		}
	}
	if kept > from && !bytes.HasPrefix(bytes.TrimLeft(text[end:], " \t\r"), []byte("\n")) {
		kept = this.start // a comment before it may go to the end of its line
	}
	var all2 []splice
	if last && this.value.AfterExtra == nil && index > 0 {
		before := all[index-1].comma()
		all2 = append(all2, splice{before, before + 1, ""})
	}
	all2 = append(all2, splice{kept, end, ""})
	if after != (splice{}) {
		all2 = append(all2, after)
	}
	if open, shut := holder.StartOffset+1, holder.EndOffset-1; len(all) == 1 && after == (splice{}) &&
		len(bytes.TrimSpace(text[open:kept])) == 0 && len(bytes.TrimSpace(text[end:shut])) == 0 {
		all2 = []splice{{open, shut, ""}}
	}
	return spliced(text, all2...), nil
}

// indentUnit is one step of indentation.
func indentUnit(text []byte, root hujson.Value) string {
	all, _ := items(root)
	for _, i := range all {
		if bytes.IndexByte(i.before, '\n') >= 0 {
			if indent := lineIndent(text, i.start); indent != "" {
				return indent
			}
		}
	}
	return "  "
}

// jsonWriter writes values.
type jsonWriter struct {
	newline, unit string
	inline        bool
}

func (w jsonWriter) name(name string) string { return w.scalar(name) + ": " }

func (jsonWriter) scalar(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // it is a string, a number or a bool
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// value writes a value that begins on a line with an indentation.
func (w jsonWriter) value(value any, indent string) string {
	var parts []string
	open, shut := "[", "]"
	flat := w.inline
	switch value := value.(type) {
	case object:
		open, shut = "{", "}"
		for _, m := range value {
			parts = append(parts, w.name(m.name)+w.value(m.value, indent+w.unit))
		}
	case []any:
		simple := true
		for _, each := range value {
			switch each.(type) {
			case object, []any:
				simple = false
			}
			parts = append(parts, w.value(each, indent+w.unit))
		}
		flat = flat || simple
	default:
		return w.scalar(value)
	}
	switch {
	case len(parts) == 0:
		return open + shut
	case flat:
		return open + strings.Join(parts, ", ") + shut
	}
	line := w.newline + indent
	return open + line + w.unit + strings.Join(parts, ","+line+w.unit) + line + shut
}
