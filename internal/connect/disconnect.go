package connect

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// PlanBack returns what disconnecting an agent would change. A file that has not changed since becomes what it was, to the byte.
func (m Machine) PlanBack(a Agent) ([]Change, error) {
	known := m.record(a)
	parts := m.partsOf(a)
	for _, name := range slices.Sorted(maps.Keys(known)) { // the agent's folder may have been another one
		i := slices.IndexFunc(parts, func(p part) bool { return filepath.Base(p.name) == filepath.Base(name) })
		if i >= 0 && parts[i].name != name {
			p := parts[i]
			p.name = name
			parts = append(parts, p)
		}
	}
	var changes []Change
	for _, p := range parts {
		c, err := m.planBack(p, known[p.name])
		if err != nil {
			return nil, &FileError{p.name, err}
		}
		if c != nil {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

func (m Machine) planBack(p part, known *fileRecord) (*Change, error) {
	f, err := readFile(p.name)
	if err != nil || !f.exists {
		return nil, err
	}
	text, err := m.without(p, f.text, known)
	if err != nil {
		return nil, err
	}
	c := &Change{Name: p.name, Before: f.text, After: text, file: f}
	switch rest := bytes.TrimSpace(text); {
	case known != nil && !known.Existed && (len(rest) == 0 || string(rest) == "{}"):
		c.Removed, c.After = true, nil
	case bytes.Equal(text, f.text):
		return nil, nil
	}
	if backup, err := os.ReadFile(f.target + backupSuffix); err == nil && bytes.Equal(backup, text) {
		c.Backup = f.target + backupSuffix
	}
	return c, nil
}

// without returns a file's text without what connect wrote. It merges the changes that the user made since with those that undo it. If the
// merge means something else than the text from which Followup's values were taken, it returns that text.
func (m Machine) without(p part, text []byte, known *fileRecord) ([]byte, error) {
	d, err := p.format(text)
	if err != nil {
		return nil, err
	}
	switch {
	case known == nil:
		err := m.takeBack(d, p, nil)
		return d.text(), err
	case bytes.Equal(text, known.After):
		return known.Before, nil
	}
	before, err := p.format(known.Before)
	if err != nil {
		return nil, err
	}
	if err := m.takeBack(d, p, before); err != nil {
		return nil, err
	}
	want, _ := d.get(nil)
	for _, diff := range []func(before, after string) []udiff.Edit{udiff.Lines, udiff.Strings} {
		after := string(known.After)
		edits, ok := udiff.Merge(diff(after, string(text)), diff(after, string(known.Before)))
		if !ok {
			continue
		}
		merged, err := udiff.Apply(after, edits)
		if err != nil {
			continue
		}
		if d, err := p.format([]byte(merged)); err == nil {
			if got, _ := d.get(nil); reflect.DeepEqual(got, want) {
				return []byte(merged), nil
			}
		}
	}
	return d.text(), nil
}

// takeBack removes Followup's pieces from a document. before is the document without them. If it is nil, settings stay, because the user may
// have made them.
func (m Machine) takeBack(d document, p part, before document) error {
	for _, each := range slices.Backward(p.pieces) {
		at, there, err := m.locate(d, each)
		if value, _ := d.get(each.at); errors.As(err, new(*ForeignError)) && m.mine(value) {
			err = nil // only the comments around it are gone
		}
		switch {
		case err != nil || !there: // the user has changed it
			continue
		case each.kind == entry && before != nil:
			err = d.restore(at, before)
		case each.kind == entry:
			err = d.take(at)
		case each.kind == element || each.kind == unwanted:
			err = m.takeElement(d, at, each.value)
		case before != nil:
			value, _ := d.get(at)
			if _, was, _ := m.locate(before, each); !was && (each.kind == listed || same(value, each.value)) {
				err = d.take(at)
			}
		}
		if err != nil {
			return err
		}
	}
	return m.takeEmpty(d, p, before)
}

// takeEmpty restores empty containers that were something else, or missing, in the document before.
func (m Machine) takeEmpty(d document, p part, before document) error {
	for _, each := range p.pieces {
		for n := len(each.at); n > 0 && before != nil; n-- {
			value, _ := d.get(each.at[:n])
			was, _ := before.get(each.at[:n])
			if isEmpty(value) && reflect.TypeOf(was) != reflect.TypeOf(value) {
				if err := d.restore(each.at[:n], before); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func isEmpty(value any) bool {
	fields, isObject := value.(map[string]any)
	elements, isList := value.([]any)
	return isObject && len(fields) == 0 || isList && len(elements) == 0
}

// takeElement removes an element of a list. If the element also has another program's hook, only Followup's goes.
func (m Machine) takeElement(d document, at path, want any) error {
	wanted, _ := want.(object)
	for _, field := range wanted {
		value, _ := d.get(at.to(field.name))
		elements, ok := value.([]any)
		if _, nested := field.value.([]any); !nested || !ok || len(elements) < 2 {
			continue
		}
		if i := slices.IndexFunc(elements, m.mine); i >= 0 {
			return d.take(at.to(field.name, i))
		}
	}
	return d.take(at)
}

// ApplyBack makes the changes of PlanBack, and forgets the agent.
func (m Machine) ApplyBack(a Agent, changes []Change) error {
	known := m.record(a)
	for _, c := range changes {
		var err error
		if c.Removed {
			err = c.file.remove()
			if known := known[c.Name]; known != nil && known.Folder != "" {
				_ = os.Remove(known.Folder) // unless it holds something else by now
			}
		} else {
			err = c.file.write(c.After)
		}
		if err != nil {
			return &FileError{c.Name, err}
		}
		if c.Backup != "" {
			_ = os.Remove(c.Backup) // it is the file itself again
		}
	}
	return m.forget(a)
}
