package dialect

import (
	"slices"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// deepestLayer is how many strings may stand around each other: all of the arguments, a list in them, and that list once more.
const deepestLayer = 3

// layer hands on what one JSON reader finds: that of the arguments, or of a string in them that holds JSON itself.
type layer struct {
	w      *walker
	tokens *toolcall.JSON
	up     *layer // in whose string this one reads; nil for the arguments
	inner  *layer // reads the string that is open
	depth  int    // strings around it
	base   int    // frames that were open when it began; behind them is one for its value
	blank  bool   // the string holds white space only, so far
	text   trimmed
	keeps  bool // the text is needed, since it may be something else than JSON
}

// outermost is the table of the frame for a layer's value, which nothing names.
var outermost = &table{}

// newLayer returns a layer whose value is read as the member says.
func newLayer(w *walker, up *layer, m *member) *layer {
	l := &layer{w: w, up: up, base: w.depth, blank: true}
	f := w.push(outermost)
	f.current = f.value(m)
	if up != nil {
		l.depth, l.keeps = up.depth+1, m.take == asList && m.of.content
	}
	l.tokens = toolcall.NewJSON(l)
	w.layer = l
	return l
}

// goes reports whether what comes is still read: the limit of the parameter that is open is measured in one of the layers.
func (l *layer) goes() bool {
	w := l.w
	return !w.dead && (!w.bounded || l.tokens != w.bounds || w.within())
}

func (l *layer) Key(name []byte) {
	if l.goes() {
		l.w.key(name)
	}
}

func (l *layer) Begin(k toolcall.Kind) {
	if l.goes() && l.w.begin(k) {
		l.inner = newLayer(l.w, l, l.w.top().current.of)
	}
}

func (l *layer) Scalar(k toolcall.Kind, text []byte) {
	if l.goes() {
		l.w.scalar(k, text)
	}
}

func (l *layer) StringPart(b []byte) {
	if !l.goes() {
		return
	}
	if l.w.bounded && l.tokens == l.w.bounds {
		b = wholeChars(b, l.w.room())
	}
	in := l.inner
	if in == nil {
		l.w.part(b)
		return
	}
	in.blank = in.blank && lenTrimmed(b) == 0
	if in.keeps {
		in.text.write(b)
	}
	in.tokens.Append(b)
}

func (l *layer) End(k toolcall.Kind) {
	in := l.inner
	switch {
	case !l.goes():
	case in != nil && k == toolcall.String:
		if whole := in.tokens.End(); !l.w.dead { // a number that ended may have been too large
			l.inner, l.w.layer = nil, l
			l.w.endLayer(in, whole)
		}
	default:
		l.w.end(k)
	}
}

// endLayer ends a string that holds JSON, or should.
func (w *walker) endLayer(in *layer, whole bool) {
	w.flush()
	w.into, w.growing, w.skip, w.kept, w.depth = nil, nil, 0, nil, in.base
	found, v := w.frames[in.base].current, w.top().current
	fault := in.fault(whole)
	switch {
	case in.blank:
	case whole && found.args != nil:
		found.args.encoded(in)
		v.putArguments(found.args)
	case whole && found.list != nil:
		found.list.encoded(in)
		v.putList(found.list)
	case v.of.take == asList:
		w.takeContent(v, &in.text)
	default:
		v.wrong = &misfit{v.of.wants(), question.TypeString, question.Place{}}
	}
	if v.of.take == asObject && w.fault == nil {
		w.fault = fault
	}
	w.ended()
}

// fault returns why the layer's string does not hold arguments.
func (l *layer) fault(whole bool) *question.Detail {
	switch {
	case l.tokens.Failed():
		return fatal(l.tokens)
	case !whole:
		return &question.Detail{Reason: question.ReasonInnerEnd}
	}
	return &question.Detail{Reason: question.ReasonNotObject}
}

// encoded tells that a part was found in the layer's string.
func (t *told) encoded(l *layer) {
	t.repairs.add(question.RepairDoubleEncoded)
	t.mended(mended(l.tokens))
}

// fatal returns why JSON cannot be read on.
func fatal(j *toolcall.JSON) *question.Detail {
	return &question.Detail{Reason: question.Reason(j.Fault), Name: quoted(j.Found), At: placeOf(j.Spot())}
}

// mended returns what was mended in JSON first; nil for nothing.
func mended(j *toolcall.JSON) *question.Detail {
	if j.Mended == toolcall.NoFault {
		return nil
	}
	return &question.Detail{Reason: question.Reason(j.Mended), At: placeOf(j.Spot())}
}

func placeOf(s toolcall.Spot) question.Place {
	return question.Place{Line: s.Line, Column: s.Column, Excerpt: question.Excerpt(s.Text)}
}

// takeContent takes a string in place of a list that does not hold JSON: as elements or a list, if it can be read so.
func (w *walker) takeContent(v *value, text *trimmed) {
	content, of := followUpContent{}, v.of.of
	if of.content {
		content = readFollowUp(text.String())
	}
	if !content.readable {
		v.wrong = &misfit{question.TypeList, question.TypeString, question.Place{Excerpt: question.Excerpt(text.String())}}
		return
	}
	w.beginList(w.top(), of)
	l := w.top().list
	for _, s := range content.items {
		w.addContent(of, s)
	}
	w.pop()
	l.repairs.add(content.codes...)
	l.notices.add(content.notices...)
	if f := content.fault; f.kind != toolcall.NoFault {
		at := question.Place{Path: w.path(""), Excerpt: question.Excerpt(text.String()[f.at:])}
		l.fault = &question.Detail{Reason: question.Reason(f.kind), Name: f.name, At: at}
	}
	listed := slices.Contains(l.repairs, question.RepairListSuggestions) || slices.Contains(l.repairs, question.RepairJSONSuggestions)
	if l.count > 0 && !listed {
		l.repairs.add(question.RepairElementSuggestions)
	}
	v.putList(l)
}

// addContent adds what was found in a string as if it stood in an array.
func (w *walker) addContent(of *table, s question.Suggestion) {
	w.beginBare(of).put(written(s.Answer))
	if f := w.top(); s.Mode != "" {
		if m := of.find([]byte("mode")); m == nil {
			f.notices.add(question.NoticeUnknownKey)
		} else {
			f.value(m).put(written(s.Mode))
		}
	}
	w.reduce(w.pop())
	w.ended()
}

// written returns a text that is whole.
func written(s string) *trimmed {
	t := &trimmed{}
	t.write([]byte(s))
	return t
}

// wholeChars returns as many whole characters from the front of b as limit bytes hold, so that what is shown of a text that is
// too large does not depend on how it was cut.
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
