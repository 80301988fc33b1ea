// Package transcript reads questions and answers from the logs of other tools; Source lists them. It reads a log as a stream, in
// bounded memory, however large the log is and however long its lines are. A scanner cuts the log into JSON documents (scan.go). The
// readers of a tool's documents ask for the members that they need (value.go): layout.go has a table of those that differ in names alone,
// and the other tools have a file each. native.go has the calls by which tools ask.
package transcript

import (
	"context"
	"errors"
	"io"
	"time"

	"followup/internal/locale"
	"followup/internal/question"
)

// Source is the name of the tool that wrote the log in which an exchange was found.
type Source string

// The sources. Each has a fixture in testdata, which names the tool's own source that it was made after.
const (
	ClaudeCode Source = "Claude Code" // JSONL, a session a file, under ~/.claude/projects
	CCViewer   Source = "cc-viewer"   // requests and responses in one file, or, since its format 2, a folder of several for each session
	Roo        Source = "Roo Code"    // task folders with ui_messages.json and api_conversation_history.json
	Zoo        Source = "Zoo Code"    // likewise
	Bob        Source = "IBM Bob"     // likewise
	Kilo       Source = "Kilo Code"   // likewise; its command line has an SQLite file like opencode's
	Cline      Source = "Cline"       // likewise; today SESSION/SESSION.messages.json
	OpenCode   Source = "opencode"    // an SQLite file
	Codex      Source = "Codex"       // JSONL, a session a file, under ~/.codex/sessions
	Gemini     Source = "Gemini CLI"  // JSONL or JSON, a session a file, under ~/.gemini/tmp
	Qwen       Source = "Qwen Code"   // JSONL, a session a file, under ~/.qwen/projects
	CopilotCLI Source = "Copilot CLI" // JSONL, a session a folder, under ~/.copilot/session-state
	Copilot    Source = "Copilot"     // JSONL or JSON, a chat a file, in chatSessions of the editor's workspaceStorage
)

// Exchange is one question with the user's response.
type Exchange struct {
	Source Source
	// ID is the same whenever the same exchange is read, even from a log that has grown or that its tool has copied. It is the id of the
	// call if that is unique by itself. Otherwise it is made of the task or the file, and of the question.
	ID string
	// Shared reports whether ID is the call's own: the same in every tool's log of it.
	Shared bool
	// Agent is the name of the tool that asked: cc-viewer writes what Claude Code asks.
	Agent string
	// Workspace is the folder in which the agent worked, or only its name if the log says no more, or empty.
	Workspace string
	// Call is the question, as dialect reads it. It can be invalid and still have an answer, since other tools require less.
	Call question.Call
	// AskedAt and AnsweredAt are zero if the log does not have them.
	AskedAt, AnsweredAt time.Time
	// Outcome is question.Answered, question.Dismissed or question.Replied.
	Outcome question.Outcome
	// Timer reports whether the tool continued by itself after a timeout.
	Timer bool
	// AnswerText is the user's words: the answer to a question.ToolFollowup, or, for question.Replied, the words in place of an answer.
	AnswerText string
	// Picks are the answers to the questions of a questionnaire, in their order. It is nil if none has one.
	Picks []question.Pick
}

// Options say how to read logs.
type Options struct {
	// Progress, if not nil, is called now and then, and at the end, with the bytes read and the bytes in all. Total is 0 if it is not
	// known.
	Progress func(read, total int64)
	// Since, if not zero, leaves out files that were last written before.
	Since time.Time
	// Limits bound a single call, and a single result. A larger one counts as damage.
	Limits question.Limits
}

// Report is the result of a reading.
type Report struct {
	// Files is the number of logs of a known kind, and Bytes the number of bytes read, also of other files.
	Files int
	Bytes int64
	// Found counts the exchanges that were emitted.
	Found int
	// Unanswered counts the calls that have neither an answer nor a refusal. Nothing is emitted for them.
	Unanswered int
	// Skipped are the files of which nothing was read.
	Skipped Places
	// Damaged are the places in logs that could not be read.
	Damaged Places
}

