package connect

import (
	"bytes"
	"os"
	"slices"
)

// PlanBack tells what taking an agent's connection back would change. Where nothing else has changed since, files become what they were.
func (m Machine) PlanBack(a Agent) ([]Change, error) {
	known := m.record(a)
	parts := m.partsOf(a)
	for _, r := range known.Files { // the agent's folder may have been another one
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == r.Name }) {
			if p, ok := samePart(parts, r.Name); ok {
				parts = append(parts, p)
			}
		}
	}
	var changes []Change
	for _, p := range parts {
		c, err := m.planBack(p, known.file(p.name))
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
	c := &Change{Name: p.name, Before: f.text, file: f}
	if known != nil && known.After == sum(f.text) && known.Before != "" {
		if !known.Existed {
			c.Removed = true
			return c, nil
		}
		backup, err := os.ReadFile(f.target + backupSuffix)
		if err == nil && sum(backup) == known.Before {
			c.After, c.Backup = backup, f.target+backupSuffix
			return c, nil
		}
	}
	d, err := newDocument(p.format, f.text)
	if err != nil {
		return nil, err
	}
	if known == nil {
		known = &fileRecord{Existed: true}
	}
	if text, ok := unpatched(f.text, known.Patch); ok && m.isOut(p, text) {
		d.text = text
	} else if err := m.takeBack(d, p, *known); err != nil {
		return nil, err
	}
	if bytes.Equal(d.text, f.text) {
		return nil, nil
	}
	if rest := bytes.TrimSpace(d.text); !known.Existed && (len(rest) == 0 || string(rest) == "{}") {
		c.Removed = true
		return c, nil
	}
	c.After = d.text
	return c, nil
}

// isOut reports whether a text can be read, and has nothing of Followup's but what a user may have put there, too.
func (m Machine) isOut(p part, text []byte) bool {
	d, err := newDocument(p.format, text)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(p.pieces, func(each piece) bool {
		_, there, err := m.locate(d, each)
		return there && err == nil && (each.kind == entry || each.kind == element)
	})
}

// takeBack takes what is Followup's out of a document.
func (m Machine) takeBack(d *document, p part, known fileRecord) error {
	for _, each := range slices.Backward(p.pieces) {
		at, there, err := m.locate(d, each)
		switch {
		case err != nil || !there: // it is the user's now
			continue
		case each.kind == entry:
			err = d.take(at)
			for _, replaced := range known.Replaced {
				if err == nil && slices.Equal(replaced.At, each.at) {
					err = d.put(replaced.At, ordered(replaced.Value))
				}
			}
		case each.kind == element:
			err = m.takeElement(d, at, each.value)
		case slices.ContainsFunc(known.Added, func(a addition) bool { return slices.Equal(a.At, each.at) }):
			value, _ := d.get(at)
			if each.kind == listed || same(value, each.value) {
				err = d.take(at)
			}
		}
		if err != nil {
			return err
		}
	}
	return d.takeEmpty(known.Made)
}

// takeEmpty removes the objects and lists at these places that are empty.
func (d *document) takeEmpty(made []path) error {
	for _, at := range slices.Backward(made) {
		value, there := d.get(at)
		fields, isObject := value.(map[string]any)
		elements, isList := value.([]any)
		if there && (isObject && len(fields) == 0 || isList && len(elements) == 0) {
			if err := d.take(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeElement removes an element of a list, or of what it holds only Followup's where it holds another's, too.
func (m Machine) takeElement(d *document, at path, want any) error {
	wanted, _ := want.(object)
	for _, field := range wanted {
		to := append(slices.Clone(at), field.name)
		value, _ := d.get(to)
		elements, ok := value.([]any)
		if _, nested := field.value.([]any); !nested || !ok || len(elements) < 2 {
			continue
		}
		if i := slices.IndexFunc(elements, m.mine); i >= 0 {
			return d.take(append(to, i))
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
			if known := known.file(c.Name); known != nil && known.Folder != "" {
				_ = os.Remove(known.Folder) // unless something else is there by now
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
