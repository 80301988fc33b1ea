package transcript

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// found is a file or folder: path is the name that the user gave, and real its path without symbolic links.
type found struct {
	path, real string
	size       int64
	root       string // the first folder's real path
}

// walk visits a file, or the files in a folder that may be logs, and skips unreadable ones. It lists one folder at a time,
// so that it never holds the names of all files, and visits each folder once, even if symbolic links lead to it again: visited
// has the folders' real paths. It follows no link out of the first folder. entry is nil for a path that the user named, which
// may have any name. An error of visit ends the walk.
func (r *reader) walk(f found, entry fs.DirEntry, visited map[string]bool, visit func(found) error) error {
	info, err := os.Stat(f.real)
	if err == nil {
		f.size = info.Size()
	}
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case entry != nil && isSide(f.real):
	case err == nil && info.IsDir() && entry != nil && !entry.IsDir() && !f.isInside():
		r.skip(f.path, ReasonOutside)
	case err == nil && info.IsDir():
		return r.folder(f, visited, visit)
	case entry != nil && !mayBeLog(f.real):
	case entry != nil && !entry.Type().IsRegular():
		r.skip(f.path, ReasonIrregular)
	case entry != nil && f.size == 0: // a session without messages
	case err == nil && !r.isNew(f.real) && !r.isNew(f.real+"-wal"): // a database is as new as the log beside it
	default:
		return visit(f)
	}
	return nil
}

// isInside reports whether a link leads into the first folder.
func (f found) isInside() bool {
	real, err := filepath.EvalSymlinks(f.real)
	way, failed := filepath.Rel(f.root, real)
	return err == nil && failed == nil && filepath.IsLocal(way)
}

// isNew reports whether the file exists and was not last written before Since.
func (r *reader) isNew(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.ModTime().Before(r.o.Since)
}

// folder visits the files of a folder before its subfolders, since cc-viewer's files have the times of the messages in the
// subfolders.
func (r *reader) folder(dir found, visited map[string]bool, visit func(found) error) error {
	real, err := filepath.EvalSymlinks(dir.real)
	if err == nil && visited[real] {
		return nil
	}
	visited[real] = true
	entries, failed := os.ReadDir(real)
	if err != nil || failed != nil {
		r.skip(dir.path, ReasonUnreadable)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Type()&fs.ModeDir, b.Type()&fs.ModeDir) })
	for _, entry := range entries {
		in := found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(real, entry.Name()), root: dir.root}
		if err := r.walk(in, entry, visited, visit); err != nil {
			return err
		}
	}
	return nil
}

// mayBeLog reports whether a file may be a log, by its name.
func mayBeLog(path string) bool {
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".jsonl"+packedSuffix) || slices.Contains([]string{".jsonl", ".json", ".log", ".db"}, filepath.Ext(path))
}

// sides are files and folders that tools keep beside their logs. They contain no questions, and are not reported.
var sides = []string{
	messagesFile, historyFile, metadataFile, "_index.json", "sessions-index.json", "context_history.json", "settings.json",
	"_delegation_repair_intent.json", "preferences.json", "profile.json", "active-profile.json", "context-window.json", "update-check.json",
	"meta.json", "state.json", "upcoming-goals.json", "session_index.jsonl", "prompts.jsonl", "hooks.jsonl", "logs.json", "workspace.json",
	"blobs", "tool-results", ".git",
}

// isSide reports whether a file or folder is one of sides, or a JSON file about its folder or about the session whose log
// is beside it.
func isSide(path string) bool {
	if slices.Contains(sides, filepath.Base(path)) {
		return true
	}
	stem, isJSON := strings.CutSuffix(path, ".json")
	if !isJSON || filepath.Base(stem) == filepath.Base(filepath.Dir(path)) {
		return isJSON
	}
	_, err := os.Stat(strings.TrimSuffix(stem, ".meta") + ".jsonl")
	return err == nil
}
