package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tailscale/hujson"
)

// readJSON parses JSON with comments and trailing commas (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html). A
// text without a value is an empty object.
func readJSON(text []byte) (root hujson.Value, err error) {
	if len(bytes.Trim(text, blanks)) == 0 {
		text = []byte("{}" + newline(text))
	}
	root, err = hujson.Parse(bytes.Clone(text))
	if err != nil {
		wrong := &syntaxError{1, 1, strings.TrimPrefix(err.Error(), "hujson: ")}
		if _, err := fmt.Sscanf(wrong.reason, "line %d, column %d: ", &wrong.line, &wrong.column); err == nil {
			_, wrong.reason, _ = strings.Cut(wrong.reason, ": ")
		}
		return root, wrong
	}
	if root.Value.Kind() != '{' {
		return root, &syntaxError{1, 1, "the file is not an object"}
	}
	return root, nil
}

const blanks = " \t\r\n"

func parseJSON(text []byte) (object, error) {
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	return meaning(root.Value).(object), nil
}

// meaning returns the value of a syntax tree. The last of several members with the same name counts, as for agents.
func meaning(v hujson.ValueTrimmed) any {
	switch v := v.(type) {
	case *hujson.Object:
		fields := object{}
		for _, each := range childrenOf(v) {
			fields[each.name] = meaning(each.value.Value)
		}
		return fields
	case *hujson.Array:
		elements := []any{}
		for _, each := range v.Elements {
			elements = append(elements, meaning(each.Value))
		}
		return elements
	case hujson.Literal:
		switch number, err := strconv.ParseInt(string(v), 10, 64); {
		case err == nil:
			return number
		case v.Kind() == '"':
			return v.String()
		case v.Kind() == '0':
			return json.Number(v)
		case v.Kind() != 'n':
			return v.Bool()
		}
	}
	return nil
}

func lineInJSON(text []byte, at path) int {
	root, err := readJSON(text)
	if found := root.Find("/" + strings.Join(at, "/")); err == nil && found != nil {
		return lineAt(text, found.StartOffset)
	}
	return 0
}

// jsonEditor changes a text step by step, one member or element each.
type jsonEditor struct {
	text    []byte
	newline string
	unit    string // one level of indentation
	flat    bool   // the text is one line
	root    int    // the offset of the outermost object
}

func editJSON(d document) ([]byte, error) {
	for text := d.body; ; {
		root, err := readJSON(text)
		if err != nil || same(meaning(root.Value), d.values) {
			return text, err
		}
		e := jsonEditor{root.Pack(), newline(text), "  ", !bytes.Contains(bytes.TrimSpace(text), []byte("\n")), root.StartOffset}
		for _, each := range slices.Backward(childrenOf(root.Value)) {
			if indent, ok := indentOf(each.before); ok && indent != "" {
				e.unit = indent
			}
		}
		indent, _ := indentOf(root.BeforeExtra)
		edited, err := udiff.Apply(string(e.text), e.step(root, d.values, indent))
		if err != nil {
			return nil, err
		}
		text = []byte(edited)
	}
}

// child is a member of an object, or an element of an array.
type child struct {
	name   string
	before hujson.Extra // after the previous comma or bracket
	from   int
	value  hujson.Value
}

func childrenOf(v hujson.ValueTrimmed) (all []child) {
	switch composite := v.(type) {
	case *hujson.Object:
		for _, m := range composite.Members {
			all = append(all, child{m.Name.Value.(hujson.Literal).String(), m.Name.BeforeExtra, m.Name.StartOffset, m.Value})
		}
	case *hujson.Array:
		for _, e := range composite.Elements {
			all = append(all, child{"", e.BeforeExtra, e.StartOffset, e})
		}
	}
	return all
}

// comma returns the offset of the comma after a child that has one.
func (c child) comma() int { return c.value.EndOffset + len(c.value.AfterExtra) }

// indentOf returns the indentation of a child that starts on a new line.
func indentOf(before []byte) (indent string, ok bool) {
	at := bytes.LastIndexByte(before, '\n')
	line := before[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), at >= 0
}

