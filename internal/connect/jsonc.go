package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tailscale/hujson"
)

// jsonFile is JSON with comments and trailing commas (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html). A text without
// any value is an empty object.
type jsonFile struct {
	mark, blank []byte // blank is such a text
	root        hujson.Value
	newline     string
	unit        string // one step of indentation
	flat        bool   // the text is one line
}

var hujsonLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^hujson: line (\d+), column \d+: `)
})

func parseJSON(text []byte) (document, error) {
	mark, body := cutMark(text)
	f := &jsonFile{mark: mark, newline: newline(body), unit: "  ", flat: !bytes.Contains(bytes.TrimSpace(body), []byte("\n"))}
	if isBlank(body) {
		f.blank, body = body, []byte("{}"+f.newline)
	}
	var err error
	if f.root, err = hujson.Parse(bytes.Clone(body)); err != nil {
		wrong := &SyntaxError{1, strings.TrimPrefix(err.Error(), "hujson: ")}
		if found := hujsonLine().FindStringSubmatch(err.Error()); found != nil {
			wrong.Line, _ = strconv.Atoi(found[1])
			wrong.Reason = strings.TrimPrefix(err.Error(), found[0])
		}
		return nil, wrong
	}
	root := containerOf(&f.root)
	if !root.isObject {
		return nil, &SyntaxError{1, "it is not an object"}
	}
	for _, i := range slices.Backward(root.items) {
		if indent, ok := indentOf(*i.before); ok && indent != "" {
			f.unit = indent
		}
	}
	return f, nil
}

func (f *jsonFile) text() []byte {
	if f.blank != nil && len(containerOf(&f.root).items) == 0 {
		return slices.Concat(f.mark, f.blank)
	}
	return slices.Concat(f.mark, f.root.Pack())
}

func (f *jsonFile) foreign(path) error { return nil }

// container is an object or an array.
type container struct {
	isObject bool
	items    []item
	after    *hujson.Extra // before its closing bracket
}

// item is a member or an element. before leads to it from the comma or bracket before it.
type item struct {
	name   string
	before *hujson.Extra
	value  *hujson.Value
}

func containerOf(v *hujson.Value) (c container) {
	switch composite := v.Value.(type) {
	case *hujson.Object:
		c.isObject, c.after = true, &composite.AfterExtra
		for i := range composite.Members {
			m := &composite.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			c.items = append(c.items, item{name.String(), &m.Name.BeforeExtra, &m.Value})
		}
	case *hujson.Array:
		c.after = &composite.AfterExtra
		for i := range composite.Elements {
			e := &composite.Elements[i]
			c.items = append(c.items, item{"", &e.BeforeExtra, e})
		}
	}
	return c
}

// find returns the place of a child, or -1. Of members with the same name the last one counts, as for agents.
func (c container) find(step any) int {
	if i, isIndex := step.(int); isIndex {
		if c.isObject || i >= len(c.items) {
			return -1
		}
		return i
	}
	for i, each := range slices.Backward(c.items) {
		if c.isObject && each.name == step {
			return i
		}
	}
	return -1
}

// indentOf returns the indentation of what follows on a new line.
func indentOf(before hujson.Extra) (indent string, ok bool) {
	at := bytes.LastIndexByte(before, '\n')
	if at < 0 {
		return "", false
	}
	line := before[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), true
}

// walk follows a path as far as it leads. It returns the last value, the indentation of its line, and the steps that are left.
func (f *jsonFile) walk(at path) (here *hujson.Value, indent string, left path) {
	here = &f.root
	indent, _ = indentOf(here.BeforeExtra)
	for n, step := range at {
		c := containerOf(here)
		i := c.find(step)
		if i < 0 {
			return here, indent, at[n:]
		}
		if own, ok := indentOf(*c.items[i].before); ok {
			indent = own
		}
		here = c.items[i].value
	}
	return here, indent, nil
}

func (f *jsonFile) get(at path) (value any, ok bool) {
	found, _, left := f.walk(at)
	if len(left) > 0 {
		return nil, false
	}
	standard := hujson.Value{Value: found.Value}.Clone()
	standard.Standardize()
	return value, json.Unmarshal(standard.Pack(), &value) == nil
}

func (f *jsonFile) put(at path, value any) error {
	here, indent, left := f.walk(at)
	literal, isLiteral := here.Value.(hujson.Literal)
	if len(left) == 0 || isLiteral && string(literal) == "null" {
		return f.replace(here, value, left, indent, f.flat)
	}
	c, step := containerOf(here), left[0]
	name, isKey := step.(string)
	if isLiteral || isKey != c.isObject {
		return &ShapeError{At: at[:len(at)-len(left)].String()}
	}
	var added hujson.Value
	inner, inline := f.layout(*here, indent)
	if err := f.replace(&added, value, left[1:], inner, inline); err != nil {
		return err
	}
	kept := bytes.TrimSpace(*c.after) // a comment, which stays before what is added
	kept = (*c.after)[:bytes.Index(*c.after, kept)+len(kept)]
	rest := (*c.after)[len(kept):]
	if !inline && len(c.items) == 0 && !bytes.Contains(rest, []byte("\n")) {
		rest = hujson.Extra(f.newline + indent)
	}
	before := hujson.Extra(f.newline + inner)
	switch {
	case inline && (len(c.items) == 0 || c.dense()):
		before = nil
	case inline:
		before = hujson.Extra(" ")
	}
	before = slices.Concat(hujson.Extra(kept), before)
	*c.after = rest
	if n := len(c.items); n > 0 && c.items[n-1].value.AfterExtra != nil {
		added.AfterExtra = hujson.Extra{} // a comma behind it, too
	}
	switch composite := here.Value.(type) {
	case *hujson.Object:
		member := hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: added}
		member.Value.BeforeExtra = hujson.Extra(" ")
		composite.Members = append(composite.Members, member)
	case *hujson.Array:
		added.BeforeExtra = before
		composite.Elements = append(composite.Elements, added)
	}
	return nil
}

// layout returns how the children of a container are written: their indentation, and whether they are all in one line.
func (f *jsonFile) layout(v hujson.Value, indent string) (inner string, inline bool) {
	c := containerOf(&v)
	inline = !bytes.Contains(hujson.Value{Value: v.Value}.Pack(), []byte("\n")) && (len(c.items) > 0 || f.flat && v.Value != f.root.Value)
	inner = indent + f.unit
	for _, i := range c.items {
		if own, ok := indentOf(*i.before); ok {
			inner = own
		}
	}
	return inner, inline
}

// dense reports whether no space follows the commas.
func (c container) dense() bool {
	if len(c.items) > 1 {
		return len(*c.items[len(c.items)-1].before) == 0
	}
	return c.isObject && len(c.items[0].value.BeforeExtra) == 0
}

// replace makes a value another one, within what leads to it.
func (f *jsonFile) replace(v *hujson.Value, value any, within path, indent string, inline bool) error {
	for _, step := range slices.Backward(within) {
		if name, ok := step.(string); ok {
			value = object{{name, value}}
		} else {
			value = []any{value}
		}
	}
	parsed, err := hujson.Parse([]byte(f.write(value, indent, inline)))
	v.Value = parsed.Value
	return err
}

func (f *jsonFile) take(at path) error {
	holder, _, left := f.walk(at[:len(at)-1])
	c := containerOf(holder)
	i := c.find(at[len(at)-1])
	if len(left) > 0 || i < 0 {
		return nil
	}
	gone, last := c.items[i], i == len(c.items)-1
	follows := c.after
	if !last {
		follows = c.items[i+1].before
	}
	before, behind := *gone.before, slices.Concat(gone.value.AfterExtra, *follows)
	// Comments stay. One that goes to the end of its line needs that end.
	if trimmed := bytes.TrimRight(before, " \t\r\n"); len(trimmed) == 0 || bytes.HasPrefix(bytes.TrimLeft(behind, " \t\r"), []byte("\n")) {
		before = trimmed
	}
	if last && i > 0 {
		previous := c.items[i-1].value
		switch {
		case gone.value.AfterExtra == nil: // the comma goes, and what stands before it stays
			before = slices.Concat(previous.AfterExtra, before)
			previous.AfterExtra = nil
		case previous.AfterExtra == nil:
			previous.AfterExtra = hujson.Extra{}
		}
	}
	*follows = slices.Concat(before, behind)
	if len(c.items) == 1 && isBlank(*follows) {
		*follows = nil
	}
	switch composite := holder.Value.(type) {
	case *hujson.Object:
		composite.Members = slices.Delete(composite.Members, i, i+1)
	case *hujson.Array:
		composite.Elements = slices.Delete(composite.Elements, i, i+1)
	}
	return nil
}

func (f *jsonFile) restore(at path, from document) error {
	there, _, missing := from.(*jsonFile).walk(at)
	if len(missing) > 0 {
		return f.take(at)
	}
	if err := f.put(at, nil); err != nil {
		return err
	}
	here, _, _ := f.walk(at)
	here.Value = there.Clone().Value
	return nil
}

// write returns a value as text that begins on a line with an indentation. Lists of texts and numbers take one line.
func (f *jsonFile) write(value any, indent string, inline bool) string {
	var parts []string
	brackets := "[]"
	switch value := value.(type) {
	case object:
		brackets = "{}"
		for _, m := range value {
			parts = append(parts, string(hujson.String(m.name))+": "+f.write(m.value, indent+f.unit, inline))
		}
	case []any:
		inline = inline || !slices.ContainsFunc(value, isComposite)
		for _, each := range value {
			parts = append(parts, f.write(each, indent+f.unit, inline))
		}
	case string:
		return string(hujson.String(value))
	case nil:
		return "null"
	default:
		return fmt.Sprint(value)
	}
	if inline || len(parts) == 0 {
		return brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
	}
	line := f.newline + indent
	return brackets[:1] + line + f.unit + strings.Join(parts, ","+line+f.unit) + line + brackets[1:]
}

func isComposite(value any) bool {
	switch value.(type) {
	case object, []any:
		return true
	}
	return false
}
