package sqlite

import (
	"io"
	"os"
	"sync"
)

// A process that closes one descriptor of a file loses all the locks that it holds on it (POSIX, fcntl), those of SQLite too. So where
// several stores of one process are on one file, the descriptor that its header is read by is one for all of them, and is closed
// behind the last.
var headers struct {
	sync.Mutex
	open []*headerFile
}

// headerFile is a database's file, to read its header.
type headerFile struct {
	file   *os.File
	info   os.FileInfo
	stores int
}

// openHeader opens a database's file, or makes it. Every store closes it once.
func openHeader(path string) (*headerFile, error) {
	headers.Lock()
	defer headers.Unlock()
	if info, err := os.Stat(path); err == nil {
		for _, h := range headers.open {
			if os.SameFile(h.info, info) {
				h.stores++
				return h, nil
			}
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	h := &headerFile{file: f, info: info, stores: 1}
	headers.open = append(headers.open, h)
	return h, nil
}

// read gives the header, or what there is of it with the error of io.ReadFull.
func (h *headerFile) read() ([]byte, error) {
	header := make([]byte, headerSize)
	n, err := io.ReadFull(io.NewSectionReader(h.file, 0, headerSize), header)
	return header[:n], err
}

func (h *headerFile) close() error {
	headers.Lock()
	defer headers.Unlock()
	if h.stores--; h.stores > 0 {
		return nil
	}
	for i, each := range headers.open {
		if each == h {
			headers.open = append(headers.open[:i], headers.open[i+1:]...)
			break
		}
	}
	return h.file.Close()
}
