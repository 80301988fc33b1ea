package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"

	"followup/internal/question"
	"followup/internal/toolcall"
)

func (a *askArguments) takePart(b []byte) {
	switch a.place {
	case askText:
		a.into.write(b)
	case askOther:
		a.held()
	}
}

func (a *askArguments) endString() {
	switch a.place {
	case askText:
		a.endText()
	case askOther:
		a.leave(0)
	}
}

// endText ends a string that is taken.
func (a *askArguments) endText() {
	text := a.into.String()
	if a.into.whole {
		text = a.into.untrimmed()
	}
	a.flush()
	a.field.put(text)
	a.place = a.back
	q := a.question
	switch {
	case a.field == &q.header && q.show && text != "":
		a.draft.header(q.index, text)
	case a.place == askOptionList:
		a.endOption()
	}
	a.into, a.field, a.growing = nil, nil, nil
}

// untrimmed returns the text with the white space at its ends, unless there is nothing else.
func (t *trimmed) untrimmed() string {
	if t.solid == 0 {
		return ""
	}
	if t.cr {
		t.cr = false
		t.put(carriageReturn)
	}
	return t.text.String()
}

func (a *askArguments) endContainer() {
	switch a.place {
	case askObject:
		a.endScalar()
		a.place = askTop
	case askQuestionList:
		if a.place = askQuestionsText; !a.list.inner {
			a.place, a.parameter = askObject, false
			a.closeQuestions()
		}
	case askQuestionItem:
		a.endQuestion()
	case askOptionList:
		if a.place = askOptionsText; !a.options.inner {
			a.place = askQuestionItem
			a.closeOptions()
		}
	case askOptionItem:
		a.place = askOptionList
		a.endOption()
	case askOther:
		a.depth--
		a.leave(1)
	}
}

func (a *askArguments) endOption() {
	q := a.question
	option, sound := a.options.add(a.option, q.at)
	if a.option = nil; sound && a.options.show {
		a.draft.option(q.index, option)
	}
}

func (a *askArguments) endQuestion() {
	q := a.question
	if q.show {
		a.draft.ended(q.index)
	}
	a.list.add(q)
	a.question, a.place = nil, askQuestionList
}

// endInner ends a string that holds JSON, or should.
func (a *askArguments) endInner(in *askLayer) {
	a.flush()
	a.into, a.field, a.growing, a.option = nil, nil, nil, nil
	a.place = in.back
	switch in.back {
	case askTop:
		a.lenient = cmp.Or(a.lenient, in.tokens.Mended)
	case askObject:
		a.parameter, a.question, a.options = false, nil, nil
		switch {
		case in.blank:
			a.list = nil
			return
		case a.decoded(in, a.list.wrong):
		default:
			a.list = &askQuestions{askList: askList{wrong: question.TypeString}}
		}
		a.closeQuestions()
	case askQuestionItem:
		switch {
		case in.blank:
			a.options = nil
			return
		case a.decoded(in, a.options.wrong):
		default:
			a.options = &askOptions{askList: askList{wrong: question.TypeString}}
		}
		a.closeOptions()
	}
}

// decoded reports whether a string holds a list, and notes that it was read so.
func (a *askArguments) decoded(in *askLayer, wrong question.ValueType) bool {
	if !in.complete || wrong != "" {
		return false
	}
	a.codes.add(question.RepairDoubleEncoded)
	a.lenient = cmp.Or(a.lenient, in.tokens.Mended)
	return true
}

// askMetadata is what the agent attached for its own tracking.
type askMetadata struct {
	text   json.RawMessage // the last that is not null
	times  int
	open   bool
	scalar bool // the one that is open has no end of its own
}

func (a *askArguments) openMetadata(k toolcall.Kind) {
	m := &a.metadata
	a.once(&m.times)
	if k != toolcall.Null {
		m.open, m.scalar = true, k < toolcall.String
		a.tokens.Keep()
	}
	a.skip(k)
}

// endMetadata takes the metadata, if it is open and ends n bytes further on.
func (a *askArguments) endMetadata(n int) {
	if a.metadata.open {
		a.metadata.open = false
		a.metadata.text = mendedJSON(a.tokens.Kept(n))
	}
}

// endScalar takes the metadata, if it is a value that has no end of its own.
func (a *askArguments) endScalar() {
	m := &a.metadata
	if !m.open || !m.scalar {
		return
	}
	m.open = false
	text := a.tokens.Kept(0)
	if n := bytes.IndexAny(text, ",} \t\r\n"); n >= 0 {
		text = text[:n]
	}
	if len(text) > a.limit {
		a.name = keyMetadata
		a.tooLarge()
		return
	}
	m.text = mendedJSON(text)
}

// mendedJSON returns text, which was read leniently, as valid JSON, or nil where it is nested too deeply to be written again.
func mendedJSON(text []byte) json.RawMessage {
	if json.Valid(text) {
		return text
	}
	var out []byte
	inString, comma := false, -1 // where in out the last comma stands, if only white space follows
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			out = append(out, c)
			i++
			c = text[i]
		case inString && c < ' ':
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[c>>4])
			c = "0123456789abcdef"[c&15]
		case c == '"':
			inString, comma = !inString, -1
		case inString:
		case c == ',':
			comma = len(out)
		case (c == ']' || c == '}') && comma >= 0:
			out = append(out[:comma], out[comma+1:]...)
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
		out = append(out, c)
	}
	if !json.Valid(out) {
		return nil
	}
	return out
}

// finish returns what was read, when the arguments have ended.
func (a *askArguments) finish(end inputEnd) askReading {
	// What cannot be read further may have been too large already, seen or not: that depends on how it was cut.
	if a.parameter && !a.dead {
		a.within(0)
	}
	read := askReading{
		questions: a.questions, metadata: a.metadata.text, codes: a.codes, notices: a.notices,
		truncated: end.truncated, large: a.large,
	}
	if end.over > 0 {
		read.large = &question.Detail{Limit: end.over}
	}
	if a.other && end.problem == "" {
		end.problem = question.ReasonNotObject
	}
	if end.problem != "" {
		read.fault, read.faultName, read.broken = end.problem, end.found, true
		return read
	}
	if lenient := cmp.Or(end.lenient, a.lenient); lenient != "" {
		read.codes.add(question.RepairLenientJSON)
		read.fault = question.Reason(lenient)
	}
	return read
}
