package dialect

import (
	"cmp"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// walker reads the arguments of a tool, as its table says, while they arrive. What it is inside of is a stack of frames; a frame
// that ends is made into a value of the one below.
type walker struct {
	options   Options
	draft     draft
	frames    []*frame
	depth     int // of them that are open
	layers    [deepestLayer + 1]layer
	layer     *layer // that tells
	into      *value // takes the string that is open
	text      []byte // of that
	undecided bool   // it may turn out to be JSON
	growing   bool   // it is shown as it grows
	shown     grower
	index     int // the question that it belongs to

	skip  int               // how much is open of a value that is not read
	watch question.Code     // the notice of that value, if it holds anything
	kept  func(text []byte) // takes that value as it is written; may be nil
	from  int               // where it begins

	bounded bool            // a parameter with a limit is open
	bounds  *toolcall.JSON  // which reads it
	name    string          // of the parameter
	start   int             // where it began
	dead    bool            // nothing more is read, since a limit was passed
	large   question.Detail // that limit

	fault *question.Detail // what is wrong in a string that should hold the arguments
}

// excerptBytes is how many bytes an excerpt can need.
const excerptBytes = 4 * question.MaxExcerpt

func (w *walker) key(name []byte) {
	if w.skip > 0 {
		w.held()
		return
	}
	f := w.top()
	m := f.table.find(name)
	if m == nil {
		f.current, f.key = nil, string(name)
		return
	}
	f.current, f.key = f.value(m), m.key
}

var valueTypes = map[toolcall.Kind]question.ValueType{
	toolcall.Null:   question.TypeNull,
	toolcall.Bool:   question.TypeBool,
	toolcall.Number: question.TypeNumber,
	toolcall.String: question.TypeString,
	toolcall.Array:  question.TypeList,
	toolcall.Object: question.TypeObject,
}

// begin takes a string, an array or an object that begins.
func (w *walker) begin(k toolcall.Kind) {
	if w.skip > 0 {
		w.held()
		w.skip++
		return
	}
	f := w.top()
	if f.list != nil {
		w.beginItem(f, k)
		return
	}
	v := f.current
	if v == nil {
		f.notices.add(question.NoticeUnknownKey)
		w.leaveOut("")
		return
	}
	w.bound(f, w.layer.tokens.Offset())
	w.open(f, v)
	of := v.of.of
	switch take, deep := v.of.take, w.depth == deepest; {
	case take <= asObject && k == toolcall.String:
		w.beginText(f, v)
	case take == asList && k == toolcall.Array && !deep:
		w.beginList(f, of)
	case take == asList && k == toolcall.Object && !deep && of.wrapper != nil:
		w.beginObject(of.wrapper)
		w.top().from = w.layer.tokens.Keep()
	case (take == asObject || take == asMode && of != nil) && k == toolcall.Object && !deep:
		w.beginObject(of)
	case take == asMode:
		v.text = "" // a mode of another type is none
		w.leaveOut("")
	case take == asMetadata:
		w.keep(func(text []byte) { v.raw = metadata(text) })
	case take == asDropped:
		w.leaveOut(v.of.code)
	default:
		w.misfits(v, k)
	}
}

// misfits goes on behind a value that cannot be taken, and takes down its beginning.
func (w *walker) misfits(v *value, k toolcall.Kind) {
	v.wrong = &misfit{want: v.of.wants(), got: valueTypes[k]}
	w.quote(&v.wrong.at)
}

// wants returns the type of what the member should be.
func (m *member) wants() question.ValueType {
	switch m.take {
	case asFlag:
		return question.TypeBool
	case asList:
		return question.TypeList
	case asObject:
		return question.TypeObject
	}
	return question.TypeString
}

// leaveOut goes on behind the value that begins. The notice is told if it holds anything.
func (w *walker) leaveOut(notice question.Code) { w.skip, w.watch = 1, notice }

// keep goes on behind the value that begins, and hands it on as it is written.
func (w *walker) keep(kept func(text []byte)) {
	w.kept, w.from = kept, w.layer.tokens.Keep()
	w.leaveOut("")
}

// quote goes on behind the value that begins, and takes down its beginning.
func (w *walker) quote(to *question.Place) {
	w.keep(func(text []byte) { to.Excerpt = excerpt(text) })
}

// excerpt quotes the beginning of a text that may be long.
func excerpt(text []byte) string {
	return question.Excerpt(string(text[:min(len(text), excerptBytes)]))
}

// held notes that a value which is not read holds something.
func (w *walker) held() {
	if w.watch != "" {
		w.top().notices.add(w.watch)
		w.watch = ""
	}
}

func (w *walker) beginObject(t *table) {
	around := w.top().list
	w.beginQuestion(w.push(t), around)
}

func (w *walker) beginText(f *frame, v *value) {
	w.into, w.text, w.undecided = v, w.text[:0], v.of.take == asList || v.of.take == asObject
	w.beginGrowing(f, v)
}

func (w *walker) beginList(f *frame, of *table) {
	l := &list{}
	w.push(of).list = l
	w.showList(l, of, f)
}

// beginItem takes an item of an array.
func (w *walker) beginItem(f *frame, k toolcall.Kind) {
	switch t := f.table; {
	case k == toolcall.Object && w.depth < deepest:
		w.beginObject(t)
	case k == toolcall.String && t.bare && w.depth < deepest:
		v := w.beginBare(t)
		w.beginText(w.top(), v)
	default:
		if at := w.badItem(f, k); at != nil {
			w.quote(at)
		} else {
			w.leaveOut("")
		}
	}
}

// beginBare opens the object in whose place a text stands, and returns the value for the text.
func (w *walker) beginBare(t *table) *value {
	f := w.push(t)
	f.text, f.current = true, f.value(&t.members[0])
	return f.current
}

// badItem notes an item that cannot be taken. It returns where what stands there is told, if it is the first problem.
func (w *walker) badItem(f *frame, k toolcall.Kind) *question.Place {
	f.list.suggest.codes.add(question.RepairBadSuggestion)
	w.endedQuestion(f.list.show && f.table == questionTable, f.list.count)
	if f.list.invalid != nil {
		return nil
	}
	f.list.misfits(w.pathOf(nil, ""), &misfit{want: question.TypeObject, got: valueTypes[k]})
	return &f.list.invalid.At
}

// bound begins to measure a parameter. What is in a string of it is measured with that, as it is written.
func (w *walker) bound(f *frame, start int) {
	if f.table.arguments && f.current.of.take != asObject {
		w.bounded, w.bounds, w.name, w.start = true, &w.layer.tokens, f.key, start
	}
}

// room returns how many bytes more the parameter may have.
func (w *walker) room() int { return w.options.Limits.Parameter - (w.bounds.Offset() - w.start) }

// within reports whether the parameter is within its limit. Behind the limit nothing more is read.
func (w *walker) within() bool {
	if w.room() < 0 {
		w.large, w.dead = question.Detail{Name: w.name, Limit: w.options.Limits.Parameter}, true
		w.frames, w.into, w.layer = nil, nil, nil
	}
	return !w.dead
}

// scalar takes a null, a boolean or a number.
func (w *walker) scalar(k toolcall.Kind, text []byte) {
	if w.skip > 0 {
		w.held()
		return
	}
	f := w.top()
	v := f.current
	switch {
	case f.list != nil && f.table.bare && k != toolcall.Null && w.depth < deepest:
		w.beginBare(f.table).putScalar(text)
		w.reduce(w.pop())
	case f.list != nil:
		if at := w.badItem(f, k); at != nil {
			at.Excerpt = question.Excerpt(string(text))
		}
	case v == nil:
		f.notices.add(question.NoticeUnknownKey)
	default:
		w.bound(f, w.layer.tokens.Offset()-len(text))
		w.open(f, v)
		if w.bounded && !w.within() {
			return
		}
		w.takeScalar(f, v, k, text)
	}
	w.ended()
}

func (w *walker) takeScalar(f *frame, v *value, k toolcall.Kind, text []byte) {
	switch take := v.of.take; {
	case take == asMode:
		v.text = ""
	case k == toolcall.Null:
	case take == asList && v.of.of == suggestionTable && string(text) == "false": // no suggestions
	case take == asText || take == asPreview:
		v.putScalar(text)
	case take == asFlag && k == toolcall.Bool:
		w.putFlag(f, v, string(text) == "true")
	case take == asMetadata:
		v.raw = slices.Clone(text)
	case take == asDropped:
		f.notices.add(v.of.code)
	default:
		v.wrong = &misfit{v.of.wants(), valueTypes[k], question.Place{Excerpt: question.Excerpt(string(text))}}
	}
}

func (w *walker) part(b []byte) {
	switch {
	case w.skip > 0:
		w.held()
	case w.into == nil:
	case w.growing:
		w.grow(b)
	default:
		w.text = append(w.text, b...)
	}
}

// end takes the end of the innermost string, array or object.
func (w *walker) end(k toolcall.Kind) {
	switch {
	case w.skip > 1:
		w.skip--
		return
	case w.skip == 1:
		w.skip = 0
		w.leftOut()
	case k == toolcall.String:
		w.endText()
	case k == toolcall.Array:
		l := w.pop().list
		w.top().current.putList(l)
	default:
		w.reduce(w.pop())
	}
	w.ended()
}

// leftOut ends a value that was not read.
func (w *walker) leftOut() {
	w.watch = ""
	if w.kept != nil {
		w.kept(w.layer.tokens.Kept(w.from))
		w.kept = nil
	}
}

// ended goes on behind a value.
func (w *walker) ended() {
	switch f := w.top(); {
	case f.list != nil:
		f.list.count++
	case f.table.arguments:
		w.bounded = false
	}
}

func (w *walker) endText() {
	v := w.into
	w.into = nil
	f := w.top()
	switch take := v.of.take; take {
	case asList, asObject:
		w.takeContent(v, string(w.text), w.layer.depth+1, false)
		return
	case asFlag:
		w.endFlag(f, v, textOf(w.text, false))
	default:
		if w.growing {
			v.put(w.endGrowing())
		} else {
			v.put(textOf(w.text, take == asPreview))
		}
		if v.of.slot == slotHeader && f.show && v.text != "" {
			w.draft.header(f.index, v.text)
		}
	}
	if f.text {
		w.reduce(w.pop())
	}
}

func (w *walker) endFlag(f *frame, v *value, text string) {
	switch strings.ToLower(text) {
	case "":
	case "true", "false":
		w.putFlag(f, v, strings.EqualFold(text, "true"))
		v.lenient = true
	default:
		v.wrong = &misfit{question.TypeBool, question.TypeString, question.Place{Excerpt: question.Excerpt(text)}}
	}
}

// putFlag takes a flag, and shows one that is set.
func (w *walker) putFlag(f *frame, v *value, flag bool) {
	if v.flag, v.flagged, v.lenient, v.wrong = flag, true, false, nil; flag && f.show {
		w.draft.multi(f.index)
	}
}

// reduce makes a value of an object that has ended.
func (w *walker) reduce(f *frame) {
	switch f.table {
	case modeTable:
		w.top().current.text = f.choose(slotMode).string()
	case suggestionTable:
		w.addSuggestion(w.top().list, f)
	case optionTable:
		w.addOption(w.top().list, f)
	case questionTable:
		w.addQuestion(w.top().list, f)
	case followupTable:
		w.top().current.putArguments(w.followup(f))
	case askTable:
		w.top().current.putArguments(w.questionnaire(f))
	default:
		w.unwrap(f)
	}
}

// unwrap takes the list of an object in its place: one that it holds, or that of the one item that it is. One that holds nothing is
// a list of nothing.
func (w *walker) unwrap(f *frame) {
	text := w.layer.tokens.Kept(f.from)
	v, to := f.choose(slotItems), w.top().current
	switch {
	case v != nil && v.list != nil:
		v.list.join(&f.told)
		if f.given(slotText) {
			v.list.notices.add(question.NoticeUnknownKey)
		}
		to.putList(v.list)
	case f.table == questionTable.wrapper:
		to.putList(w.oneQuestion(f))
	case f.given(slotText):
		l := &list{count: 1}
		l.repairs.add(question.RepairWrappedList)
		w.showList(l, suggestionTable, w.top())
		w.addSuggestion(l, f)
		to.putList(l)
	case f.table == suggestionTable.wrapper && len(f.values) == 0 && len(f.notices) == 0:
		to.putList(&list{})
	default:
		to.wrong = &misfit{question.TypeList, question.TypeObject, question.Place{Excerpt: excerpt(text)}}
	}
}

// finish ends the arguments, which tokens reads; there are none where they cannot be read.
func (w *walker) finish(tokens *toolcall.JSON) (*arguments, *question.Error) {
	whole := tokens.End()
	// What cannot be read further may have been too large already, seen or not: that depends on how it was cut.
	if w.bounded && !w.dead {
		w.within()
	}
	switch {
	case !whole && !tokens.Failed():
		return nil, &question.Error{Code: question.CodeTruncated, Detail: question.Detail{At: w.cutAt(tokens)}}
	case w.dead:
		return nil, &question.Error{Code: question.CodeTooLarge, Detail: w.large}
	case tokens.Failed():
		return nil, &question.Error{Code: question.CodeParseFailed, Detail: *fatal(tokens)}
	}
	a := w.frames[0].current.args
	if a == nil {
		return nil, &question.Error{Code: question.CodeParseFailed, Detail: *cmp.Or(w.fault, &question.Detail{Reason: question.ReasonNotObject})}
	}
	a.mended(mended(tokens))
	return a, nil
}

// cutAt returns where the arguments end too early: in which value, and how that ends.
func (w *walker) cutAt(tokens *toolcall.JSON) question.Place {
	if !w.dead && w.into != nil {
		if path := w.path(""); path != "" {
			return question.Place{Path: path, Excerpt: question.ExcerptEnd(trim(w.draft.block.Text() + string(w.text)))}
		}
	}
	end := tokens.Last()
	return question.Place{Line: end.Line, Column: end.Column}
}
