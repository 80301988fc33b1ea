package conversation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// Stream is one message of an agent, parsed while it is written.
type Stream struct {
	protocol.StreamParams
	Conversation *Conversation

	tags    *dialect.Tags     // nil until there is assistant text
	text    received          // of the assistant text
	open    *Record           // the call in tags that is being parsed; nil outside calls
	inputs  map[string]*input // native calls by id
	order   []string          // ids of native calls, in the order of their first fragments
	tagged  int               // the number of calls in tags
	calls   []*Record         // the complete calls, in order
	kept    []*Record         // an earlier process's calls that have not been found again yet, in order
	cut     bool              // an earlier process has parsed a part, and its saved calls are not known yet
	hidden  question.Hidden   // calls that were not run
	refused error             // why it cannot continue: an earlier process's calls could not be looked up
	passed  strings.Builder   // text outside calls that has not been passed on yet
	taken   int               // bytes of such text that have been passed on
	said    strings.Builder   // the end of the text since the last call, see say
	read    []unread          // parser events that have not been carried out yet
	held    int               // bytes that the text parser had not parsed when it last stopped
	ended   *protocol.StreamEndResult
}

// queue returns a function that queues a parser's events: parsing needs no lock, and Registry.takeRead carries them out under it.
func (st *Stream) queue(open **Record, callID string) func(dialect.Event) {
	return func(e dialect.Event) { st.read = append(st.read, unread{open, callID, e}) }
}

// unread is an event of a parser: see Registry.read.
type unread struct {
	open   **Record
	callID string
	event  dialect.Event
}

func (g *Registry) takeRead(st *Stream) {
	for _, e := range st.read {
		g.read(st, e.open, e.callID, e.event)
	}
	st.read = nil
}

// reading calls read without the lock, since a call may be large, and carries out the parser's events in a section. The session's
// turn protects the parsers.
func (g *Registry) reading(st *Stream, read func()) {
	if g.reads != nil {
		g.reads()
	}
	read()
	g.Enter()
	defer g.Leave()
	if st.tags != nil {
		st.held = st.tags.Held()
	}
	if g.streams.byID[st.StreamParams] == st { // otherwise it was cut meanwhile
		g.takeRead(st)
	}
}

// input is one native call whose arguments arrive in fragments.
type input struct {
	received
	reader *dialect.Input
	open   *Record
}

// streams has the running streams, and ended ones as long as one of their calls is in memory.
type streams struct {
	byID map[protocol.StreamParams]*Stream
	past []protocol.StreamParams // recently forgotten streams, newest last
}

// pastKept is how many forgotten streams are remembered, so that a late message does not reopen one.
const pastKept = 1024

// of returns a record's stream; nil if it has none, or the stream was forgotten.
func (all *streams) of(r *Record) *Stream {
	return all.byID[protocol.StreamParams{Session: r.Conversation.ID, StreamID: r.StreamID}]
}

// growing reports whether a record's stream is running. The stream's end will list all its calls, also closed ones.
func (all *streams) growing(r *Record) bool {
	st := all.of(r)
	return st != nil && st.ended == nil
}

// forget drops a record's stream if this was its last call in memory.
func (all *streams) forget(r *Record) {
	if st := all.of(r); st != nil {
		st.calls = without(st.calls, r)
		all.forgetEmpty(st)
	}
}

func (all *streams) forgetEmpty(st *Stream) {
	if st.ended == nil || len(st.calls) > 0 {
		return
	}
	delete(all.byID, st.StreamParams)
	all.past = append(all.past, st.StreamParams)
	if len(all.past) > pastKept {
		all.past = slices.Clone(all.past[pastKept/2:])
	}
}

// closeStreams drops the streams of a closed conversation, and the records that were kept for its agent.
func (g *Registry) closeStreams(c *Conversation) {
	for of, st := range g.streams.byID {
		if of.Session == c.ID {
			delete(g.streams.byID, of)
			g.collectInvalid(st)
		}
	}
	for _, r := range slices.Clone(c.Records) {
		r.promised = false
		g.Forget(r)
	}
}

