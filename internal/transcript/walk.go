package transcript

import (
	"cmp"
	"context"
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
	sizes := walker{ctx: r.ctx, root: root.real, been: map[string]bool{}, file: func(f found) error {
		r.total += f.size
		return nil
	}}
	if err := sizes.walk(root); err != nil {
		return err
	}
	reading := walker{ctx: r.ctx, root: root.real, been: map[string]bool{}, skipped: r.skipped, file: r.open}
	return reading.walk(root)
}

// walker visits the files of a folder that may be logs, one folder at a time, so that it never holds the names of all files. It follows
// symbolic links, and visits each file and folder once.
type walker struct {
	ctx     context.Context
	root    string
	skipped func(path string, reason Reason) // if not nil, it is called with what cannot be read
	file    func(found) error
	been    map[string]bool // real names: of all folders, and of files that links led to
}

func (w *walker) skip(path string, reason Reason) {
	if w.skipped != nil {
		w.skipped(path, reason)
	}
}

// first reports whether the walker has not visited a place yet.
func (w *walker) first(real string) bool {
	before := len(w.been)
	w.been[real] = true
	return len(w.been) > before
}

// walk visits the files of a folder, and then the folders in it.
func (w *walker) walk(dir found) error {
	if !w.first(dir.real) {
		return nil
	}
	entries, err := os.ReadDir(dir.real)
	if err != nil {
		w.skip(dir.path, ReasonUnreadable)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(rank(a), rank(b)) })
	beside := namesOf(filepath.Base(dir.real), entries)
	for _, entry := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		f := found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(dir.real, entry.Name())}
		if err := w.entry(f, entry.Type(), beside); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(f found, kind fs.FileMode, beside names) error {
	name, linked := filepath.Base(f.real), kind&fs.ModeSymlink != 0
	switch {
	case kind.IsDir() && beside.isSideFolder(name), kind.IsRegular() && (!mayBeLog(name) || beside.isSideFile(name)):
		return nil
	case kind.IsDir():
		return w.walk(f)
	case linked:
		real, err := filepath.EvalSymlinks(f.real)
		if err != nil && mayBeLog(name) {
			w.skip(f.path, ReasonUnreadable)
		}
		if err != nil {
			return nil //nolint:nilerr // it was reported
		}
		f.real = real
	}
	info, err := os.Stat(f.real)
	switch {
	case err != nil:
		w.skip(f.path, ReasonUnreadable)
	case info.IsDir():
		return w.walk(f)
	case !info.Mode().IsRegular():
		w.skip(f.path, ReasonIrregular)
	case linked && (!mayBeLog(f.real) || w.below(f.real) || !w.first(f.real)):
		// it is visited under its own name, or was
	case info.Size() > 0: // otherwise a session that has just begun, or ended before anything was said
		f.size = info.Size()
		return w.file(f)
	}
	return nil
}

// below reports whether a real name is in the folder that is walked.
func (w *walker) below(real string) bool {
	return strings.HasPrefix(real, strings.TrimSuffix(w.root, string(filepath.Separator))+string(filepath.Separator))
}

// mayBeLog reports whether a file may be a log, by its name.
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

// rank orders what is in a folder: files that know the times of others come first, and folders last.
func rank(entry fs.DirEntry) int {
	switch name := entry.Name(); {
	case name == interfaceFile, name == journalFile, name == responsesFile:
		return 0
	case entry.IsDir():
		return 2
	}
	return 1
}

// names are the names in a folder: on them depends what a file is.
type names struct {
	folder   string // its own
	has      map[string]bool
	isViewer bool // it is a project of cc-viewer
}

func namesOf(folder string, entries []fs.DirEntry) names {
	n := names{folder: folder, has: map[string]bool{}}
	for _, entry := range entries {
		name := entry.Name()
		n.has[name] = true
		n.isViewer = n.isViewer || name == "sessions" || strings.HasPrefix(name, folder+"_") && filepath.Ext(name) == ".jsonl"
	}
	return n
}

// isSideFile reports whether a tool keeps a file of the name beside its logs. It asks nothing, and is not reported.
func (n names) isSideFile(name string) bool {
	switch name {
	case historyFile, metadataFile, "_index.json", "sessions-index.json", "hooks.jsonl":
		return true
	case "context_history.json", "settings.json", "_delegation_repair_intent.json":
		return n.has[interfaceFile] || n.has[messagesFile]
	case "preferences.json", "profile.json", "active-profile.json", "context-window.json", "update-check.json":
		return n.folder == "cc-viewer"
	case "meta.json", "prompts.jsonl":
		return n.has[journalFile]
	case "logs.json", "workspace.json": // of Gemini CLI, of VS Code
		return n.has["chats"] || n.has["chatSessions"]
	}
	session, ok := strings.CutSuffix(name, ".json")
	about := strings.TrimSuffix(session, ".meta")
	// What cc-viewer counts of a project, or a file about the session whose log is beside it.
	return ok && (session == n.folder && n.isViewer || n.has[about+messagesSuffix] || n.has[about+".jsonl"])
}

// isSideFolder reports the same for a folder: of cc-viewer, of Claude Code, or with the checkpoints of tasks.
func (n names) isSideFolder(name string) bool {
	return name == "blobs" && n.has[journalFile] || name == "tool-results" || name == ".git"
}
