package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// walker reads the arguments of a tool, as its table says, while they arrive. What it is inside of is a stack of frames; a frame
// that ends is made into a value of the one below.
type walker struct {
	options Options
	draft   draft     // of ask_followup_question
	asked   *askDraft // of AskUserQuestion; nil for the other
	quiet   bool      // nothing is shown
	listed  bool      // a list of suggestions is shown
	frames  []*frame
	depth   int      // of them that are open
	layer   *layer   // that tells
	into    *trimmed // takes the text that is open
	growing *trimmed // the text that is shown as it grows
	index   int      // the question that it belongs to

	skip    int             // how much is open of a value that is not read
	watch   question.Code   // the notice of that value, if it holds anything
	quoting *question.Place // takes the beginning of that value
	keeping bool            // that value is metadata
	quoted  *frame          // whose beginning is taken down

	bounded bool           // a parameter with a limit is open
	bounds  *toolcall.JSON // which reads it
	name    string         // of the parameter
	start   int            // where it began
	large   *question.Detail
	dead    bool // nothing more is read, since a limit was passed

	fault *question.Detail // what is wrong in a string that should hold the arguments
}

// frame is an object or an array that is open.
type frame struct {
	told
	table  *table // what the object, or each item, may hold
	values []value
	open   int    // the member whose value is read; -1 for one that nobody knows
	key    string // its name
	list   *list  // of an array
	// Of an object:
	text  bool // it is a text alone
	index int  // of a question
	show  bool // the question is shown as it is read
}

// newWalker returns a walker of a value that is read as the member says.
func newWalker(o Options, root member) *walker {
	w := &walker{options: o}
	f := w.push(&table{members: []member{root}})
	f.open, f.values[0].times = 0, 1
	return w
}

// excerptBytes is how many bytes an excerpt can need.
const excerptBytes = 4 * question.MaxExcerpt

var noTable = &table{} // of an array

// deepest is how many frames are open at most; what is nested deeper is not read.
const deepest = 16

func (w *walker) top() *frame { return w.frames[w.depth-1] }

