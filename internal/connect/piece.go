package connect

import (
	"bytes"
	"fmt"
	"slices"
)

// standing is how a piece stands in a file.
type standing int

const (
	absent standing = iota
	old             // it is there, and has to be changed
	current
)

// stands tells how a piece stands in a document.
func (m Machine) stands(d *document, p piece) (standing, error) {
	trial := *d
	trial.made = nil
	before := trial.text
	at, there, err := m.locate(&trial, p)
	if err != nil || !there {
		return absent, err
	}
	if p.kind == entry || p.kind == element {
		if err := m.fill(&trial, at, p.value); err != nil {
			return absent, err
		}
	}
	if bytes.Equal(before, trial.text) {
		return current, nil
	}
	return old, nil
}

// locate finds a piece: where it is, or, if it is not there, where it goes. An error is a *ForeignError or a *ShapeError.
func (m Machine) locate(d *document, p piece) (at path, there bool, err error) {
	for n := 1; n < len(p.at); n++ {
		if value, ok := d.get(p.at[:n]); ok && value != nil && !holds(value, p.at[n]) {
			return nil, false, &ShapeError{p.at[:n].String()}
		}
	}
	value, there := d.get(p.at)
	there = there && value != nil
	switch p.kind {
	case entry:
		if there && !m.mine(value) {
			return nil, false, &ForeignError{p.at.String()}
		}
		return p.at, there, nil
	case setting:
		return p.at, there, nil
	}
	elements, isList := value.([]any)
	if there && !isList {
		return nil, false, &ShapeError{p.at.String()}
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
	return append(slices.Clone(p.at), i), there, nil
}

// telling are the members of an entry that say what is run, and when. What else stands there may be the user's choice.
var telling = []string{"command", "args", "bash", "powershell", "type", "matcher"}

// limits are a call's. They may be the user's choice, but for agents whose server is told in its arguments when to answer at the latest.
var limits = []string{"timeout", "tool_timeout_sec", "timeoutSec"}

// fill makes what stands at a path have what it has to have.
func (m Machine) fill(d *document, at path, want any) error {
	there, _ := d.get(at)
	switch want := want.(type) {
	case object:
		fields, ok := there.(map[string]any)
		if !ok {
			return d.put(at, want)
		}
		hooks, _ := fields["hooks"].([]any)
		shared := slices.ContainsFunc(hooks, func(each any) bool { return !m.mine(each) })
		for _, field := range want {
			to := append(slices.Clone(at), field.name)
			value, ok := d.get(to)
			list, isList := field.value.([]any)
			var err error
			switch {
			case !ok:
				err = d.put(to, field.value)
			case field.name == "matcher" && shared: // it says when the user's own hook is run, too
			case slices.Contains(telling, field.name), slices.Contains(limits, field.name) && want.has("args", ownLimit):
				if !same(value, field.value) {
					err = d.put(to, field.value)
				}
			case isList && holdsObjects(list):
				err = m.fillList(d, to, list)
			}
			if err != nil {
				return err
			}
		}
	default:
		if !same(there, want) {
			return d.put(at, want)
		}
	}
	return nil
}

// fillList fills the one element of a list that names Followup.
func (m Machine) fillList(d *document, at path, want []any) error {
	value, _ := d.get(at)
	elements, ok := value.([]any)
	if !ok {
		return &ShapeError{at.String()}
	}
	i := slices.IndexFunc(elements, m.mine)
	if i < 0 {
		i = len(elements)
		return d.put(append(slices.Clone(at), i), want[0])
	}
	return m.fill(d, append(slices.Clone(at), i), want[0])
}

func holdsObjects(list []any) bool {
	return slices.ContainsFunc(list, func(each any) bool {
		_, is := each.(object)
		return is
	})
}

func same(read, want any) bool { return fmt.Sprint(read) == fmt.Sprint(plain(want)) }
