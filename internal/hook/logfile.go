package hook

import (
	"bufio"
	"io"
	"iter"
	"os"
)

// logFile is the log of an agent's conversation. The zero value has no lines.
type logFile struct {
	path         string
	offset, size int64 // how far it was read, and its size at first
}

// tailOf returns the log at a path, with the most bytes at its end unread. It is zero if there is no regular file: any other, such as a pipe,
// might never give its end.
func tailOf(path string, most int64) logFile {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return logFile{}
	}
	return logFile{path, max(0, info.Size()-most), info.Size()}
}

// lines reads the lines that have been written. One that has no end yet is read next time.
func (l *logFile) lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		file, err := os.Open(l.path)
		if err != nil {
			return
		}
		defer func() { _ = file.Close() }()
		if _, err := file.Seek(l.offset, io.SeekStart); err != nil {
			return
		}
		for lines := bufio.NewReader(file); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			if l.offset += int64(len(line)); !yield(line) {
				return
			}
		}
	}
}
