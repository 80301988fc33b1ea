package connect

import (
	"bytes"
	"cmp"
	"slices"
)

// standing is how a piece was found in a file.
type standing int

const (
	absent standing = iota
	old             // it was there, and had to be changed
	current
)

// write makes a piece in a document what it has to be, and returns how it was before.
func (m Machine) write(d document, p piece) (standing, error) {
	at, there, err := m.locate(d, p)
	switch {
	case err != nil:
		return absent, err
	case p.kind == unwanted && there:
		return old, m.takeElement(d, at, p.value)
	case p.kind == unwanted:
		return absent, nil
	case !there:
		return absent, d.put(at, p.value)
	case p.kind == listed || p.kind == setting:
		return current, nil
	}
	before := d.text()
	if err := m.fill(d, at, p.value); err != nil {
		return absent, err
	}
	if bytes.Equal(before, d.text()) {
		return current, nil
	}
	return old, nil
}

// locate returns where a piece is, or, if it is not there, where it goes. Its error is a *ForeignError or a *ShapeError.
func (m Machine) locate(d document, p piece) (at path, there bool, err error) {
	for n := 1; n < len(p.at); n++ {
		if value, ok := d.get(p.at[:n]); ok && value != nil {
			if _, isObject := value.(map[string]any); !isObject {
				return nil, false, &ShapeError{At: p.at[:n].String()}
			}
		}
	}
	value, there := d.get(p.at)
	there = there && value != nil
	switch p.kind {
	case entry:
		if there && !m.mine(value) {
			err = &ForeignError{At: p.at.String()}
		}
		return p.at, there, cmp.Or(d.foreign(p.at), err)
	case setting:
		return p.at, there, nil
	}
	elements, isList := value.([]any)
	if there && !isList {
		return nil, false, &ShapeError{At: p.at.String()}
	}
	i := slices.IndexFunc(elements, func(each any) bool {
		if p.kind == listed {
			return each == p.value
		}
		return m.mine(each)
	})
	if there = i >= 0; !there {
		i = len(elements)
	}
	return p.at.to(i), there, nil
}

// essential are the members of an entry that say what is run, and when. Other members may be the user's choice.
var essential = []string{"command", "args", "bash", "powershell", "type", "matcher"}

// limits are a call's. They may be the user's choice, except for agents whose server gets in its arguments when to answer at the latest.
var limits = []string{"timeout", "tool_timeout_sec", "timeoutSec"}

// fill makes the value at a path have what it has to have.
func (m Machine) fill(d document, at path, want any) error {
	there, _ := d.get(at)
	fields, isObject := there.(map[string]any)
	members, ok := want.(object)
	if !ok || !isObject {
		if ok || !same(there, want) {
			return d.put(at, want)
		}
		return nil
	}
	hooks, _ := fields["hooks"].([]any)
	shared := slices.ContainsFunc(hooks, func(each any) bool { return !m.mine(each) })
	for _, field := range members {
		to := at.to(field.name)
		value, ok := d.get(to)
		list, _ := field.value.([]any)
		var err error
		switch {
		case !ok:
			err = d.put(to, field.value)
		case field.name == "matcher" && shared: // it also says when the user's own hook is run
		case slices.Contains(essential, field.name), slices.Contains(limits, field.name) && members.has("args", ownLimit):
			if !same(value, field.value) {
				err = d.put(to, field.value)
			}
		case slices.ContainsFunc(list, isComposite):
			elements, isList := value.([]any)
			i := slices.IndexFunc(elements, m.mine)
			switch {
			case !isList:
				err = &ShapeError{At: to.String()}
			case i < 0:
				err = d.put(to.to(len(elements)), list[0])
			default:
				err = m.fill(d, to.to(i), list[0])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
