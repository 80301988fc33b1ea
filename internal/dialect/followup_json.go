package dialect

import (
	"cmp"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// followupInput reads the arguments of ask_followup_question: an object, or a string that holds one.
type followupInput struct {
	arguments
	inner    *toolcall.JSON // reads the string
	began    bool
	innerEnd bool // the string ended
	whole    bool // with the value in it
}

func newFollowupInput(in *Input) *followupInput {
	r := &followupInput{}
	r.limit = in.options.Limits.Parameter
	r.strict = in.options.Strict
	r.draft.out = &in.out
	return r
}

func (r *followupInput) flush()       { r.draft.grow() }
func (r *followupInput) opened() bool { return r.draft.open }

func (r *followupInput) run(room int) run {
	if r.place != inQuestionText || r.current == nil || r.inner != nil {
		return run{}
	}
	return newRun(r.current, min(room, r.room(0)))
}

func (r *followupInput) Value(k toolcall.Kind) {
	if !r.began && k == toolcall.String {
		r.codes.add(question.RepairDoubleEncoded)
		r.inner = toolcall.NewJSON(&r.arguments)
		r.tokens = r.inner
	} else {
		r.arguments.Value(k)
	}
	r.began = true
}

func (r *followupInput) StringPart(b []byte) {
	if r.inner != nil {
		r.inner.Append(b)
		return
	}
	r.arguments.StringPart(b)
}

func (r *followupInput) EndString() {
	if r.inner != nil {
		r.innerEnd, r.whole = true, r.inner.End()
		return
	}
	r.arguments.EndString()
}

func (r *followupInput) end(state inputEnd) {
	if in := r.inner; in != nil && r.innerEnd && state.problem == "" {
		state.lenient = cmp.Or(state.lenient, in.Mended)
		switch {
		case in.Failed():
			state.problem, state.found = question.Reason(in.Fault), quoted(in.Found)
		case !r.whole:
			state.problem = question.ReasonInnerEnd
		}
	}
	r.draft.finish(question.ToolFollowup, r.finish(state), r.strict)
}

// argumentPlace is what in the arguments a reader is inside of.
type argumentPlace uint8

const (
	atTop argumentPlace = iota
	inArguments
	inQuestionText
	inList     // the array of follow_up or options
	inListText // a string in place of it
	inOther    // a value that does not matter
)

// arguments reads the object: Roo's {question, follow_up: [{text, mode}]} and Cline's {question, options: [string]}.
type arguments struct {
	tokens *toolcall.JSON // where the events come from
	limit  int
	strict bool
	draft  draft
	codes  codes

	place argumentPlace
	key   string
	depth int // containers that are open in a list, or in a value that does not matter
	start int // where the value of the key began
	large *question.Detail
	other bool // something else than an object was found

	question  *trimmed // the last that is not blank
	current   *trimmed // the one that is read
	questions int
	lists     [2]*jsonList // follow_up and options: the last of each that holds something
	times     [2]int       // how often each was there
	list      *jsonList    // the one that is read
	slot      int          // which it is
	items     items
	text      *trimmed // a string in place of a list
}

// jsonList is what follow_up, or options, holds.
type jsonList struct {
	suggestionList
	holds   bool // something, readable or not
	wrong   bool // something that is no list
	doubly  bool // it stood in a string
	lenient toolcall.Fault
}

// room returns how many bytes more the value of the current parameter may have, after n.
func (r *arguments) room(n int) int { return r.limit - (r.tokens.Offset() + n - r.start) }

// within reports whether the value of the current parameter is within its limit, n bytes further on.
func (r *arguments) within(n int) bool {
	if r.large == nil && r.room(n) < 0 {
		r.large = &question.Detail{Name: r.key, Limit: r.limit}
		r.draft.grow()
		r.draft.question, r.question, r.current, r.text = nil, nil, nil, nil
		r.lists = [2]*jsonList{}
	}
	return r.large == nil
}

func (r *arguments) Key(name []byte) {
	switch r.place {
	case inArguments:
		r.key = keyName(name)
	case inList:
		r.items.Key(name)
	}
}

func (r *arguments) Value(k toolcall.Kind) {
	switch r.place {
	case atTop:
		if k == toolcall.Object {
			r.place = inArguments
			return
		}
		r.other = true
		r.skip(k)
	case inArguments:
		r.start = r.tokens.Offset()
		r.parameter(k)
	case inList:
		if r.within(0) {
			r.items.Value(k)
		}
		r.nest(k)
	case inOther:
		r.nest(k)
	}
}

// nest counts the containers that are open.
func (r *arguments) nest(k toolcall.Kind) {
	if k == toolcall.Array || k == toolcall.Object {
		r.depth++
	}
}

// skip leaves a value out.
func (r *arguments) skip(k toolcall.Kind) {
	if k >= toolcall.String {
		r.place, r.depth = inOther, 0
		r.nest(k)
	}
}

// parameter takes the value of a key of the arguments.
func (r *arguments) parameter(k toolcall.Kind) {
	switch r.key {
	case tagQuestion:
		r.draft.begin(question.ToolFollowup)
		if r.questions++; k == toolcall.String {
			r.place, r.current = inQuestionText, &trimmed{first: questionRoom}
			if r.questions == 1 {
				r.draft.question = r.current
			}
			return
		}
		r.skip(k)
	case tagFollowUp:
		r.openList(0, k)
	case "options":
		r.openList(1, k)
	default:
		r.skip(k)
	}
}

// openList begins to read follow_up or options.
func (r *arguments) openList(slot int, k toolcall.Kind) {
	r.draft.begin(question.ToolFollowup)
	r.times[slot]++
	r.list, r.slot = &jsonList{}, slot
	// What comes first is shown at once; it is what will be taken unless another list holds something too.
	if r.times[0]+r.times[1] == 1 {
		r.list.shown = &r.draft
	}
	switch k {
	case toolcall.Array:
		r.place, r.depth = inList, 1
		r.items = items{list: &r.list.suggestionList}
	case toolcall.String:
		r.place, r.text = inListText, &trimmed{}
	case toolcall.Null:
		r.closeList()
	default:
		r.list.holds, r.list.wrong = true, true
		r.closeList()
		r.skip(k)
	}
}

func (r *arguments) closeList() {
	l := r.list
	l.holds = l.holds || l.found
	if r.large == nil && (r.lists[r.slot] == nil || l.holds) {
		r.lists[r.slot] = l
	}
}

// closeText reads a string in place of a list as JSON.
func (r *arguments) closeText() {
	text := r.text.String()
	if r.text = nil; text != "" {
		found := &suggestionList{}
		lenient, _, ok := readArray(text, found)
		if ok {
			r.list.doubly, r.list.lenient = true, lenient
			r.list.adopt(found)
		} else {
			r.list.holds, r.list.wrong = true, true
		}
	}
	r.closeList()
}

func (r *arguments) StringPart(b []byte) {
	switch {
	case r.place != inQuestionText && r.place != inList && r.place != inListText || !r.within(0):
	case r.place == inQuestionText:
		r.current.write(wholeChars(b, r.room(0)))
	case r.place == inList:
		r.items.StringPart(b)
	default:
		r.text.write(b)
	}
}

// wholeChars returns as many whole characters from the front of b as limit bytes hold, so that what is shown of a text
// that is too large does not depend on how it was cut.
func wholeChars(b []byte, limit int) []byte {
	if limit >= len(b) {
		return b
	}
	n := max(limit, 0)
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

func (r *arguments) EndString() {
	ok := r.place == inOther || r.within(0)
	switch r.place {
	case inQuestionText:
		r.place = inArguments
		if ok && (r.question == nil || r.current.solid > 0) {
			r.question = r.current
			r.draft.grow()
		}
	case inList:
		if ok {
			r.items.EndString()
		}
	case inListText:
		r.place = inArguments
		if ok {
			r.closeText()
		}
	case inOther:
		r.leave()
	}
}

func (r *arguments) EndContainer() {
	switch r.place {
	case inArguments:
		r.place = atTop
	case inList:
		ok := r.within(1)
		if r.depth--; r.depth == 0 {
			r.place = inArguments
			r.closeList()
		} else if ok {
			r.items.EndContainer()
		}
	case inOther:
		r.depth--
		r.leave()
	}
}

// leave ends a value that does not matter, unless it is in another one.
func (r *arguments) leave() {
	if r.depth > 0 {
		return
	}
	if r.place = inArguments; r.other {
		r.place = atTop
	}
}

// finish returns what was read, when the arguments have ended.
func (r *arguments) finish(end inputEnd) reading {
	// What cannot be read further may have been too large already, seen or not: that depends on how it was cut.
	if r.place == inQuestionText || r.place == inList || r.place == inListText {
		r.within(0)
	}
	read := reading{question: r.question, codes: r.codes, truncated: end.truncated, large: r.large}
	if end.over > 0 {
		read.large = &question.Detail{Limit: end.over}
	}
	lenient := end.lenient
	if r.other && end.problem == "" {
		end.problem = question.ReasonNotObject
	}
	if end.problem != "" {
		read.fault, read.faultName, read.broken = end.problem, end.found, true
		return read
	}
	if r.questions > 1 || r.times[0] > 1 || r.times[1] > 1 {
		read.codes.add(question.RepairRepeatedParameter)
	}
	l := r.lists[0]
	if l == nil || !l.holds && r.lists[1] != nil && r.lists[1].holds {
		l = r.lists[1]
	}
	if l != nil {
		read.suggest, read.shapeless = l.items, l.wrong
		read.codes.add(l.codes...)
		lenient = cmp.Or(lenient, l.lenient)
		if l.doubly {
			read.codes.add(question.RepairDoubleEncoded)
		}
	}
	if lenient != "" {
		read.codes.add(question.RepairLenientJSON)
		read.fault = question.Reason(lenient)
	}
	return read
}
