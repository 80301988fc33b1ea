package transcript

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// found is a file or folder: path as the user named it, and real, the one name that it has.
type found struct {
	path, real string
	size       int64
}

// folder reads what is in a folder and below.
func (r *reader) folder(root found) error {
	sizes := walker{reader: r, root: root.real, quiet: true, file: func(f found) error {
		r.total += f.size
		return nil
	}}
	if err := sizes.walk(root); err != nil {
		return err
	}
	reading := walker{reader: r, root: root.real, file: r.open}
	return reading.walk(root)
}

// walker goes through a folder, one folder at a time, so that it never holds the names of all files. It follows symbolic links, and
// comes to each file and folder once.
type walker struct {
	*reader
	root  string
	quiet bool // what cannot be read is not told
	file  func(found) error
	been  map[string]bool // real names: of all folders, and of files that links led to
}

func (w *walker) tell(path string, reason Reason) {
	if !w.quiet {
		w.skipped(path, reason)
	}
}

// first reports whether the walker has not been at a place.
func (w *walker) first(real string) bool {
	if w.been == nil {
		w.been = map[string]bool{}
	}
	if w.been[real] {
		return false
	}
	w.been[real] = true
	return true
}

func (w *walker) walk(dir found) error {
	if !w.first(dir.real) {
		return nil
	}
	entries, err := os.ReadDir(dir.real)
	if err != nil {
		w.tell(dir.path, ReasonUnreadable)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Or(cmp.Compare(rank(a.Name()), rank(b.Name())), cmp.Compare(a.Name(), b.Name()))
	})
	beside := namesOf(filepath.Base(dir.real), entries)
	var below []found
	for _, entry := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		f := found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(dir.real, entry.Name())}
		if entry.IsDir() {
			if !beside.isSideFolder(entry.Name()) {
				below = append(below, f)
			}
			continue
		}
		isFolder, err := w.entry(f, entry, beside)
		if err != nil {
			return err
		}
		if isFolder != nil {
			below = append(below, *isFolder)
		}
	}
	for _, f := range below {
		if err := w.walk(f); err != nil {
			return err
		}
	}
	return nil
}

// entry takes what is no folder; a link to one is given back.
func (w *walker) entry(f found, entry fs.DirEntry, beside names) (*found, error) {
	linked := entry.Type()&fs.ModeSymlink != 0
	if !linked && entry.Type().IsRegular() && (!mayBeLog(f.real) || beside.isSideFile(entry.Name())) {
		return nil, nil
	}
	if linked {
		real, err := filepath.EvalSymlinks(f.real)
		if err != nil {
			if mayBeLog(f.real) {
				w.tell(f.path, ReasonUnreadable)
			}
			return nil, nil
		}
		f.real = real
	}
	info, err := os.Stat(f.real)
	switch {
	case err != nil:
		w.tell(f.path, ReasonUnreadable)
		return nil, nil //nolint:nilerr // it has been told
	case info.IsDir():
		return &f, nil
	case !info.Mode().IsRegular():
		w.tell(f.path, ReasonIrregular)
		return nil, nil
	case linked && (!mayBeLog(f.real) || w.below(f.real) || !w.first(f.real)):
		return nil, nil // it is come to, or was, under its own name
	case info.Size() == 0:
		return nil, nil // a session that has just begun, or ended before anything was said
	}
	f.size = info.Size()
	return nil, w.file(f)
}

// below reports whether a real name is in the folder that is walked.
func (w *walker) below(real string) bool {
	return strings.HasPrefix(real, strings.TrimSuffix(w.root, string(filepath.Separator))+string(filepath.Separator))
}

// mayBeLog tells by the name whether a file is looked at.
func mayBeLog(path string) bool {
	path = strings.ToLower(path)
	switch filepath.Ext(path) {
	case packedSuffix:
		return filepath.Ext(strings.TrimSuffix(path, packedSuffix)) == ".jsonl"
	case ".jsonl", ".json", ".log", ".db":
		return true
	}
	return false
}

// rank orders the files of a folder: what knows the times of others stands before them.
func rank(name string) int {
	switch name {
	case interfaceFile, journalFile, responsesFile:
		return 0
	}
	return 1
}

// names are what a folder holds, as far as the meaning of other names depends on it.
type names struct {
	folder   string          // its own name
	journal  bool            // it is a session of cc-viewer
	viewer   bool            // it is a project of cc-viewer
	task     bool            // it is a task's folder
	chats    bool            // it is a project of Gemini CLI, or a workspace of VS Code
	sessions map[string]bool // their files stand beside others that say more of them
}

func namesOf(folder string, entries []fs.DirEntry) names {
	n := names{folder: folder, sessions: map[string]bool{}}
	for _, entry := range entries {
		name := entry.Name()
		n.journal = n.journal || name == journalFile
		n.viewer = n.viewer || name == "sessions" || strings.HasPrefix(name, folder+"_") && filepath.Ext(name) == ".jsonl"
		n.task = n.task || name == interfaceFile || name == messagesFile
		n.chats = n.chats || name == "chats" || name == "chatSessions"
		for _, suffix := range []string{messagesSuffix, ".jsonl"} {
			if session, ok := strings.CutSuffix(entry.Name(), suffix); ok {
				n.sessions[session] = true
			}
		}
	}
	return n
}

// isSideFile tells of a file that a tool keeps beside its logs, and that asks nothing. There is nothing to say about it.
func (n names) isSideFile(name string) bool {
	switch name {
	case historyFile, metadataFile, "_index.json", "sessions-index.json", "hooks.jsonl":
		return true
	case "context_history.json", "settings.json", "_delegation_repair_intent.json":
		return n.task
	case "preferences.json", "profile.json", "active-profile.json", "context-window.json", "update-check.json":
		return n.folder == "cc-viewer"
	case "meta.json", "prompts.jsonl":
		return n.journal
	case "logs.json", "workspace.json":
		return n.chats
	}
	session, ok := strings.CutSuffix(name, ".json")
	if ok && session == n.folder && n.viewer { // what cc-viewer counts of a project
		return true
	}
	return ok && n.sessions[strings.TrimSuffix(session, ".meta")]
}

// isSideFolder tells likewise of a folder.
func (n names) isSideFolder(name string) bool {
	return n.journal && name == "blobs" || name == "tool-results" || name == ".git" // cc-viewer's, Claude Code's, checkpoints of tasks
}
