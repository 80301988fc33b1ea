package dialect

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// deepestLayer is how many strings may stand around each other: all of the arguments, a list in them, and that list once more.
const deepestLayer = 3

// layer hands on what one JSON reader finds: that of the arguments, or of a string in them that holds JSON itself.
type layer struct {
	w      *walker
	tokens toolcall.JSON
	inner  *layer // reads the string that is open
	text   []byte // that it reads, which may be something else than JSON
	depth  int    // strings around it
	base   int    // frames that were open when it began; behind them is one for its value
}

// outermost is the table of the frame for a layer's value, which nothing names.
var outermost = &table{}

// newLayer returns a layer whose value is read as the member says, with so many strings around it.
func newLayer(w *walker, depth int, m *member) *layer {
	l := &w.layers[depth]
	l.w, l.inner, l.text, l.depth, l.base = w, nil, l.text[:0], depth, w.depth
	f := w.push(outermost)
	f.current = f.value(m)
	l.tokens.Init(l)
	w.layer = l
	return l
}

// goes reports whether what comes is still read: the limit of the parameter that is open is measured in one of the layers.
func (l *layer) goes() bool {
	w := l.w
	return !w.dead && (!w.bounded || &l.tokens != w.bounds || w.within())
}

func (l *layer) Key(name []byte) {
	if l.goes() {
		l.w.key(name)
	}
}

func (l *layer) Begin(k toolcall.Kind) {
	if l.goes() {
		l.w.begin(k)
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
	if l.w.bounded && &l.tokens == l.w.bounds {
		b = wholeChars(b, l.w.room())
	}
	if in := l.inner; in != nil {
		in.text = append(in.text, b...)
		in.tokens.Append(b)
	} else if l.w.part(b); l.w.into != nil && l.w.undecided && len(bytes.TrimFunc(b, isSpace)) > 0 {
		l.w.undecided = false
		l.beginEncoded(l.w.into)
	}
}

func (l *layer) End(k toolcall.Kind) {
	if in := l.inner; in != nil && k == toolcall.String && l.goes() {
		if whole := in.tokens.End(); !l.w.dead { // a number that ended may have been too large
			l.inner = nil
			l.w.endEncoded(l, in, whole)
		}
	} else if l.goes() {
		l.w.end(k)
	}
}

// beginEncoded begins to read a string in place of a list or an object as JSON, if it may be that.
func (l *layer) beginEncoded(v *value) {
	if w := l.w; l.depth < deepestLayer && (v.of.take == asObject || beginsJSON(w.text)) {
		w.into = nil
		l.inner = newLayer(w, l.depth+1, v.of)
		l.inner.text = append(l.inner.text, w.text...)
		l.inner.tokens.Append(l.inner.text)
	}
}

// endEncoded ends a string that holds JSON, or should.
func (w *walker) endEncoded(l, in *layer, whole bool) {
	found := in.value(whole)
	w.layer, w.depth, w.skip, w.kept, w.into = l, in.base, 0, nil, nil
	switch v := w.top().current; {
	case found.args != nil:
		found.args.encoded(in)
		v.putArguments(found.args)
	case found.list != nil:
		found.list.encoded(in)
		v.putList(found.list)
	default:
		if v.of.take == asObject && w.fault == nil {
			w.fault = in.fault(whole)
		}
		w.takeContent(v, string(in.text), in.depth, true)
	}
	w.ended()
}

// beginsJSON reports whether a text may be JSON that holds a list: an array, an object, a string, or a fence around one.
func beginsJSON[T string | []byte](text T) bool {
	rest := bytes.TrimFunc([]byte(text[:min(len(text), 64)]), isSpace)
	return len(rest) > 0 && strings.IndexByte("[{\"`", rest[0]) >= 0
}

// value returns what was read, when the layer has ended. Of a list whose end is missing it holds the items that are whole.
func (l *layer) value(whole bool) *value {
	w := l.w
	v := w.frames[l.base].current
	switch first := l.base + 1; {
	case whole:
	case !l.tokens.Failed() && v.of.of == suggestionTable && w.depth > first && w.frames[first].list != nil && w.frames[first].list.count > 0:
		v.putList(w.frames[first].list)
		v.list.mended(&question.Detail{Reason: question.ReasonInnerEnd})
	default:
		return &value{of: v.of}
	}
	return v
}

// wrongString notes a string that is not what the value should be.
func (w *walker) wrongString(v *value, text string) {
	v.wrong = &misfit{want: v.of.wants(), got: question.TypeString}
	if v.of.take == asList {
		v.wrong.at.Excerpt = question.Excerpt(trim(text))
	}
}

// fault returns why the layer's string does not hold arguments.
func (l *layer) fault(whole bool) *question.Detail {
	switch {
	case l.tokens.Failed():
		return fatal(&l.tokens)
	case !whole:
		return &question.Detail{Reason: question.ReasonInnerEnd}
	}
	return &question.Detail{Reason: question.ReasonNotObject}
}

// encoded tells that a part was found in the layer's string.
func (t *told) encoded(l *layer) {
	t.repairs.add(question.RepairDoubleEncoded)
	t.mended(mended(&l.tokens))
}

// fatal returns why JSON cannot be read on.
func fatal(j *toolcall.JSON) *question.Detail {
	return &question.Detail{Reason: question.Reason(j.Fault), Name: strconv.QuoteRune(j.Found), At: placeOf(j.Spot())}
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

// takeContent takes a string in place of a list or an object that is not JSON: as what may stand in a follow_up, if it can be read
// so. What is not JSON is not tried again, and what stands in more strings than deepestLayer is not read.
func (w *walker) takeContent(v *value, text string, depth int, tried bool) {
	if trim(text) == "" {
		return
	}
	content, of := followUpContent{}, v.of.of
	if v.of.take == asList && of.content && depth <= deepestLayer {
		content = readFollowUp(text, depth, tried)
	}
	if !content.readable {
		w.wrongString(v, text)
		return
	}
	w.beginList(w.top(), of)
	l := w.top().list
	for _, s := range content.items {
		s = question.Suggestion{Answer: strings.Clone(s.Answer), Mode: strings.Clone(s.Mode)} // not all of the string
		if of == suggestionTable {
			l.suggest.keep(s) // which was found to be of use
			l.count++
		} else {
			w.addContent(of, s)
		}
	}
	w.pop()
	l.repairs.add(content.codes...)
	l.notices.add(content.notices...)
	if f := content.fault; f.kind != toolcall.NoFault {
		at := question.Place{Path: w.path(""), Excerpt: question.Excerpt(text[f.at:])}
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
	w.beginBare(of).put(s.Answer)
	if f := w.top(); s.Mode != "" {
		if m := of.find([]byte("mode")); m == nil {
			f.notices.add(question.NoticeUnknownKey)
		} else {
			f.value(m).put(s.Mode)
		}
	}
	w.reduce(w.pop())
	w.ended()
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
