package transcript

import (
	"cmp"
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// found is a file or folder: path as the user named it, and real, the one name that it has.
type found struct {
	path, real string
	size       int64
}

// Changed returns the files at a path, or below it, that may be logs and were written at a time or later. A database counts as written
// with the log beside it. Changed returns the error of ctx.
func Changed(ctx context.Context, path string, since time.Time) (changed []string, err error) {
	real, err := canonical(path)
	if err != nil {
		return nil, nil //nolint:nilerr // it does not exist, or no longer
	}
	for f := range files(ctx, found{path: path, real: real}, func(string, Reason) {}) {
		for _, name := range []string{f.real, f.real + "-wal"} {
			if info, err := os.Stat(name); err == nil && !info.ModTime().Before(since) {
				changed = append(changed, f.path)
				break
			}
		}
	}
	return changed, ctx.Err()
}

// walker visits the files of a folder that may be logs, one folder at a time, so that it never holds the names of all files. It follows
// symbolic links, and visits each file and folder once.
type walker struct {
	ctx     context.Context
	root    string
	skip    func(path string, reason Reason)
	yield   func(found) bool
	visited map[string]bool // real names: of all folders, and of files that links led to
}

// files returns a file, or those of a folder, until ctx ends. It calls skip with what cannot be read.
func files(ctx context.Context, root found, skip func(string, Reason)) iter.Seq[found] {
	return func(yield func(found) bool) {
		w := &walker{ctx, root.real + string(filepath.Separator), skip, yield, map[string]bool{}}
		if info, err := os.Stat(root.real); err != nil || !info.IsDir() {
			if err == nil {
				root.size = info.Size()
			}
			yield(root)
		} else if w.isFirst(root.real) {
			w.folder(root)
		}
	}
}

// isFirst reports whether the walker has not visited a place yet.
func (w *walker) isFirst(real string) bool {
	before := len(w.visited)
	w.visited[real] = true
	return len(w.visited) > before
}

// folder visits the files of a folder, and then the folders in it. It reports whether to go on.
func (w *walker) folder(dir found) bool {
	entries, err := os.ReadDir(dir.real)
	if err != nil {
		w.skip(dir.path, ReasonUnreadable)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(rank(a), rank(b)) })
	beside := namesOf(filepath.Base(dir.real), entries)
	for _, entry := range entries {
		f := found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(dir.real, entry.Name())}
		if w.ctx.Err() != nil || !beside.isSide(entry) && !w.entry(f, entry.Type()&fs.ModeSymlink != 0) {
			return false
		}
	}
	return true
}

func (w *walker) entry(f found, isLink bool) bool {
	info, err := os.Stat(f.real)
	real, failed := filepath.EvalSymlinks(f.real)
	isNamed := mayBeLog(f.real)
	f.real = real
	switch {
	case err != nil || failed != nil:
		if isNamed {
			w.skip(f.path, ReasonUnreadable)
		}
	case info.IsDir():
		return !w.isFirst(real) || w.folder(f)
	case !isNamed && !isLink:
	case !info.Mode().IsRegular():
		w.skip(f.path, ReasonIrregular)
	case isLink && (!mayBeLog(real) || strings.HasPrefix(real, w.root) || !w.isFirst(real)):
		// it is visited under its own name, or was
	case info.Size() > 0: // otherwise a session that has just begun, or ended before anything was said
		f.size = info.Size()
		return w.yield(f)
	}
	return true
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

// isSide reports whether a tool keeps a file or folder of the name beside its logs. It asks nothing, and is not reported.
func (n names) isSide(entry fs.DirEntry) bool {
	name := entry.Name()
	if !entry.Type().IsRegular() {
		return entry.IsDir() && (name == "blobs" && n.has[journalFile] || name == "tool-results" || name == ".git")
	}
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
