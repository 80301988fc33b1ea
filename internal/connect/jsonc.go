package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// readJSON reads JSON with comments and trailing commas (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html). A text without
// any value is an empty object.
func readJSON(text []byte) (root hujson.Value, err error) {
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		text = []byte("{}" + newline(text))
	}
	root, err = hujson.Parse(bytes.Clone(text))
	if err != nil {
		wrong := &SyntaxError{1, 1, strings.TrimPrefix(err.Error(), "hujson: ")}
		if _, err := fmt.Sscanf(wrong.Reason, "line %d, column %d: ", &wrong.Line, &wrong.Column); err == nil {
			_, wrong.Reason, _ = strings.Cut(wrong.Reason, ": ")
		}
		return root, wrong
	}
	if root.Value.Kind() != '{' {
		return root, &SyntaxError{1, 1, "it is not an object"}
	}
	return root, nil
}

func parseJSON(text []byte) (object, error) {
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	return meaning(root).(object), nil
}

// meaning returns the value of a syntax tree. Of members with the same name the last one counts, as for agents.
func meaning(v hujson.Value) any {
	switch v := v.Value.(type) {
	case *hujson.Object:
		fields := object{}
		for _, each := range childrenOf(v) {
			fields[each.name] = meaning(*each.value)
		}
		return fields
	case *hujson.Array:
		elements := []any{}
		for _, each := range v.Elements {
			elements = append(elements, meaning(each))
		}
		return elements
	case hujson.Literal:
		switch number, err := strconv.ParseInt(string(v), 10, 64); {
		case err == nil:
			return number
		case v.Kind() == '"':
			return v.String()
		case v.Kind() == '0':
			return v.Float()
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

// jsonLayout is how a text is laid out.
type jsonLayout struct {
	newline string
	unit    string // one step of indentation
	flat    bool   // the text is one line
	root    *hujson.Value
}

func editJSON(text []byte, want object) ([]byte, error) {
	root, err := readJSON(text)
	if err != nil || same(meaning(root), any(want)) {
		return text, err
	}
	layout := jsonLayout{newline(text), "  ", !bytes.Contains(bytes.TrimSpace(text), []byte("\n")), &root}
	for _, each := range slices.Backward(childrenOf(root.Value)) {
		if indent, ok := indentOf(*each.before); ok && indent != "" {
			layout.unit = indent
		}
	}
	indent, _ := indentOf(root.BeforeExtra)
	layout.edit(&root, want, indent)
	if !same(meaning(root), any(want)) {
		return nil, errors.New("it cannot be changed")
	}
	return root.Pack(), nil
}

// child is a member of an object, or an element of an array. before leads to it from the comma or bracket before it.
type child struct {
	name   string
	before *hujson.Extra
	value  *hujson.Value
}

func childrenOf(v hujson.ValueTrimmed) (all []child) {
	switch composite := v.(type) {
	case *hujson.Object:
		for i := range composite.Members {
			m := &composite.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			all = append(all, child{name.String(), &m.Name.BeforeExtra, &m.Value})
		}
	case *hujson.Array:
		for i := range composite.Elements {
			e := &composite.Elements[i]
			all = append(all, child{"", &e.BeforeExtra, e})
		}
	}
	return all
}

// end returns what stands before the closing bracket.
func end(v *hujson.Value) *hujson.Extra {
	if composite, ok := v.Value.(*hujson.Object); ok {
		return &composite.AfterExtra
	}
	return &v.Value.(*hujson.Array).AfterExtra
}

// indentOf returns the indentation of what follows on a new line.
func indentOf(before hujson.Extra) (indent string, ok bool) {
	at := bytes.LastIndexByte(before, '\n')
	line := before[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), at >= 0
}

// edit changes a value, in a line with an indentation, to what is wanted. What is so already stays as it is.
func (l jsonLayout) edit(v *hujson.Value, want any, indent string) {
	fields, isObject := want.(object)
	elements, isList := want.([]any)
	kind := v.Value.Kind()
	switch {
	case same(meaning(*v), want):
	case isObject && kind == '{':
		seen := map[string]bool{}
		for i, each := range slices.Backward(childrenOf(v.Value)) {
			if value, ok := fields[each.name]; !ok {
				remove(v, i)
			} else if !seen[each.name] {
				l.editChild(each, value, indent)
			}
			seen[each.name] = true
		}
		for _, name := range names(fields) {
			if !seen[name] {
				l.add(v, name, fields[name], indent)
			}
		}
	case isList && kind == '[':
		there := childrenOf(v.Value)
		for ; len(there) > len(elements); there = childrenOf(v.Value) {
			i := 0
			for i < len(elements) && same(meaning(*there[i].value), elements[i]) {
				i++
			}
			remove(v, i)
		}
		for i, each := range there {
			l.editChild(each, elements[i], indent)
		}
		for _, each := range elements[len(there):] {
			l.add(v, "", each, indent)
		}
	default:
		v.Value = l.value(want, indent, l.flat)
	}
}

func (l jsonLayout) editChild(c child, want any, indent string) {
	if own, ok := indentOf(*c.before); ok {
		indent = own
	}
	l.edit(c.value, want, indent)
}

// add appends a child to a value, laid out as the children that are there.
func (l jsonLayout) add(v *hujson.Value, name string, value any, indent string) {
	there, after := childrenOf(v.Value), end(v)
	inline := !bytes.Contains(hujson.Value{Value: v.Value}.Pack(), []byte("\n")) && (len(there) > 0 || l.flat && v != l.root)
	inner := indent + l.unit
	for _, each := range there {
		if own, ok := indentOf(*each.before); ok {
			inner = own
		}
	}
	kept := bytes.TrimSpace(*after) // a comment, which stays before what is added
	kept = (*after)[:bytes.Index(*after, kept)+len(kept)]
	rest := (*after)[len(kept):]
	if !inline && len(there) == 0 && !bytes.Contains(rest, []byte("\n")) {
		rest = hujson.Extra(l.newline + indent)
	}
	before := hujson.Extra(l.newline + inner)
	switch {
	case inline && (len(there) == 0 || dense(there)):
		before = nil
	case inline:
		before = hujson.Extra(" ")
	}
	before = slices.Concat(hujson.Extra(kept), before)
	*after = rest
	added := hujson.Value{Value: l.value(value, inner, inline)}
	if n := len(there); n > 0 && there[n-1].value.AfterExtra != nil {
		added.AfterExtra = hujson.Extra{} // a comma behind it, too
	}
	switch composite := v.Value.(type) {
	case *hujson.Object:
		added.BeforeExtra = hujson.Extra(" ")
		composite.Members = append(composite.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: added})
	case *hujson.Array:
		added.BeforeExtra = before
		composite.Elements = append(composite.Elements, added)
	}
}

// dense reports whether no space follows the commas between children.
func dense(all []child) bool {
	if len(all) > 1 {
		return len(*all[len(all)-1].before) == 0
	}
	return all[0].name != "" && len(all[0].value.BeforeExtra) == 0
}

// remove removes a child of a value. Comments around it stay.
func remove(v *hujson.Value, i int) {
	all := childrenOf(v.Value)
	gone, last, follows := all[i], i == len(all)-1, end(v)
	if !last {
		follows = all[i+1].before
	}
	before, behind := *gone.before, slices.Concat(gone.value.AfterExtra, *follows)
	// A comment that goes to the end of its line needs that end.
	if trimmed := bytes.TrimRight(before, " \t\r\n"); len(trimmed) == 0 || bytes.HasPrefix(bytes.TrimLeft(behind, " \t\r"), []byte("\n")) {
		before = trimmed
	}
	if last && i > 0 {
		previous := all[i-1].value
		switch {
		case gone.value.AfterExtra == nil: // the comma goes, and what stands before it stays
			before = slices.Concat(previous.AfterExtra, before)
			previous.AfterExtra = nil
		case previous.AfterExtra == nil:
			previous.AfterExtra = hujson.Extra{}
		}
	}
	*follows = slices.Concat(before, behind)
	if len(all) == 1 && len(bytes.TrimSpace(*follows)) == 0 {
		*follows = nil
	}
	switch composite := v.Value.(type) {
	case *hujson.Object:
		composite.Members = slices.Delete(composite.Members, i, i+1)
	case *hujson.Array:
		composite.Elements = slices.Delete(composite.Elements, i, i+1)
	}
}

// value returns a new value that begins in a line with an indentation.
func (l jsonLayout) value(value any, indent string, inline bool) hujson.ValueTrimmed {
	v, err := hujson.Parse([]byte(l.write(value, indent, inline)))
	if err != nil {
		panic(err) // the text is ours
	}
	return v.Value
}

// write returns the text of a value. Lists of texts and numbers take one line.
func (l jsonLayout) write(value any, indent string, inline bool) string {
	var parts []string
	brackets := "[]"
	switch value := value.(type) {
	case object:
		brackets = "{}"
		for _, name := range names(value) {
			parts = append(parts, string(hujson.String(name))+": "+l.write(value[name], indent+l.unit, inline))
		}
	case []any:
		inline = inline || !slices.ContainsFunc(value, isComposite)
		for _, each := range value {
			parts = append(parts, l.write(each, indent+l.unit, inline))
		}
	case string:
		return string(hujson.String(value)) // unlike that of encoding/json, it has & and < as they are
	default:
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // it is a number, a boolean or null
		}
		return string(text)
	}
	if inline || len(parts) == 0 {
		return brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
	}
	line := l.newline + indent
	return brackets[:1] + line + l.unit + strings.Join(parts, ","+line+l.unit) + line + brackets[1:]
}

func isComposite(value any) bool {
	_, isList := value.([]any)
	_, isObject := value.(object)
	return isList || isObject
}