// maxListed bounds Places.First.
const maxListed = 100

// Places are places that could not be read: the first ones, and how many there are.
type Places struct {
	First []Damage
	Total int
}

func (p *Places) add(d Damage) {
	if p.Total++; len(p.First) < maxListed {
		p.First = append(p.First, d)
	}
}

// Damage is one place that could not be read.
type Damage struct {
	File string
	// Line is that on which the damaged document begins, from 1; 0 is the whole file.
	Line   int
	Reason Reason
}

// Reason is a sentence about what is wrong with a place. As an error, it is about one file and does not end Read.
type Reason struct{ Text locale.Key }

func (r Reason) Error() string { return "transcript: " + string(r.Text) }

// The reasons.
var (
	ReasonTruncated = Reason{"it ends in the middle"}
	ReasonMalformed = Reason{"it is not JSON"}
	ReasonTooLarge  = Reason{"it contains a call or an answer that is too large"}

	// Of whole files.
	ReasonUnknown    = Reason{"it is not a log in a known format"}
	ReasonIrregular  = Reason{"it is not a regular file"}
	ReasonUnreadable = Reason{"it cannot be read"}
	ReasonLocked     = Reason{"another program keeps it locked"}
	ReasonDamaged    = Reason{"it is damaged, or not an SQLite database"}
	ReasonPacked     = Reason{"the compressed file is damaged or cut off; what could be read of it was imported"}
	ReasonUnpacked   = Reason{"the compressed file holds more than 1 GiB, or needs more than 8 MiB of memory; decompress it with zstd and import that"}
)

// ErrUnknownFormat is returned if the file, or every file in the folder, is not a log of a known kind.
var ErrUnknownFormat = errors.New("not a log in a known format")

// ErrUnreadable is returned if the path cannot be opened.
var ErrUnreadable = errors.New("it cannot be opened")

// reader is the state of one reading, which continues from one file to the next.
type reader struct {
	ctx    context.Context
	o      Options
	limit  int // of a call, or a result
	emit   func(Exchange) error
	report Report
	calls  ledger
	times  recent[viewerTime, time.Time]
	total  int64
	shown  int64 // bytes when Progress was last called
}

func newReader(ctx context.Context, o Options, emit func(Exchange) error) *reader {
	return &reader{ctx: ctx, o: o, limit: o.Limits.WithDefaults().Message, emit: emit, calls: newLedger(), times: recent[viewerTime, time.Time]{most: maxTimes}}
}

// done returns the report.
func (r *reader) done() Report {
	r.report.Unanswered += len(r.calls.open.new) + len(r.calls.open.old)
	r.progress(true)
	return r.report
}

// progressBytes is how much is read between two calls of Progress.
const progressBytes = 1 << 20

func (r *reader) progress(now bool) {
	if r.o.Progress != nil && (now || r.report.Bytes-r.shown >= progressBytes) {
		r.shown = r.report.Bytes
		r.o.Progress(r.shown, r.total)
	}
}

// damaged notes a place; the same one only once.
func (r *reader) damaged(file string, line int, reason Reason) {
	this := Damage{File: file, Line: line, Reason: reason}
	if n := len(r.report.Damaged.First); n == 0 || r.report.Damaged.First[n-1] != this || reason == ReasonTooLarge {
		r.report.Damaged.add(this)
	}
}

// skip notes a file of which nothing is read.
func (r *reader) skip(file string, reason Reason) {
	r.report.Skipped.add(Damage{File: file, Reason: reason})
}

// counted counts the bytes read. It adds ReasonUnreadable to errors of the input.
type counted struct {
	*reader
	in io.Reader
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.report.Bytes += int64(n)
	c.progress(false)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errors.Join(ReasonUnreadable, err)
	}
	return n, err
}
