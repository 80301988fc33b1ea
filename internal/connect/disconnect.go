package connect

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// PlanBack returns what disconnecting an agent would change. A file that has not changed since regains its original content, byte for byte.
func (m Machine) PlanBack(a Agent) (Plan, error) {
	parts := m.partsOf(a)
	for _, name := range slices.Sorted(maps.Keys(m.record(a))) { // the agent's folder may have been another one then
		i := slices.IndexFunc(parts, func(p part) bool { return filepath.Base(p.name) == filepath.Base(name) })
		if i >= 0 && parts[i].name != name {
			parts = append(parts, part{name, parts[i].pieces})
		}
	}
	return m.collect(a, parts, m.planBack)
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
		c.Removed, c.After, c.folder = true, nil, known.Folder
	case bytes.Equal(text, f.text):
		return nil, nil
	}
	if backup, err := os.ReadFile(f.target + backupSuffix); err == nil && bytes.Equal(backup, text) {
		c.Backup, c.Restored = f.target+backupSuffix, true
	}
	return c, nil
}

// without returns a file's text without Followup's entries. It merges the changes that the user made since with those that undo
// connect's. If the merge does not parse to the values without Followup's entries, it edits the text.
func (m Machine) without(p part, text []byte, known *fileRecord) ([]byte, error) {
	d, err := parse(p.name, text)
	if err != nil {
		return nil, err
	}
	if known == nil {
		m.takeBack(d.values, p, nil)
		return d.text()
	}
	if bytes.Equal(text, known.After) {
		return known.Before, nil
	}
	before, err := parse(p.name, known.Before)
	if err != nil {
		return nil, err
	}
	m.takeBack(d.values, p, before.values)
	for _, diff := range []func(before, after string) []udiff.Edit{udiff.Lines, udiff.Strings} {
		after := string(known.After)
		edits, _ := udiff.Merge(diff(after, string(text)), diff(after, string(known.Before)))
		merged, _ := udiff.Apply(after, edits) // a merge with conflicts still has Followup's values
		got, err := parse(p.name, []byte(merged))
		if strict := json.Valid(d.body) && !json.Valid(got.body); err == nil && !strict && same(got.values, d.values) {
			return []byte(merged), nil
		}
	}
	return d.text()
}

// takeBack removes Followup's pieces from a file's values. before are the values without them. If it is nil, settings are kept,
// because the user may have made them.
func (m Machine) takeBack(values object, p part, before object) {
	for _, each := range p.pieces {
		value, _ := each.at.in(values)
		elements, isList := value.([]any)
		was, _ := each.at.in(before)
		switch each.kind {
		case entry:
			if m.mine(value) {
				each.at.restore(values, before)
			}
		case element, unwanted:
			if isList {
				each.at.set(values, m.others(elements))
			}
		case listed:
			if was, _ := was.([]any); isList && before != nil && !slices.Contains(was, each.value) {
				each.at.set(values, slices.DeleteFunc(slices.Clone(elements), func(element any) bool { return element == each.value }))
			}
		case setting:
			if before != nil && was == nil && value == each.value {
				each.at.restore(values, before)
			}
		}
	}
	takeEmpty(values, p, before)
}

// takeEmpty restores empty containers to what they were before, or removes them if they did not exist.
func takeEmpty(values object, p part, before object) {
	for _, each := range p.pieces {
		for n := len(each.at); n > 0 && before != nil; n-- {
			value, _ := each.at[:n].in(values)
			was, _ := each.at[:n].in(before)
			if isComposite(value) && reflect.ValueOf(value).Len() == 0 && reflect.TypeOf(was) != reflect.TypeOf(value) {
				each.at[:n].restore(values, before)
			}
		}
	}
}
