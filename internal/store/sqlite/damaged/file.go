// Package damaged reads what can be read of a damaged SQLite file: the rows of every page that is sound, whichever others are
// not. It needs neither the file's header nor its schema nor its trees, since it finds rows by going through all pages.
package damaged

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// usualPage is the size of a page where the file does not tell it.
const usualPage = 4096

// File is a file and the write-ahead log beside it. It is not for use by several goroutines at once.
type File struct {
	file, log *os.File // log is nil where there is none
	size      int      // of a page
	pages     uint32
	logged    map[uint32]int64 // where in the log the newest version of a page is
	buffer    []byte
}

// Open opens a file, and its log where there is one.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, size: usualPage, logged: map[uint32]int64{}}
	if f.log, err = os.Open(path + "-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, file.Close())
	}
	if err := f.measure(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.buffer = make([]byte, f.size)
	return f, nil
}

// Close closes the files.
func (f *File) Close() error {
	err := f.file.Close()
	if f.log != nil {
		err = errors.Join(err, f.log.Close())
	}
	return err
}

// measure finds out how large a page is and how many there are. https://sqlite.org/fileformat.html
func (f *File) measure() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	header := make([]byte, 18)
	if _, err := f.file.ReadAt(header, 0); err == nil && string(header[:16]) == "SQLite format 3\x00" {
		f.setSize(uint32(binary.BigEndian.Uint16(header[16:])))
	}
	if f.log != nil {
		if err := f.readLog(); err != nil {
			return err
		}
	}
	f.pages = max(f.pages, uint32(min(info.Size()/int64(f.size), 1<<31)))
	return nil
}

// setSize takes a size of pages, if it is one.
func (f *File) setSize(size uint32) {
	if size == 1 {
		size = 1 << 16
	}
	if size >= 512 && size <= 1<<16 && size&(size-1) == 0 {
		f.size = int(size)
	}
}

// The sizes of the headers in a log. https://sqlite.org/fileformat.html#the_write_ahead_log
const (
	logHeader   = 32
	frameHeader = 24
	magic       = 0x377f0682 // the last bit tells the order of the bytes for the checksum
)

// readLog notes where the log has pages, up to the last transaction that is whole.
func (f *File) readLog() error {
	header := make([]byte, logHeader)
	if _, err := f.log.ReadAt(header, 0); err != nil {
		return ifNotEnd(err)
	}
	if binary.BigEndian.Uint32(header)&^1 != magic {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if header[3]&1 != 0 {
		order = binary.BigEndian
	}
	sum := checksum{order: order}
	sum.add(header[:24])
	if !sum.is(header[24:]) {
		return nil
	}
	f.setSize(binary.BigEndian.Uint32(header[8:]))
	begun := map[uint32]int64{} // by a transaction that is not whole yet
	frame := make([]byte, frameHeader+f.size)
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := f.log.ReadAt(frame, at); err != nil {
			return ifNotEnd(err)
		}
		sum.add(frame[:8])
		sum.add(frame[frameHeader:])
		if string(frame[8:16]) != string(header[16:24]) || !sum.is(frame[16:]) {
			return nil // left by an earlier use of the log
		}
		begun[binary.BigEndian.Uint32(frame)] = at + frameHeader
		if binary.BigEndian.Uint32(frame[4:]) == 0 {
			continue // it is not the last of a transaction
		}
		for page, where := range begun {
			f.logged[page] = where
			f.pages = max(f.pages, page)
		}
		clear(begun)
	}
}

func ifNotEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// checksum is the log's.
type checksum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (c *checksum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c.a += c.order.Uint32(data) + c.b
		c.b += c.order.Uint32(data[4:]) + c.a
	}
}

func (c *checksum) is(data []byte) bool {
	return binary.BigEndian.Uint32(data) == c.a && binary.BigEndian.Uint32(data[4:]) == c.b
}

// Pages is the number of the last page; the first one is 1.
func (f *File) Pages() uint32 { return f.pages }

// page reads a page, and gives false where it cannot be read. What it gives is overwritten by the next call.
func (f *File) page(n uint32) ([]byte, bool) {
	from, at := f.file, int64(n-1)*int64(f.size)
	if where, logged := f.logged[n]; logged {
		from, at = f.log, where
	}
	if n == 0 || n > f.pages {
		return nil, false
	}
	_, err := from.ReadAt(f.buffer, at)
	return f.buffer, err == nil
}