// reads reports whether a stream of a conversation is running.
func (all *streams) reads(c *Conversation) bool {
	for of := range all.byID {
		if of.Session == c.ID {
			return true
		}
	}
	return false
}

// stream returns a stream, and opens it if necessary.
func (g *Registry) stream(of protocol.StreamParams) (*Stream, error) {
	st := g.streams.byID[of]
	if st != nil && st.refused != nil {
		return nil, st.refused
	}
	c, err := g.Conversation(of.Session)
	if err == nil && st == nil {
		st = &Stream{StreamParams: of, Conversation: c, inputs: map[string]*input{}}
		g.streams.byID[of] = st
	}
	return st, err
}

// growing returns a stream that has not ended, and opens it if necessary.
func (g *Registry) growing(of protocol.StreamParams) (*Stream, error) {
	st := g.streams.byID[of]
	if st != nil && st.ended != nil || st == nil && slices.Contains(g.streams.past, of) {
		return nil, errorf(jsonrpc2.CodeInvalidRequest, "the stream %s has ended", of.StreamID)
	}
	return g.stream(of)
}

// Append parses the next piece of a stream's text, in the session's turn. A piece may end inside a character. offset is the
// number of bytes before the piece.
func (g *Registry) Append(of protocol.StreamParams, offset int, text []byte) error {
	var fresh []byte
	st, err := g.openStream(of, func(st *Stream) error {
		if st.tags == nil {
			st.tags = dialect.NewTags(st.Conversation.Reading, st.queue(&st.open, ""))
		}
		fresh = st.text.take(offset, text)
		return nil
	})
	if err == nil && len(fresh) > 0 {
		g.reading(st, func() { st.tags.Append(fresh) })
	}
	return err
}

// AppendInput parses the next fragment of a native call's arguments, like Append.
func (g *Registry) AppendInput(of protocol.StreamParams, callID, tool string, offset int, fragment []byte) error {
	var in *input
	var fresh []byte
	st, err := g.openStream(of, func(st *Stream) error {
		if in = st.inputs[callID]; in == nil {
			if err := NoTool(tool); err != nil {
				return err
			}
			in = &input{}
			in.reader = dialect.NewInput(tool, st.Conversation.Reading, st.queue(&in.open, callID))
			st.inputs[callID] = in
			st.order = append(st.order, callID)
		}
		fresh = in.take(offset, fragment)
		return nil
	})
	if err == nil && len(fresh) > 0 {
		g.reading(st, func() { in.reader.Append(fresh) })
	}
	return err
}

// openStream finds or opens a stream that has not ended, in a section.
func (g *Registry) openStream(of protocol.StreamParams, with func(*Stream) error) (*Stream, error) {
	g.Enter()
	defer g.Leave()
	st, err := g.growing(of)
	if err != nil {
		return nil, err
	}
	return st, with(st)
}

// Held returns an upper bound for the bytes that the end of a stream has to parse, without those that are being parsed now.
func (g *Registry) Held(of protocol.StreamParams) (held int) {
	g.View(func() {
		if st := g.streams.byID[of]; st != nil {
			held = st.held
		}
	})
	return held
}

// FinishReading parses the end of a stream's message, before EndStream and like Append. It fails if a piece is missing.
func (g *Registry) FinishReading(of protocol.StreamParams) (err error) {
	var st *Stream
	g.View(func() {
		if st = g.streams.byID[of]; st == nil {
			return
		}
		all := []received{st.text}
		for _, id := range st.order {
			all = append(all, st.inputs[id].received)
		}
		for _, each := range all {
			if each.end > each.next && st.ended == nil {
				err = errorf(protocol.CodeIncomplete, "a piece of the stream %s has not arrived: the bytes from %d are missing", of.StreamID, each.next)
			}
		}
	})
	if st != nil && err == nil {
		g.reading(st, st.finish)
	}
	return err
}

