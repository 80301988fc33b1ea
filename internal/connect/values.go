package connect

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// object is an object of a configuration. Its values are objects, []any, strings, float64s, bools and nil.
type object = map[string]any

// order is the order in which connect writes the members of an object.
var order = []string{
	"version", "mcpServers", "matcher", "hooks", "hooksConfig", "permissions", "PreToolUse",
	"name", "type", "command", "bash", "powershell", "args", "tools", "enabled", "timeout", "disabled", "autoApprove", "trust",
}

// names returns the names of an object's members in order, followed by those that order does not have.
func names(o object) []string {
	return slices.SortedFunc(maps.Keys(o), func(a, b string) int {
		place := func(name string) uint { return uint(slices.Index(order, name)) } //nolint:gosec // -1 is the last
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
}

// path is the names of nested members of objects.
type path []string

func (p path) String() string { return strings.Join(p, ".") }

func (p path) in(values object) (value any, ok bool) {
	value = values
	for _, name := range p {
		fields, _ := value.(object)
		if value, ok = fields[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// set sets a member, and creates the objects on its path.
func (p path) set(values object, value any) {
	last := len(p) - 1
	for _, name := range p[:last] {
		next, ok := values[name].(object)
		if !ok {
			next = object{}
			values[name] = next
		}
		values = next
	}
	values[p[last]] = value
}

// restore sets a member to its value in from, or removes it if from does not have it.
func (p path) restore(values, from object) {
	last := len(p) - 1
	if value, ok := p.in(from); ok {
		p.set(values, value)
	} else if parent, ok := p[:last].in(values); ok {
		delete(parent.(object), p[last])
	}
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// find returns the first matching string in a value.
func find(value any, matches func(string) bool) (text string, ok bool) {
	switch value := value.(type) {
	case string:
		return value, matches(value)
	case []any:
		for _, each := range value {
			if text, ok = find(each, matches); ok {
				return text, true
			}
		}
	case object:
		for _, name := range names(value) {
			if text, ok = find(value[name], matches); ok {
				return text, true
			}
		}
	}
	return "", false
}
