package connect

import (
	"maps"
	"slices"
	"strings"

	"followup/internal/locale"
)

// part is one of an agent's files, and Followup's pieces in it.
type part struct {
	name   string
	pieces []piece
}

// read parses the file. A missing file is empty.
func (p part) read() (document, error) {
	f, err := readFile(p.name)
	if err != nil {
		return document{}, err
	}
	return parse(p.name, f.text)
}

// piece is one value of Followup's in a file.
type piece struct {
	kind  kind
	at    path
	value any
	// why is its purpose. It is empty for Followup's own entry, and for values that the file itself needs.
	why locale.Key
}

type kind int

const (
	entry    kind = iota // a member with a name of its own
	element              // an element of a list, recognised by the program that it names
	unwanted             // an element that connect removes
	listed               // a string in a list, which the user may have added, too
	setting              // a member that is set only if the user has not set it
)

// standing is the state in which a piece was found in a file.
type standing int

const (
	absent standing = iota
	old             // it existed, and had to be changed
	current
)

// write sets a piece in a file's values, and returns its earlier state. If replace is set, an entry replaces a user's entry of
// the same name, which is an error otherwise.
func (m Machine) write(d document, p piece, replace bool) (standing, error) {
	for n := 1; n < len(p.at); n++ {
		value, _ := p.at[:n].in(d.values)
		if _, isObject := value.(object); value != nil && !isObject {
			return absent, d.refuse(notShaped, p.at[:n])
		}
	}
	before, _ := p.at.in(d.values)
	after, found := p.value, old
	switch elements, isList := before.([]any); {
	case p.kind == entry && before != nil && !m.mine(before):
		if found = absent; !replace {
			return absent, d.refuse(notOurs, p.at)
		}
	case p.kind == entry && before != nil:
		after = m.renew(before, p.value)
	case p.kind == setting && before != nil:
		return current, nil
	case p.kind == entry || p.kind == setting:
		found = absent
	case before != nil && !isList:
		return absent, d.refuse(notShaped, p.at)
	default:
		i := m.find(elements, p)
		switch {
		case i < 0 && p.kind == unwanted:
			return absent, nil
		case i < 0:
			after, found = append(elements, p.value), absent
		case p.kind == unwanted:
			after = m.others(elements)
		case p.kind == listed || m.suits(elements[i], p.value):
			renewed := slices.Clone(elements)
			renewed[i] = m.renew(elements[i], p.value)
			after = renewed
		default:
			after = append(m.others(elements), p.value)
		}
	}
	if same(before, after) {
		return current, nil
	}
	p.at.set(d.values, after)
	return found, nil
}

// find returns the index of a piece in its list, or -1.
func (m Machine) find(elements []any, p piece) int {
	return slices.IndexFunc(elements, func(each any) bool { return p.kind == listed && each == p.value || p.kind != listed && m.mine(each) })
}

// element returns the hook or plugin of a piece, and its index in the list, or -1.
func (m Machine) element(values object, p piece) (found any, index int) {
	value, _ := p.at.in(values)
	elements, _ := value.([]any)
	if index = m.find(elements, p); index < 0 || p.kind != element {
		return nil, -1
	}
	return elements[index], index
}

// suits reports whether a hook may keep its element. If another hook shares the element, its matcher is the user's.
func (m Machine) suits(there, want any) bool {
	element, _ := there.(object)
	wanted, _ := want.(object)
	matcher, _ := element["matcher"].(string)
	if hooks, _ := element["hooks"].([]any); len(hooks) < 2 || matcher == wanted["matcher"] {
		return true
	}
	runs := strings.Split(matcher, "|")
	return !m.approvesIn(want) && slices.ContainsFunc(runs, func(tool string) bool { return tool == "" || tool == "*" || tool == wanted["matcher"] })
}

// essential are the members of an entry that define what is run, and when. Other members may be the user's choice.
var essential = []string{"command", "args", "bash", "powershell", "type", "matcher"}

// limits are the members that limit a call. They may be the user's choice, unless the server's arguments have a limit that depends on them.
var limits = []string{"timeout", "tool_timeout_sec", "timeoutSec"}

// renew returns the wanted value, with the user's choices and additions.
func (m Machine) renew(there, want any) any {
	fields, isObject := there.(object)
	members, ok := want.(object)
	if !isObject || !ok {
		return want
	}
	renewed := maps.Clone(fields)
	hooks, hasHooks := fields["hooks"].([]any)
	for name, value := range members {
		_, there := fields[name]
		switch {
		case name == "hooks" && hasHooks:
			i := slices.IndexFunc(hooks, m.mine)
			if hooks = slices.Clone(hooks); i < 0 {
				i, hooks = len(hooks), append(hooks, nil)
			}
			hooks[i] = m.renew(hooks[i], value.([]any)[0])
			renewed[name] = hooks
		case name == "matcher" && len(hooks) > 1: // see suits
		case !there || name == "hooks" || slices.Contains(essential, name) || slices.Contains(limits, name) && same(members["args"], ownLimit):
			renewed[name] = value
		}
	}
	return renewed
}

// others returns a list without the elements that run Followup. Elements with other programs' hooks keep those.
func (m Machine) others(elements []any) []any {
	rest := []any{}
	for _, each := range elements {
		fields, _ := each.(object)
		hooks, _ := fields["hooks"].([]any)
		others := slices.DeleteFunc(slices.Clone(hooks), m.mine)
		switch {
		case !m.mine(each):
			rest = append(rest, each)
		case len(others) > 0:
			left := maps.Clone(fields)
			left["hooks"] = others
			rest = append(rest, left)
		}
	}
	return rest
}
