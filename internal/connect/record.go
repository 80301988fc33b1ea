package connect

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"

	"followup/internal/atomicfile"
)

// record has connect's changes to an agent's files, by file name. Without it, disconnect still finds values that name Followup's program.
type record map[string]*fileRecord

type fileRecord struct {
	Existed bool   `json:"existed"`
	Folder  string `json:"folder,omitempty"` // the outermost one that was created for the file
	// Before and After are the file's texts without and with Followup's entries.
	Before []byte `json:"before"`
	After  []byte `json:"after"`
}

func (m Machine) recordName(a Agent) string { return filepath.Join(m.Person, "agents", a.ID+".json") }

// Lock blocks until no other process connects or disconnects an agent. The caller holds it from the plan to the end of the changes.
func (m Machine) Lock(a Agent) (unlock func(), err error) {
	name := filepath.Join(filepath.Dir(m.recordName(a)), a.ID+".lock")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, refusal(name, err)
	}
	return lockedfile.MutexAt(name).Lock()
}

// record reads the record of an agent. An invalid one counts as empty.
func (m Machine) record(a Agent) record {
	r := record{}
	if text, err := os.ReadFile(m.recordName(a)); err != nil || json.Unmarshal(text, &r) != nil || r == nil {
		return record{}
	}
	return r
}

// keep writes the record of an agent, or removes it if it is empty.
func (m Machine) keep(a Agent, r record) error {
	if len(r) == 0 {
		if err := os.Remove(m.recordName(a)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return atomicfile.Write(m.recordName(a), append(text, '\n'), 0o600, nil)
}

// Recorded reports whether Followup has changed an agent's files and not restored them yet.
func (m Machine) Recorded(a Agent) bool { return len(m.record(a)) > 0 }

// Backups returns the copies of an agent's original files that exist.
func (m Machine) Backups(a Agent) (names []string) {
	files := slices.Collect(maps.Keys(m.record(a)))
	for _, p := range m.partsOf(a) {
		files = append(files, p.name)
	}
	for _, name := range files {
		f, _ := readFile(name) // its links are followed even if it cannot be read
		backup := f.target + backupSuffix
		if info, err := os.Lstat(backup); err == nil && info.Mode().IsRegular() && !slices.Contains(names, backup) {
			names = append(names, backup)
		}
	}
	slices.Sort(names)
	return names
}

// RecordFiles returns the files in which connect keeps its records.
func (m Machine) RecordFiles() (names []string) {
	folder := filepath.Dir(m.recordName(Agent{}))
	for _, a := range all {
		names = append(names, m.recordName(a), filepath.Join(folder, a.ID+".lock"))
		left, _ := filepath.Glob(m.recordName(a) + ".*" + atomicfile.Suffix) // by a process that was killed
		names = append(names, left...)
	}
	return names
}