// step returns the edits of one change that brings a value closer to the wanted one. indent is the indentation of its line.
func (e jsonEditor) step(v hujson.Value, want any, indent string) []udiff.Edit {
	fields, isObject := want.(object)
	elements, isList := want.([]any)
	all, kind := childrenOf(v.Value), v.Value.Kind()
	into := func(c child, want any) []udiff.Edit {
		if own, ok := indentOf(c.before); ok {
			indent = own
		}
		return e.step(c.value, want, indent)
	}
	switch {
	case isObject && kind == '{':
		seen := map[string]bool{}
		for i, each := range slices.Backward(all) {
			value, ok := fields[each.name]
			if !ok {
				return e.remove(v, all, i)
			}
			if !seen[each.name] && !same(meaning(each.value.Value), value) {
				return into(each, value)
			}
			seen[each.name] = true
		}
		for _, name := range names(fields) {
			if !seen[name] {
				return e.add(v, all, string(hujson.String(name))+": ", fields[name], indent)
			}
		}
	case isList && kind == '[':
		for i, each := range all {
			switch {
			case i < len(elements) && same(meaning(each.value.Value), elements[i]):
			case len(all) > len(elements):
				return e.remove(v, all, i)
			default:
				return into(each, elements[i])
			}
		}
		return e.add(v, all, "", elements[len(all)], indent)
	}
	return []udiff.Edit{{Start: v.StartOffset, End: v.EndOffset, New: e.write(want, indent, e.flat)}}
}

// add appends a child to a value, formatted like the existing children.
func (e jsonEditor) add(v hujson.Value, all []child, name string, value any, indent string) (edits []udiff.Edit) {
	end := v.EndOffset - 1
	at := len(bytes.TrimRight(e.text[:end], blanks)) // after a comment, if there is one
	inline := !bytes.Contains(e.text[v.StartOffset:end], []byte("\n")) && (len(all) > 0 || e.flat && v.StartOffset > e.root)
	inner, before, after := indent+e.unit, "", ""
	for _, each := range all {
		if own, ok := indentOf(each.before); ok {
			inner = own
		}
	}
	switch n := len(all); {
	case n == 0 && bytes.Contains(e.text[at:end], []byte("\n")):
		end = at
	case n == 0 && !inline:
		after = e.newline + indent
	case n > 0:
		end = at
		last := all[n-1]
		if before = " "; n == 1 && name != "" && len(last.value.BeforeExtra) == 0 || n > 1 && len(last.before) == 0 {
			before = ""
		}
		if last.value.AfterExtra != nil {
			after = "," // as after the last child
		} else {
			edits = []udiff.Edit{{Start: last.comma(), End: last.comma(), New: ","}}
		}
	}
	if !inline {
		before = e.newline + inner
	}
	return append(edits, udiff.Edit{Start: at, End: end, New: before + name + e.write(value, inner, inline) + after})
}

// remove removes a child of a value, and keeps the comments around it.
func (e jsonEditor) remove(v hujson.Value, all []child, i int) []udiff.Edit {
	c, from := all[i], len(bytes.TrimRight(e.text[:all[i].from], blanks))
	before, behind := bytes.Trim(c.before, blanks), e.text[c.value.EndOffset:]
	comma := -1
	switch {
	case i < len(all)-1 || c.value.AfterExtra != nil:
		comma, behind = c.comma(), slices.Concat(c.value.AfterExtra, e.text[c.comma()+1:])
	case i > 0:
		comma = all[i-1].comma()
	}
	rest := v.EndOffset - 1
	if at := len(e.text) - len(behind); len(all) == 1 && len(before) == 0 && len(bytes.Trim(e.text[at:rest], blanks)) == 0 {
		return []udiff.Edit{{Start: v.StartOffset + 1, End: rest}}
	}
	// A line comment needs its line end.
	if len(before) > 0 && !bytes.HasPrefix(bytes.TrimLeft(behind, " \t\r"), []byte("\n")) {
		from = c.from
	}
	edits := []udiff.Edit{{Start: from, End: c.value.EndOffset}}
	if comma >= 0 {
		edits = append(edits, udiff.Edit{Start: comma, End: comma + 1})
	}
	return edits
}

// write returns the text of a value. Lists of strings and numbers take one line.
func (e jsonEditor) write(value any, indent string, inline bool) string {
	var parts []string
	brackets := "[]"
	switch value := value.(type) {
	case object:
		brackets = "{}"
		for _, name := range names(value) {
			parts = append(parts, string(hujson.String(name))+": "+e.write(value[name], indent+e.unit, inline))
		}
	case []any:
		inline = inline || !slices.ContainsFunc(value, isComposite)
		for _, each := range value {
			parts = append(parts, e.write(each, indent+e.unit, inline))
		}
	case string:
		return string(hujson.String(value)) // unlike encoding/json, it does not escape & and <
	default:
		return text(value)
	}
	if inline || len(parts) == 0 {
		return brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
	}
	line := e.newline + indent
	return brackets[:1] + line + e.unit + strings.Join(parts, ","+line+e.unit) + line + brackets[1:]
}

func isComposite(value any) bool {
	_, isList := value.([]any)
	_, isObject := value.(object)
	return isList || isObject
}
