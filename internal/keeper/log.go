package keeper

import (
	"os"
	"path/filepath"
	"sync"
)

// maxLog is the maximum size of a keeper's log in bytes, before it is rotated. One older log is kept.
const maxLog = 1 << 20

// LogFile is a keeper's log with rotation.
type LogFile struct {
	mu   sync.Mutex
	path string
	file *os.File
	size int64
}

// OpenLog opens the log in a storage folder.
func OpenLog(folder string) (*LogFile, error) {
	l := &LogFile{path: filepath.Join(folder, logName)}
	return l, l.open()
}

func (l *LogFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Write implements io.Writer.
func (l *LogFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > maxLog {
		_ = l.file.Close()
		_ = os.Rename(l.path, l.path+".1")
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(b)
	l.size += int64(n)
	return n, err
}
