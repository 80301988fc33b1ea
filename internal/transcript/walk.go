package transcript

import (
	"cmp"
	"context"
	"io/fs"
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

// walker visits the files of a folder that may be logs, one folder at a time, so that it never holds the names of all files. It visits each
// folder once, also one that a symbolic link leads to.
type walker struct {
	ctx     context.Context
	since   time.Time                        // files that were last written before do not count
	skip    func(path string, reason Reason) // is called with what cannot be read
	visit   func(found) error                // its error ends the walk
	visited map[string]bool                  // folders, by their real names
}

// walk visits a file, or the files below a folder. A file that the user named may have any name.
func (w *walker) walk(f found, isNamed bool) error {
	info, err := os.Stat(f.real)
	link, failed := os.Lstat(f.real)
	if err == nil {
		f.size = info.Size()
	}
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case !isNamed && isSide(f.real):
	case err == nil && info.IsDir():
		return w.folder(f)
	case !isNamed && !mayBeLog(f.real):
	case !isNamed && (failed != nil || !link.Mode().IsRegular()):
		w.skip(f.path, ReasonIrregular)
	case !isNamed && f.size == 0: // a session that has just begun, or ended before anything was said
	case err == nil && w.isOld(f, info):
	default:
		return w.visit(f)
	}
	return nil
}

// isOld reports whether a file was last written too long ago. A database counts as written with the log beside it.
func (w *walker) isOld(f found, info fs.FileInfo) bool {
	wal, err := os.Stat(f.real + "-wal")
	return info.ModTime().Before(w.since) && (err != nil || wal.ModTime().Before(w.since))
}

// folder visits the files of a folder, and then the folders in it: in cc-viewer's, the files know the times of what is below.
func (w *walker) folder(dir found) error {
	real, err := filepath.EvalSymlinks(dir.real)
	if err == nil && w.visited[real] {
		return nil
	}
	w.visited[real] = true
	entries, failed := os.ReadDir(real)
	if err != nil || failed != nil {
		w.skip(dir.path, ReasonUnreadable)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Type()&fs.ModeDir, b.Type()&fs.ModeDir) })
	for _, entry := range entries {
		if err := w.walk(found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(real, entry.Name())}, false); err != nil {
			return err
		}
	}
	return nil
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

// sides are files and folders that tools keep beside their logs. They ask nothing, and are not reported.
var sides = []string{
	messagesFile, historyFile, metadataFile, "_index.json", "sessions-index.json", "context_history.json", "settings.json",
	"_delegation_repair_intent.json", "preferences.json", "profile.json", "active-profile.json", "context-window.json", "update-check.json",
	"meta.json", "prompts.jsonl", "hooks.jsonl", "logs.json", "workspace.json", "blobs", "tool-results", ".git",
}

// isSide reports whether a file or folder is one of sides, or about its folder, or about the session whose log is beside it.
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
