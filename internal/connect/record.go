package connect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// record is what was done to an agent's files, so that it can be taken back. Without it, what names Followup's program is still found.
type record struct {
	Files []fileRecord `json:"files"`
}

type fileRecord struct {
	Name    string `json:"name"`
	Existed bool   `json:"existed"`
	// Folder was made for it.
	Folder string `json:"folder,omitempty"`
	// Before and After are the hashes of its text; Before is empty where that is not to be had any more.
	Before string `json:"before,omitempty"`
	After  string `json:"after"`
	// Patch is a unified diff from the text before to the one after; empty where that is not known.
	Patch string `json:"patch,omitempty"`
	// Made are objects and lists that were not there, each after those that hold it.
	Made []path `json:"made,omitempty"`
	// Added are settings, and texts in lists, that were not there.
	Added []addition `json:"added,omitempty"`
	// Replaced are the user's entries that gave way.
	Replaced []addition `json:"replaced,omitempty"`
}

type addition struct {
	At    path `json:"at"`
	Value any  `json:"value"`
}

// UnmarshalJSON reads indexes as ints.
func (p *path) UnmarshalJSON(text []byte) error {
	var steps []any
	if err := json.Unmarshal(text, &steps); err != nil {
		return err
	}
	for i, step := range steps {
		if number, ok := step.(float64); ok {
			steps[i] = int(number)
		}
	}
	*p = steps
	return nil
}

func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

func (m Machine) recordName(a Agent) string { return filepath.Join(m.Person, "agents", a.ID+".json") }

// Lock waits until no other process connects or disconnects an agent, from the plan on to the end of the changes.
func (m Machine) Lock(a Agent) (unlock func(), err error) {
	name := filepath.Join(filepath.Dir(m.recordName(a)), a.ID+".lock")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return lockedfile.MutexAt(name).Lock()
}

// record gives what is known; nothing where that cannot be read.
func (m Machine) record(a Agent) (r record) {
	text, err := os.ReadFile(m.recordName(a))
	if err != nil || json.Unmarshal(text, &r) != nil {
		return record{}
	}
	return r
}

func (r *record) file(name string) *fileRecord {
	for i := range r.Files {
		if r.Files[i].Name == name {
			return &r.Files[i]
		}
	}
	return nil
}

func (r *record) keep(f fileRecord) {
	if known := r.file(f.Name); known != nil {
		*known = f
		return
	}
	r.Files = append(r.Files, f)
}

func (m Machine) keep(a Agent, r record) error {
	if len(r.Files) == 0 {
		return m.forget(a)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	name := m.recordName(a)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return replace(name, append(text, '\n'), 0o600, nil)
}

func (m Machine) forget(a Agent) error {
	err := os.Remove(m.recordName(a))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// samePart gives the part that a file of another folder is.
func samePart(parts []part, name string) (part, bool) {
	for _, p := range parts {
		if filepath.Base(p.name) == filepath.Base(name) {
			p.name = name
			return p, true
		}
	}
	return part{}, false
}

// ordered gives a value that was read as one that can be written.
func ordered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		var fields object
		for _, name := range slices.Sorted(maps.Keys(value)) {
			fields = append(fields, member{name, ordered(value[name])})
		}
		return fields
	case []any:
		var elements []any
		for _, each := range value {
			elements = append(elements, ordered(each))
		}
		return elements
	case float64:
		if value == float64(int(value)) {
			return int(value)
		}
	}
	return value
}
