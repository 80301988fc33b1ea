package transcript

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// file is the reading of one log.
type file struct {
	*reader
	*scanner
	name      string // as the user named it
	real      string
	scope     string // what calls with short ids belong to
	known     bool   // something in it was of a known kind
	task      func() task
	facts     facts
	counts    generations[int] // of the exchanges of a task, by what was asked
	missed    generations[int] // of those without an outcome
	record    record
	block     block
	tagged    []*call          // written in tags by the message before
	inSession bool             // the messages of a session are being read
	shown     generations[int] // the questionnaires of a chat, by what was asked, that have an id of their own
	asked     *shown           // shown by the interface, not answered yet
}

// facts are what some record of a log says for the others.
type facts struct {
	workspace string
	looked    bool      // for the workspace, beside the log
	asked     time.Time // when the last request of a chat was made
}

// file reads one log and reports whether it is one.
func (r *reader) file(at found, in io.Reader, about func() task) (known bool, err error) {
	f := &file{
		reader: r, scanner: newScanner(in), name: at.path, real: at.real, scope: scopeOf(at.real),
		task: sync.OnceValue(about), counts: generations[int]{size: 2 * maxKnown}, missed: generations[int]{size: 2 * maxKnown}, shown: generations[int]{size: 2 * maxKnown},
		record: record{structured: capture{limit: r.limit}, text: capture{limit: r.limit}},
		block:  block{input: capture{limit: r.limit}, text: capture{limit: r.limit}, content: capture{limit: r.limit}},
	}
	before := len(r.report.Damaged)
	total := r.report.DamagedTotal
	err = f.documents()
	f.drop()
	f.dropCalls()
	if f.known {
		r.report.Files++
	} else { // what is wrong with a file that is no log is nobody's concern
		r.report.Damaged, r.report.DamagedTotal = r.report.Damaged[:before], total
	}
	return f.known, err
}

// scopeOf is what calls belong to whose ids are not unique by themselves: the name of the log without folder and extension, or of
// the folder where several files are one log.
func scopeOf(real string) string {
	if session := sessionFolder(real); session != "" {
		return filepath.Base(session)
	}
	if session := copilotSession(real); session != "" {
		return session
	}
	base := filepath.Base(real)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// documents reads a sequence of JSON documents: lines, indented objects, or one array.
func (f *file) documents() error {
	if err := f.byteOrderMark(); err != nil {
		return ended(err)
	}
	for {
		f.form = free
		c, err := f.peek()
		if err != nil {
			return ended(err)
		}
		switch c {
		case '{':
			err = f.document()
		case '[':
			err = f.list()
		case '-':
			err = f.rule()
		default:
			f.form = flat
			err = flaw(ReasonMalformed)
		}
		if err == nil {
			continue
		}
		bad, ok := asFlaw(err)
		if !ok {
			return err
		}
		f.damaged(f.name, f.line(), Reason(bad))
		if err := f.resume(); err != nil {
			return ended(err)
		}
	}
}

// ended returns err, or nil for the end of the input.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (f *file) byteOrderMark() error {
	if err := f.fill(); err != nil {
		return err
	}
	if bytes.HasPrefix(f.buf[:f.end], []byte("\ufeff")) {
		f.pos += len("\ufeff")
	}
	return nil
}

// resume goes to where the next document begins: the next line, or behind an indented document the next that can be the first of
// one.
func (f *file) resume() error {
	for !f.atNext() {
		if err := f.skipLine(); err != nil || f.form == flat {
			return err
		}
		if f.pos == f.end {
			if err := f.fill(); err != nil {
				return err
			}
		}
		f.fresh = f.base + int64(f.pos)
	}
	return nil
}

// rule takes the line of --- between two requests of cc-viewer.
func (f *file) rule() error {
	for {
		for ; f.pos < f.end; f.pos++ {
			switch f.buf[f.pos] {
			case '-', '\r', ' ', '\t':
			case '\n':
				return nil
			default:
				f.form = flat
				return flaw(ReasonMalformed)
			}
		}
		if err := f.fill(); err != nil {
			return ended(err)
		}
	}
}

// document reads one object. It ends with its line, unless nothing follows its opening brace there.
func (f *file) document() error {
	f.pos++
	c, err := f.afterBlanks()
	if err != nil {
		return err
	}
	if f.form = flat; c == '\n' {
		f.form = indented
	}
	return f.readRecord(nil)
}

// afterBlanks returns the next byte that is neither a space nor a tab nor a carriage return, without taking it.
func (f *file) afterBlanks() (byte, error) {
	for {
		for ; f.pos < f.end; f.pos++ {
			if c := f.buf[f.pos]; c != ' ' && c != '\t' && c != '\r' {
				return c, nil
			}
		}
		if err := f.fill(); err != nil {
			return 0, err
		}
	}
}

// list reads an array of messages: a task folder's file, or what a session's file holds of them. Damage costs one element: the next is found by how it begins, since no
// string can hold a brace and a quotation mark in a row.
func (f *file) list() error {
	f.pos++
	var key []byte
	for {
		end, err := f.element(key)
		if end {
			return err
		}
		key = nil
		if err == nil {
			continue
		}
		bad, ok := asFlaw(err)
		if !ok {
			return err
		}
		f.damaged(f.name, f.line(), Reason(bad))
		if key, err = f.seek(); err != nil {
			return ended(err)
		}
	}
}

// element reads what is next in an array: an element, of which the first key may have been taken already, a comma, or the end.
func (f *file) element(key []byte) (end bool, err error) {
	if key != nil {
		return false, f.readRecord(key)
	}
	c, err := f.peek()
	if err != nil {
		return false, err
	}
	switch c {
	case ',', ']':
		f.pos++
		if base := filepath.Base(f.real); c == ']' && (base == interfaceFile || base == messagesFile) {
			f.known = true // also where nothing was said yet
		}
		return c == ']', nil
	case '{':
		f.pos++
		return false, f.readRecord(nil)
	}
	return false, f.skip()
}

// seek goes to where the next element of a task folder's array begins, and returns its first key, which it takes.
func (f *file) seek() ([]byte, error) {
	for {
		i := bytes.IndexByte(f.buf[f.pos:f.end], '{')
		if i < 0 {
			if err := f.fill(); err != nil {
				return nil, err
			}
			continue
		}
		f.pos += i + 1
		c, err := f.peek()
		if err != nil {
			return nil, err
		}
		if c != '"' {
			continue
		}
		key, err := f.takeKey()
		if _, bad := asFlaw(err); err != nil && !bad {
			return nil, err
		}
		if err == nil && (string(key) == "ts" || string(key) == "role" || string(key) == "id") {
			return key, nil
		}
	}
}
