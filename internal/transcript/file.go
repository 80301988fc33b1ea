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
	scope     string                 // what calls with short ids belong to
	known     bool                   // something in it was of a known kind
	member    func(key []byte) error // takes that of a record
	content   take                   // the content of a message
	input     take                   // the arguments of a call
	result    take                   // the result of one
	task      func() task
	workspace string           // if the log says it once
	looked    bool             // for the workspace, beside the log
	requested time.Time        // when the last request of a chat was made
	counts    generations[int] // of the exchanges of a task, by what was asked
	missed    generations[int] // of those without an outcome
	shown     generations[int] // the questionnaires of a chat, by what was asked, that have an id of their own
	record    record
	block     block
	nested    bool    // the records are the messages of a session
	tagged    []*call // written in tags by the message before
	asked     *call   // shown by the interface, not answered yet
}

// file reads one log and reports whether it is one.
func (r *reader) file(at found, in io.Reader) (known bool, err error) {
	limited, counter := capture{limit: r.limit}, generations[int]{size: 2 * maxKnown}
	f := &file{
		reader: r, scanner: newScanner(in), name: at.path, real: at.real, scope: scopeOf(at.real),
		task:   sync.OnceValue(func() task { return taskAt(at.real) }),
		counts: counter, missed: counter, shown: counter, block: block{input: limited, text: limited, content: limited},
		record: record{claude: claudeLine{structured: limited}, task: taskMessage{text: limited}},
	}
	f.input, f.result = f.when(f.asks, f.raw(&f.block.input)), f.when(f.answers, f.texts)
	f.content = f.contentOfMessage()
	f.member = f.memberOf(f.recordMembers())
	damaged, total := len(r.report.Damaged), r.report.DamagedTotal
	if err = f.fill(); err == nil {
		if bytes.HasPrefix(f.buf[:f.end], []byte("\ufeff")) {
			f.pos += len("\ufeff")
		}
		err = f.records(false)
	}
	f.drop()
	f.dropCalls()
	if f.known {
		r.report.Files++
	} else { // nobody needs to know what is wrong with a file that is not a log
		r.report.Damaged, r.report.DamagedTotal = r.report.Damaged[:damaged], total
	}
	return f.known, ended(err)
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

// ended returns err, or nil for the end of the input.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// records reads a sequence of records: lines, indented objects, or the elements of an array. Damage costs the record that it is in.
func (f *file) records(inArray bool) error {
	var key []byte // the first of a record that begins before it
	for {
		end, err := f.next(inArray, key)
		bad, isFlaw := asFlaw(err)
		switch key = nil; {
		case end || err != nil && !isFlaw:
			return err
		case err == nil:
			continue
		}
		f.damaged(f.name, f.line, Reason(bad))
		if inArray {
			key, err = f.seek()
		} else {
			err = f.resume()
		}
		if err != nil {
			return ended(err)
		}
	}
}

// next reads the next record, or what separates two. It reports whether the sequence has ended.
func (f *file) next(inArray bool, key []byte) (end bool, err error) {
	if key != nil {
		return false, f.readRecord(key)
	}
	if !inArray {
		f.form = free
	}
	c, err := f.peek()
	switch {
	case err != nil && inArray:
		return false, err
	case err != nil:
		return true, ended(err)
	case c == '{':
		f.pos++
		return false, f.document(inArray)
	case c == '[' && !inArray:
		f.pos++
		return false, f.records(true)
	case c == '-' && !inArray:
		return false, f.rule()
	case !inArray:
		f.form = flat
		return false, flaw(ReasonMalformed)
	case c == ',':
		f.pos++
		return false, nil
	case c == ']':
		f.pos++
		base := filepath.Base(f.real) // it is a task's, even if nothing was said yet
		f.known = f.known || base == interfaceFile || base == messagesFile
		return true, nil
	}
	return false, f.skip()
}

// document reads one object. Outside of an array it ends with its line, unless nothing follows its opening brace there.
func (f *file) document(inArray bool) error {
	if inArray {
		return f.readRecord(nil)
	}
	c, err := f.past(" \t\r")
	if err != nil {
		return err
	}
	if f.form = flat; c == '\n' {
		f.form = indented
	}
	return f.readRecord(nil)
}

// rule takes the line of --- between two requests of cc-viewer.
func (f *file) rule() error {
	if c, err := f.past("- \t\r"); err != nil || c == '\n' {
		return ended(err)
	}
	f.form = flat
	return flaw(ReasonMalformed)
}

// resume moves to where the next document begins: the next line, or, after an indented document, the next line that can be the first
// of one.
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
	}
	return nil
}

// seek moves to where the next message of an array begins, and returns its first key, which it takes. No string can hold a brace and
// a quotation mark in a row.
func (f *file) seek() ([]byte, error) {
	for {
		before, _, found := bytes.Cut(f.buf[f.pos:f.end], []byte("{"))
		f.line += bytes.Count(before, []byte("\n"))
		if f.pos += len(before) + 1; !found {
			if err := f.fill(); err != nil {
				return nil, err
			}
			continue
		}
		c, err := f.peek()
		if err != nil {
			return nil, err
		}
		if c != '"' {
			continue
		}
		key, err := f.key()
		if _, bad := asFlaw(err); err != nil && !bad {
			return nil, err
		}
		if err == nil && (string(key) == "ts" || string(key) == "role" || string(key) == "id") {
			return key, nil
		}
	}
}
