package transcript

import (
	"maps"
	"time"
)

// record is a line of a transcript, a request, or a message, as far as all tools have it alike.
type record struct {
	at        time.Time
	workspace string
	source    Source // empty in a task folder
	kind      string
	role      string // of a message of a task, or of Cline's
	session   bool   // it names its session
	live      bool   // what is read now happened when the record was written, unlike the history in a request
	images    int
	calls     []*call
	results   []result
	bytes     int // in results

	claude claudeLine
	viewer viewerRequest
	task   taskMessage
}

// result is what a call was given.
type result struct {
	call       *call
	parts      []string
	at         time.Time // if the result has a time of its own
	failed     bool
	cancelled  bool
	images     int
	turn       int
	structured []byte
}

// maxResultBytes bounds the results that wait for the end of their record.
const maxResultBytes = 16 << 20

func (r *record) reset() {
	structured, text := r.claude.structured, r.task.text
	structured.reset()
	text.reset()
	clear(r.calls)
	*r = record{
		calls: r.calls[:0], results: r.results[:0], claude: claudeLine{structured: structured}, task: taskMessage{text: text},
	}
}

// recordMembers are the members of the records of all tools.
func (f *file) recordMembers() members {
	r := &f.record
	all := members{
		"timestamp": f.set(&r.at), "ts": f.set(&r.at), "cwd": f.set(&r.workspace), "project": f.set(&r.workspace),
		"type": f.set(&r.kind), "sessionId": f.flag(&r.session),
	}
	for _, tool := range []members{
		f.claudeMembers(), f.viewerMembers(), f.taskMembers(), f.clineMembers(), f.codexMembers(), f.copilotMembers(), f.geminiMembers(),
		f.chatMembers(),
	} {
		maps.Copy(all, tool)
	}
	return all
}

// from takes what a tool has written.
func (f *file) from(tool Source, then take) take {
	return func() error {
		f.known, f.record.source = true, tool
		return f.whileLive(then)
	}
}

// whileLive takes what happened when the record was written.
func (f *file) whileLive(then take) error {
	f.record.live = true
	err := then()
	f.record.live = false
	return err
}

// readRecord reads the inside of an object, of which the first key may have been taken, and emits its exchanges, even if its end is damaged.
func (f *file) readRecord(key []byte) error {
	f.record.reset()
	if f.nested {
		f.record.source = Cline
	}
	var err error
	taken := 0
	if key != nil {
		taken, err = 1, f.pair(key, f.member)
	}
	if err == nil {
		err = f.rest(taken, f.member)
	}
	if failed := f.finish(); failed != nil {
		return failed
	}
	return err
}

// finish emits the exchanges of a record that is complete.
func (f *file) finish() error {
	r := &f.record
	asked := r.at
	if r.viewer.request && !asked.IsZero() {
		asked = asked.Add(r.viewer.took)
	}
	for _, c := range r.calls {
		if c.asked.IsZero() && c.live {
			c.asked = asked
		}
	}
	f.known = f.known || (r.session && r.kind != "" || claudeKinds[r.kind]) && !f.nested
	if err := f.orphan(); err != nil {
		return err
	}
	if err := f.emitResults(); err != nil {
		return err
	}
	for _, c := range r.calls {
		c.fresh = false
	}
	switch {
	case r.task.ask != "" || r.task.say != "":
		return f.showed()
	case r.role == roleUser && !f.nested:
		f.drop()
	}
	return nil
}

// emitResults emits the exchanges of the results so far.
func (f *file) emitResults() error {
	r := &f.record
	for i := range r.results {
		one := &r.results[i]
		if !r.claude.structured.over && len(r.results) == 1 {
			one.structured = r.claude.structured.raw
		}
		if len(r.results) == 1 && r.role != "" {
			one.images += r.images // Roo puts them beside the result
		}
		answered := r.at
		switch {
		case !one.at.IsZero():
			answered = one.at
		case r.viewer.request && one.call.fresh && one.turn != r.viewer.messages:
			answered = time.Time{} // both the call and its result are history
		}
		if err := f.answered(one, answered); err != nil {
			return err
		}
		*one = result{}
	}
	r.results, r.bytes = r.results[:0], 0
	return nil
}