// finish ends the parsers: a call that is still open is truncated.
func (st *Stream) finish() {
	if st.tags != nil {
		st.tags.End()
	}
	for _, id := range st.order {
		st.inputs[id].reader.End()
	}
}

// EndStream ends a stream and returns its calls. A repeated request gets the same result.
func (g *Registry) EndStream(of protocol.StreamParams, reason protocol.StreamEndReason) (protocol.StreamEndResult, error) {
	if st := g.streams.byID[of]; st != nil && st.refused != nil && reason == protocol.StreamAborted {
		if err := g.Reopen(of); err != nil { // to withdraw its calls in memory
			return protocol.StreamEndResult{}, err
		}
		_ = g.Resume(of, nil) // opened just now
	}
	st, err := g.stream(of)
	if err != nil {
		return protocol.StreamEndResult{}, err
	}
	if st.ended != nil {
		return *st.ended, nil
	}
	switch reason {
	case protocol.StreamComplete: // includes an earlier process's calls that were not sent again
		st.finish() // unless FinishReading did
		g.takeRead(st)
		st.calls, st.kept = append(st.calls, st.kept...), nil
	case protocol.StreamAborted:
		for _, r := range slices.Concat(st.arriving(), st.calls, st.kept) {
			_ = g.withdraw(r)
		}
	default:
		return protocol.StreamEndResult{}, errorf(jsonrpc2.CodeInvalidParams, "reason is %q; it must be complete or aborted", reason)
	}
	st.ended = &protocol.StreamEndResult{Calls: []protocol.StreamCall{}, ConsecutiveMistakes: st.Conversation.State.Mistakes.Count()}
	for _, r := range st.calls {
		st.ended.Calls = append(st.ended.Calls, found(r))
		r.promised = reason == protocol.StreamComplete
	}
	if hidden := st.hidden; hidden != (question.Hidden{}) {
		st.ended.Hidden = &hidden
	}
	g.collectInvalid(st)
	st.tags, st.inputs, st.order = nil, nil, nil
	ended := *st.ended
	st.calls = slices.DeleteFunc(slices.Clone(st.calls), func(r *Record) bool { return g.records[r.ID] != r })
	g.forgetCalls(st)
	g.streams.forgetEmpty(st)
	return ended, nil
}

// collectInvalid records that a stream's end has listed its invalid calls, except those that wait for guidance.
func (g *Registry) collectInvalid(st *Stream) {
	for _, r := range st.calls {
		if r.Call.Err != nil && r.Outcome != nil && r.GuidedBy == nil {
			g.collect(r)
		}
	}
}

// Cut drops a stream whose client has disconnected. Complete calls stay; a client that sends the stream again resumes it.
func (g *Registry) Cut(of protocol.StreamParams) {
	g.streams.past = slices.DeleteFunc(g.streams.past, func(other protocol.StreamParams) bool { return other == of })
	st := g.streams.byID[of]
	if st == nil {
		return
	}
	delete(g.streams.byID, of)
	for _, r := range st.arriving() {
		if !r.Whole() {
			_ = g.withdraw(r)
		}
	}
	g.forgetCalls(st)
}

// forgetCalls evicts the calls of a stream that were closed before it ended.
func (g *Registry) forgetCalls(st *Stream) {
	for _, r := range slices.Clone(st.Conversation.Records) {
		if r.StreamID == st.StreamID {
			g.Forget(r)
		}
	}
}

func (st *Stream) arriving() (open []*Record) {
	for _, in := range st.inputs {
		open = append(open, in.open)
	}
	return slices.DeleteFunc(append(open, st.open), func(r *Record) bool { return r == nil })
}

func (g *Registry) withdraw(r *Record) error { return g.takeBack(r, question.Withdrawn) }

// takeBack closes a question without its user.
func (g *Registry) takeBack(r *Record, why question.Outcome) error {
	if r.State == protocol.ItemClosed {
		return nil
	}
	return g.mustApply(r.Conversation, session.Resolved{ID: r.ID, Outcome: why})
}

