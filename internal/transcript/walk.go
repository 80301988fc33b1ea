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

// walker visits the files of a folder that may be logs, one folder at a time, so that it never holds the names of all files. It visits each
// folder once, also one that a symbolic link leads to.
type walker struct {
	ctx     context.Context
	since   time.Time
	skip    func(path string, reason Reason)
	yield   func(found) bool
	visited map[string]bool // folders, by their real names
}

// files returns a file, or those of a folder, until ctx ends. Only files that were written at a time or later count. It calls skip with what
// cannot be read.
func files(ctx context.Context, root found, since time.Time, skip func(string, Reason)) iter.Seq[found] {
	return func(yield func(found) bool) {
		w := &walker{ctx, since, skip, yield, map[string]bool{}}
		if info, err := os.Stat(root.real); err != nil || !info.IsDir() {
			w.file(root, info)
		} else {
			w.folder(root)
		}
	}
}

// file yields a file, and reports whether to go on. A database counts as written with the log beside it.
func (w *walker) file(f found, info fs.FileInfo) bool {
	if info != nil {
		f.size = info.Size()
		wal, err := os.Stat(f.real + "-wal")
		if info.ModTime().Before(w.since) && (err != nil || wal.ModTime().Before(w.since)) {
			return true
		}
	}
	return w.yield(f)
}

// folder visits the files of a folder, and then the folders in it: in cc-viewer's, the files know the times of what is below. It reports
// whether to go on.
func (w *walker) folder(dir found) bool {
	real, err := filepath.EvalSymlinks(dir.real)
	if err == nil && w.visited[real] {
		return true
	}
	w.visited[real] = true
	entries, failed := os.ReadDir(real)
	if err != nil || failed != nil {
		w.skip(dir.path, ReasonUnreadable)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Type()&fs.ModeDir, b.Type()&fs.ModeDir) })
	for _, entry := range entries {
		f := found{path: filepath.Join(dir.path, entry.Name()), real: filepath.Join(real, entry.Name())}
		info, err := os.Stat(f.real)
		goesOn := true
		switch {
		case w.ctx.Err() != nil:
			return false
		case isSide(f.real):
		case err == nil && info.IsDir():
			goesOn = w.folder(f)
		case !mayBeLog(f.real):
		case !entry.Type().IsRegular():
			w.skip(f.path, ReasonIrregular)
		case err != nil:
			w.skip(f.path, ReasonUnreadable)
		case info.Size() > 0: // otherwise a session that has just begun, or ended before anything was said
			goesOn = w.file(f, info)
		}
		if !goesOn {
			return false
		}
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