// push opens an object. Frames that are closed are used again.
func (w *walker) push(t *table) *frame {
	if w.depth == len(w.frames) {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[w.depth]
	w.depth++
	values := f.values[:0]
	for range t.members {
		values = append(values, value{})
	}
	*f = frame{table: t, values: values, open: -1}
	return f
}

func (w *walker) pushList(t *table) *frame {
	f := w.push(&table{})
	f.table, f.list = t, &list{}
	return f
}

// pop closes the innermost frame.
func (w *walker) pop() *frame {
	w.depth--
	return w.frames[w.depth]
}

// member returns the member whose value is read, and its place in the frame; nil for one that nobody knows.
func (f *frame) member() (*member, *value) {
	if f.open < 0 {
		return nil, nil
	}
	return &f.table.members[f.open], &f.values[f.open]
}

// path returns the name of what stands in the innermost frame, and in that under the name, such as questions[0].options[1].label.
func (w *walker) path(name string) string {
	var b strings.Builder
	dot := func(key string) {
		if b.Len() > 0 && key != "" {
			b.WriteByte('.')
		}
		b.WriteString(key)
	}
	for _, f := range w.frames[1:w.depth] {
		switch {
		case f.list != nil:
			b.WriteString("[" + strconv.Itoa(f.list.count) + "]")
		case !f.text:
			dot(f.key)
		}
	}
	dot(name)
	return b.String()
}

func (w *walker) key(name []byte) {
	if w.skip > 0 {
		w.held()
		return
	}
	f := w.top()
	if f.open = f.table.find(name); f.open >= 0 {
		f.key = f.table.members[f.open].key
		f.values[f.open].times++
		return
	}
	f.key = string(name)
}

var valueTypes = map[toolcall.Kind]question.ValueType{
	toolcall.Null:   question.TypeNull,
	toolcall.Bool:   question.TypeBool,
	toolcall.Number: question.TypeNumber,
	toolcall.String: question.TypeString,
	toolcall.Array:  question.TypeList,
	toolcall.Object: question.TypeObject,
}

// begin takes a string, an array or an object that begins, and reports whether it is a string in which JSON is read.
func (w *walker) begin(k toolcall.Kind) (inner bool) {
	if w.skip > 0 {
		w.held()
		w.skip++
		return false
	}
	f := w.top()
	if f.list != nil {
		w.beginItem(f, k)
		return false
	}
	m, v := f.member()
	if m == nil {
		f.notices.add(question.NoticeUnknownKey)
		w.leaveOut("")
		return false
	}
	w.bound(f, w.layer.tokens.Offset())
	w.open(f, m)
	switch take, deep := m.take, w.depth == deepest; {
	case (take == asList || take == asObject) && k == toolcall.String:
		return w.layer.depth < deepestLayer || w.misfits(m, v, k)
	case take == asList && k == toolcall.Array && !deep:
		w.beginList(f, m.of)
	case take == asList && k == toolcall.Object && !deep && m.of.wrapper != nil:
		w.beginObject(m.of.wrapper)
		w.layer.tokens.Keep(excerptBytes)
		w.quoted = w.top()
	case (take == asObject || take == asMode && m.of != nil) && k == toolcall.Object && !deep:
		w.beginObject(m.of)
	case take <= asFlag && k == toolcall.String:
		w.beginText(f, m, v)
	case take == asMode:
		v.text = nil // a mode of another type is none
		w.leaveOut("")
	case take == asMetadata:
		w.keeping = true
		w.layer.tokens.Keep(w.options.Limits.Parameter + 1)
		w.leaveOut("")
	case take == asAnswers || take == asAnnotations:
		w.leaveOut(droppedNotices[take])
	default:
		w.misfits(m, v, k)
	}
	return false
}

var droppedNotices = map[take]question.Code{
	asAnswers: question.NoticeAgentAnswers, asAnnotations: question.NoticeAgentAnnotations,
}

// misfits goes on behind a value that cannot be taken, and takes down its beginning. It returns false.
func (w *walker) misfits(m *member, v *value, k toolcall.Kind) bool {
	if w.layer.holds(w.depth) { // the string around it is what cannot be taken
		w.leaveOut("")
		return false
	}
	v.wrong = &misfit{want: m.wants(), got: valueTypes[k]}
	w.quote(&v.wrong.at)
	return false
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

// quote goes on behind the value that begins, and takes down its beginning.
func (w *walker) quote(to *question.Place) {
	w.quoting, w.quoted = to, nil
	w.layer.tokens.Keep(excerptBytes)
	w.leaveOut("")
}

// held notes that a value which is not read holds something.
func (w *walker) held() {
	if w.watch != "" {
		w.top().notices.add(w.watch)
		w.watch = ""
	}
}

func (w *walker) beginObject(t *table) {
	around := w.top()
	w.beginQuestion(w.push(t), around)
}

func (w *walker) beginText(f *frame, m *member, v *value) {
	if w.into = &v.room; v.text != nil || m.slot == slotQuestion { // the room is used again
		w.into = &trimmed{}
	}
	w.into.whole = m.take == asPreview
	w.beginGrowing(f, m)
}

func (w *walker) beginList(f *frame, of *table) {
	l := w.push(noTable)
	l.table, l.list = of, &list{}
	w.showList(l.list, of, f)
}

// beginItem takes an item of an array.
func (w *walker) beginItem(f *frame, k toolcall.Kind) {
	switch t := f.table; {
	case k == toolcall.Object && w.depth < deepest:
		w.beginObject(t)
	case k == toolcall.String && t.bare && w.depth < deepest:
		w.beginBare(t)
		w.beginText(w.top(), &t.members[0], &w.top().values[0])
	default:
		w.quote(w.badItem(f, k))
	}
}

// beginBare opens the object in whose place a text stands, and returns the value for the text.
func (w *walker) beginBare(t *table) *value {
	f := w.push(t)
	f.text, f.open = true, 0
	f.values[0].times = 1
	return &f.values[0]
}

// badItem notes an item that cannot be taken, and returns where what stands there is told.
func (w *walker) badItem(f *frame, k toolcall.Kind) *question.Place {
	f.list.suggest.bad()
	m := &misfit{want: question.TypeObject, got: valueTypes[k]}
	w.endedQuestion(f.list.show && f.table == questionTable, f.list.count)
	return f.list.misfits(w.path(""), m)
}

// bound begins to measure a parameter.
func (w *walker) bound(f *frame, start int) {
	if f.table.arguments && f.table.members[f.open].take != asObject {
		w.bounded, w.bounds, w.name, w.start = true, w.layer.tokens, f.key, start
	}
}

// room returns how many bytes more the parameter may have.
func (w *walker) room() int { return w.options.Limits.Parameter - (w.bounds.Offset() - w.start) }

// within reports whether the parameter is within its limit. Behind the limit nothing more is read.
func (w *walker) within() bool {
	if w.room() < 0 {
		w.flush()
		w.bounds.Kept()
		w.large, w.dead = &question.Detail{Name: w.name, Limit: w.options.Limits.Parameter}, true
		w.frames, w.into, w.growing, w.layer = nil, nil, nil, nil
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
	m, v := f.member()
	switch {
	case f.list != nil && f.table.bare && k != toolcall.Null && w.depth < deepest:
		w.beginBare(f.table).putScalar(text)
		w.reduce(w.pop())
	case f.list != nil:
		w.badItem(f, k).Excerpt = question.Excerpt(string(text))
	case m == nil:
		f.notices.add(question.NoticeUnknownKey)
	default:
		w.bound(f, w.layer.tokens.Offset()-len(text))
		w.open(f, m)
		if w.bounded && !w.within() {
			return
		}
		w.takeScalar(f, m, v, k, text)
	}
	w.ended()
}

func (w *walker) takeScalar(f *frame, m *member, v *value, k toolcall.Kind, text []byte) {
	switch take := m.take; {
	case take == asMode:
		v.text = nil
	case k == toolcall.Null:
	case take == asText || take == asPreview:
		v.putScalar(text)
	case take == asFlag && k == toolcall.Bool:
		v.putFlag(string(text) == "true")
		w.showFlag(f, v)
	case take == asMetadata:
		v.raw = slices.Clone(text)
	case take == asAnswers || take == asAnnotations:
		f.notices.add(droppedNotices[take])
	case w.layer.holds(w.depth):
	default:
		v.wrong = &misfit{m.wants(), valueTypes[k], question.Place{Excerpt: question.Excerpt(string(text))}}
	}
}

func (w *walker) part(b []byte) {
	switch {
	case w.skip > 0:
		w.held()
	case w.into != nil:
		w.into.write(b)
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
		w.takeList(w.pop().list)
	default:
		w.reduce(w.pop())
	}
	w.ended()
}

// leftOut ends a value that was not read.
func (w *walker) leftOut() {
	w.watch = ""
	switch {
	case w.quoting != nil:
		w.quoting.Excerpt = question.Excerpt(string(w.layer.tokens.Kept()))
		w.quoting = nil
	case w.keeping:
		w.keeping = false
		_, v := w.top().member()
		v.raw = mendedJSON(w.layer.tokens.Kept())
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
	w.flush()
	text := w.into
	w.into, w.growing = nil, nil
	f := w.top()
	m, v := f.member()
	if m.take == asFlag {
		w.endFlag(f, v, text.String())
	} else {
		v.put(text)
		w.showHeader(f, m, v)
	}
	if f.text {
		w.reduce(w.pop())
	}
}

func (w *walker) endFlag(f *frame, v *value, text string) {
	switch strings.ToLower(text) {
	case "":
	case "true", "false":
		v.putFlag(strings.EqualFold(text, "true"))
		v.lenient = true
		w.showFlag(f, v)
	default:
		v.wrong = &misfit{question.TypeBool, question.TypeString, question.Place{Excerpt: question.Excerpt(text)}}
	}
}

// takeList takes a list for the name under which it stands; if that is a string, when the string is whole.
func (w *walker) takeList(l *list) {
	if w.layer.holds(w.depth) {
		w.layer.list = l
		return
	}
	_, v := w.top().member()
	v.putList(l)
}

// takeArguments does the same for arguments.
func (w *walker) takeArguments(a *arguments) {
	if w.layer.holds(w.depth) {
		w.layer.args = a
		return
	}
	_, v := w.top().member()
	v.args, v.wrong = a, nil
}

// reduce makes a value of an object that has ended.
func (w *walker) reduce(f *frame) {
	switch f.table {
	case modeTable:
		_, v := w.top().member()
		_, mode := f.choose(slotMode)
		v.text = written(mode.string())
	case suggestionTable:
		w.addSuggestion(w.top().list, f)
	case optionTable:
		w.addOption(w.top().list, f)
	case questionTable:
		w.addQuestion(w.top().list, f)
	case followupTable:
		w.takeArguments(w.followup(f))
	case askTable:
		w.takeArguments(w.questionnaire(f))
	default:
		w.unwrap(f)
	}
}

// unwrap takes the list of an object in its place.
func (w *walker) unwrap(f *frame) {
	_, v := f.choose(slotItems)
	switch _, to := w.top().member(); {
	case v != nil && v.list != nil:
		v.list.join(&f.told)
		w.takeList(v.list)
	case f.table == questionTable.wrapper:
		w.takeList(w.oneQuestion(f))
	case w.layer.holds(w.depth):
	default:
		to.wrong = &misfit{question.TypeList, question.TypeObject, question.Place{}}
		if w.quoted == f {
			to.wrong.at.Excerpt = question.Excerpt(string(w.layer.tokens.Kept()))
		}
	}
}

// choose returns the member that is taken for the slot, and its value, nil where there is none. What is told of it is told of
// the frame.
func (f *frame) choose(s slot) (*member, *value) {
	best := -1
	for i := range f.values {
		if m, v := &f.table.members[i], &f.values[i]; m.slot == s && v.times > 0 {
			if v.times > 1 {
				f.repairs.add(question.RepairRepeatedParameter)
			}
			if best < 0 || v.rank() > f.values[best].rank() {
				best = i
			}
		}
	}
	if best < 0 {
		return nil, nil
	}
	for i := range f.values {
		if m := &f.table.members[i]; i != best && m.slot == s && !m.spare && f.values[i].holds() {
			f.notices.add(question.NoticeUnknownKey)
		}
	}
	m, v := &f.table.members[best], &f.values[best]
	if m.code != "" && (v.given || v.list != nil || v.holds()) {
		f.repairs.add(m.code)
	}
	if v.lenient {
		f.repairs.add(question.RepairLenientValue)
	}
	if v.list != nil {
		f.join(&v.list.told)
		f.repairs.add(v.list.suggest.codes...)
	}
	if v.args != nil {
		f.join(&v.args.told)
	}
	return m, v
}

// finish ends the arguments, which tokens reads.
func (w *walker) finish(tokens *toolcall.JSON) inputEnd {
	whole := tokens.End()
	// What cannot be read further may have been too large already, seen or not: that depends on how it was cut.
	if w.bounded && !w.dead {
		w.within()
	}
	w.flush()
	end := inputEnd{truncated: !whole && !tokens.Failed(), large: w.large}
	switch {
	case tokens.Failed():
		end.fault = fatal(tokens)
	case end.truncated:
		end.at = w.cutAt(tokens)
	case w.dead:
	default:
		root := &w.frames[0].values[0]
		if end.args = root.args; root.args == nil {
			end.fault = cmp.Or(w.fault, &question.Detail{Reason: question.ReasonNotObject})
		} else if fault := mended(tokens); fault != nil {
			end.args.repairs.add(question.RepairLenientJSON)
			end.args.fault = fault
		}
	}
	return end
}

// cutAt returns where the arguments end too early: in which value, and how that ends.
func (w *walker) cutAt(tokens *toolcall.JSON) question.Place {
	if !w.dead && w.into != nil {
		return question.Place{Path: w.path(""), Excerpt: question.ExcerptEnd(w.into.String())}
	}
	at := tokens.Place()
	return question.Place{Line: at.Line, Column: at.Column}
}

// run returns the run of a question that is open, of room bytes at most.
func (w *walker) run(room int) run {
	if w.growing == nil || w.layer.up != nil {
		return run{}
	}
	return newRun(w.growing, min(room, w.room()))
}

// opened reports whether the call was shown.
func (w *walker) opened() bool { return w.draft.open || w.asked != nil && w.asked.open }