// read carries out a parser's event. open points to the parser's open call.
func (g *Registry) read(st *Stream, open **Record, callID string, e dialect.Event) {
	r, tag := *open, open == &st.open
	if _, over := e.(*dialect.Done); r != nil && (r.Whole() || r.Outcome != nil) && !over {
		return // an earlier process has parsed it, or the agent has withdrawn it
	}
	switch e := e.(type) {
	case *dialect.Text:
		st.passed.WriteString(e.Text)
		st.say(e.Text)
		g.options.PassText(st)
	case *dialect.Hidden:
		st.hidden.Count(e.By)
	case *dialect.Opened:
		if *open = g.begin(st, tag, e.Tool, callID); !(*open).Whole() {
			g.happened(st.Conversation, session.Began{ID: (*open).ID})
		}
	case *dialect.Grew:
		r.Partial.text = append(r.Partial.text, e.Text...)
		g.Audience.Grew(r)
	case *dialect.Suggested:
		r.Partial.suggest = append(r.Partial.suggest, e.Suggestions...)
		g.Audience.Grew(r)
	case *dialect.GrewPart:
		r.Partial.grow(e)
		g.Audience.Grew(r)
	case *dialect.Done:
		if r == nil { // a call that was complete before any part of it could be shown
			r = g.begin(st, tag, e.Call.Tool, callID)
		}
		*open = nil
		st.calls = append(st.calls, r)
		if r.Whole() {
			break // an earlier process has counted and asked it
		}
		call := e.Call
		call.Envelope = r.Call.Envelope
		if tag {
			call.Ordinal = st.tagged
		}
		r.Partial = Partial{} // the call now has all of it
		if r.Outcome != nil { // it was withdrawn while it arrived
			r.Call = call
			g.Touch(r)
			break
		}
		if err := g.take(r, call); err != nil { // the end of the stream returns it
			st.calls, st.refused = without(st.calls, r), err
		}
	default:
		g.options.Log.DPanic("unknown parser event", zap.Any("event", e))
	}
}

// begin adds a record for a call that begins in a stream, or finds the earlier process's record.
func (g *Registry) begin(st *Stream, tag bool, tool, callID string) *Record {
	ordinal := 0
	if tag {
		st.tagged++
		ordinal = st.tagged
	}
	same := func(r *Record) bool { return r.Tool == tool && r.CallID == callID && r.Call.Ordinal == ordinal }
	said := question.Before(st.said.String())
	st.said.Reset()
	if i := slices.IndexFunc(st.kept, same); i >= 0 {
		r := st.kept[i]
		st.kept = slices.Delete(st.kept, i, i+1)
		return r
	}
	r := g.newRecord(st.Conversation, g.options.NewID(), tool)
	r.StreamID, r.CallID = st.StreamID, callID
	r.Call.Context = said
	return r
}

// say records text that may precede a call. It keeps at most twice as much as the interface shows.
func (st *Stream) say(text string) {
	st.said.WriteString(text)
	if st.said.Len() > 2*question.MaxContext {
		all := st.said.String()
		st.said.Reset()
		st.said.WriteString(strings.ToValidUTF8(all[len(all)-question.MaxContext-utf8.UTFMax:], ""))
	}
}

// TakeText returns the text outside calls that has not been passed on yet, and its offset in all such text.
func (g *Registry) TakeText(st *Stream) (offset int, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	offset, text = st.taken, st.passed.String()
	st.taken += len(text)
	st.passed = strings.Builder{}
	return offset, text
}

// found converts a call for the client that sent the stream.
func found(r *Record) protocol.StreamCall {
	call := protocol.StreamCall{
		QuestionID: r.ID, Tool: r.Tool, Status: protocol.CallValid, Payload: r.Payload(), CallID: r.CallID,
		Repairs: codes(r.Call.Repairs), Notices: codes(r.Call.Notices),
	}
	if r.Call.Err != nil {
		call.Status, call.Error = protocol.CallInvalid, r.Error()
	}
	return call
}
