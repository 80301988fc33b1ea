package hook

import (
	"bufio"
	"io"
	"iter"
	"os"
)

// logFile reads the log of an agent's conversation while it grows. The zero value has no lines.
type logFile struct {
	path         string
	offset, size int64 // the read position, and the file's size at first
}

// tailOf opens the log at a path, and skips all but its last most bytes. It returns the zero value if there is no regular
// file, since reading a pipe, for example, might block.
func tailOf(path string, most int64) logFile {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return logFile{}
	}
	return logFile{path, max(0, info.Size()-most), info.Size()}
}

// lines reads the complete lines that were written. An incomplete line is read next time.
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
