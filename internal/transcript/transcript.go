// Package transcript reads questions and answers from the logs of other tools, which Source lists. It reads a log as a
// stream, in bounded memory, however long the log and its lines are. A scanner splits the log into JSON documents
// (scan.go). Each tool's reader decodes only the members that it needs (value.go). layout.go is the table of the tools that
// differ only in the names of members; the other tools have a file each. native.go lists the calls by which tools ask.
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

// The sources. Each has a fixture in testdata, which names the source code that it is based on.
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
	Kimi       Source = "Kimi Code"   // JSONL, an agent of a session a file, under ~/.kimi-code/sessions
	CopilotCLI Source = "Copilot CLI" // JSONL, a session a folder, under ~/.copilot/session-state
	Copilot    Source = "Copilot"     // JSONL or JSON, a chat a file, in chatSessions of the editor's workspaceStorage
)

// Exchange is a question with the user's response.
type Exchange struct {
	Source Source
	// ID is the same whenever the exchange is read, also from a log that has grown, or from a copy. It is the id of the
	// call if that is globally unique. Otherwise it is derived from the task or the file, and the question.
	ID string
	// Shared reports whether ID is the id of the call, which is the same in every tool's log.
	Shared bool
	// Agent is the name of the tool that asked: cc-viewer writes what Claude Code asks.
	Agent string
	// Workspace is the folder in which the agent worked. It is only the folder's name, or empty, if the log does not say
	// more.
	Workspace string
	// Call is the question, as package dialect reads it. It may be invalid and still have an answer, since other tools have
	// fewer requirements.
	Call question.Call
	// AskedAt and AnsweredAt are zero if the log does not have them.
	AskedAt, AnsweredAt time.Time
	// Outcome is question.Answered, question.Dismissed or question.Replied.
	Outcome question.Outcome
	// Timer reports whether the tool continued by itself after a timeout.
	Timer bool
	// AnswerText is the user's words: the answer to a question.ToolFollowup, or the reply if Outcome is question.Replied.
	AnswerText string
	// Picks are the answers to the questions of a questionnaire, in order. It is nil if no question has an answer.
	Picks []question.Pick
}

// Options configure a reading of logs.
type Options struct {
	// Progress, if not nil, is called repeatedly, and at the end, with the bytes read and the total. total is 0 if it is
	// unknown.
	Progress func(read, total int64)
	// Since, if not zero, skips files that were last written earlier.
	Since time.Time
	// Limits bound a single call and a single result. A larger one counts as damage.
	Limits question.Limits
}

// Report is the result of a reading.
type Report struct {
	// Files is the number of logs, and Bytes the number of bytes read, including those of other files.
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
	// Line is the line on which the damaged document begins, counted from 1. 0 means the whole file.
	Line   int
	Reason Reason
}

// Reason describes a problem in a sentence. As an error, it concerns one file and does not end Read.
type Reason struct{ Text locale.Key }

func (r Reason) Error() string { return "transcript: " + string(r.Text) }

// The reasons.
var (
	ReasonTruncated = Reason{"it ends in the middle"}
	ReasonMalformed = Reason{"it is not JSON"}
	ReasonTooLarge  = Reason{"it contains a call or an answer that is too large"}
	ReasonForm      = Reason{"it contains a question that asks for a secret, or has an unknown form"}

	// Reasons that concern a whole file.
	ReasonUnknown    = Reason{"it is not a log in a known format"}
	ReasonIrregular  = Reason{"it is not a regular file"}
	ReasonOutside    = Reason{"it is a link to a folder outside; import that folder by its own path"}
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

// reader is the state of a reading, which spans several files.
type reader struct {
	ctx    context.Context
	o      Options
	limit  int // of a call, or a result
	emit   func(Exchange) error
	report Report
	calls  ledger
	times  recent[viewerTime, time.Time]
	total  int64
	shown  int64 // the bytes read when Progress was last called
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

// progressBytes is the number of bytes read between two calls of Progress.
const progressBytes = 1 << 20

func (r *reader) progress(now bool) {
	if r.o.Progress != nil && (now || r.report.Bytes-r.shown >= progressBytes) {
		r.shown = r.report.Bytes
		r.o.Progress(r.shown, r.total)
	}
}

// damaged records a place, once.
func (r *reader) damaged(file string, line int, reason Reason) {
	this := Damage{File: file, Line: line, Reason: reason}
	if n := len(r.report.Damaged.First); n == 0 || r.report.Damaged.First[n-1] != this || reason == ReasonTooLarge {
		r.report.Damaged.add(this)
	}
}

// skip records a file of which nothing is read.
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
