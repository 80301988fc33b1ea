package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// native reads arguments by a tool's table while they arrive, with a frame for each object and array that is open.
type native struct {
	options Options
	out     output
	draft   draft
	feed    *toolcall.Feed // of arguments that arrive in pieces
	layers  [deepestLayer + 1]layer
	frames  []*frame
	spare   *reading       // a list that was not taken; may be nil
	content followUpReader // of the last string in place of a list
	depth   int            // of them that are open

	large *question.Detail // the first limit that was passed
	cut   question.Place   // the string in which the arguments end too early
	fault *question.Detail // what is wrong in a string that should hold the arguments
	args  *reading         // nil where there are none
}

// layer is JSON: the arguments, or a string in them that holds JSON itself.
type layer struct {
	toolcall.JSON
	depth int // strings around it
}

const (
	deepest      = 16  // frames are open at most; what is nested deeper is not read
	deepestLayer = 3   // strings may stand around each other: all of the arguments, a list in them, and that list once more
	excerptBytes = 256 // that an excerpt can need
)

var natives = sync.Pool{New: func() any { return &native{} }}

// beginNative returns a reader of the arguments of a call of the tool, which release gives back.
func beginNative(tool string, o Options) *native {
	fillTables()
	o.Limits = o.Limits.WithDefaults()
	n := natives.Get().(*native)
	n.options, n.draft = o, draft{out: &n.out, tool: tool, limit: o.Limits.Parameter}
	n.out.take = discard
	for i := range n.layers {
		n.layers[i].depth = i
	}
	return n
}

// release gives n back, without what was read.
func (n *native) release() {
	for _, f := range n.frames {
		clear(f.values[:cap(f.values)])
		*f = frame{values: f.values[:0], told: told{repairs: f.repairs[:0], notices: f.notices[:0]}}
	}
	*n = native{frames: n.frames}
	natives.Put(n)
}

func (n *native) read(text string, more func() (string, bool)) {
	j := &n.layers[0]
	j.Init(text, more)
	n.args = n.whole(j, cmp.Or(wholeOf[n.draft.tool], dropped)).list
}

// reading returns what was read of the arguments, which have so many bytes.
func (n *native) reading(size int) reading {
	j, r, tool := &n.layers[0], n.args, n.draft.tool
	invalid := func(code question.Code, d question.Detail) reading {
		return reading{tool: tool, err: &question.Error{Code: code, Detail: d}}
	}
	switch limit := n.options.Limits.Message; {
	case wholeOf[tool] == nil:
		return invalid(question.CodeUnknownTool, question.Detail{Name: tool})
	case size > limit:
		return invalid(question.CodeTooLarge, question.Detail{Limit: limit})
	case j.Cut():
		if n.cut.Path == "" {
			n.cut = placeOf(j.All(), len(j.All()))
		}
		return invalid(question.CodeTruncated, question.Detail{At: n.cut})
	case n.large != nil:
		return invalid(question.CodeTooLarge, *n.large)
	case j.Stopped():
		return invalid(question.CodeParseFailed, *j.fatal())
	case r == nil:
		return invalid(question.CodeParseFailed, *cmp.Or(n.fault, &question.Detail{Reason: question.ReasonNotObject}))
	}
	r.tool = tool
	if r.mended(j.mended()); tool == question.ToolFollowup {
		r.elementItems()
	}
	return *r
}

// outermost is the table of the frame for a layer's value, which nothing names.
var outermost = &table{}

// whole reads the whole of a layer as the member says. Of a list whose end is missing it takes the items that are whole.
func (n *native) whole(j *layer, m *member) *value {
	f := n.push(outermost)
	f.current = f.value(m)
	n.take(j, f, j.Value())
	v := f.current
	if n.depth--; !j.End() {
		*v = value{of: m}
		if l := f.cut; l != nil && j.Cut() && m.of == suggestionTable && l.count > 0 {
			l.mended(&question.Detail{Reason: question.ReasonInnerEnd})
			v.putList(l)
		}
	}
	return v
}

// object reads the members of an object, and makes it a value of what is around it.
func (n *native) object(j *layer, t *table) {
	around, from := n.top(), j.Start
	f := n.push(t)
	n.beginQuestion(f, around.list)
	for j.Key() {
		m := t.find(j.Text())
		if f.key = ""; m != nil {
			f.key = m.key
		}
		n.member(j, f, m)
	}
	if n.depth--; !j.Stopped() {
		n.reduce(f, j.Raw(from))
	}
}

// member reads the value of a member; nil if the name is unknown. Parameters are limited by their size as written.
func (n *native) member(j *layer, f *frame, m *member) {
	if f.current = nil; m != nil {
		f.current = f.value(m)
	}
	k := j.Value()
	switch start := j.Start; {
	case k == toolcall.None:
	case m == nil:
		f.notices.add(question.NoticeUnknownKey)
		j.Skip(k)
	default:
		if f.show {
			n.draft.begin()
		}
		n.take(j, f, k)
		if limit := n.options.Limits.Parameter; f.table.arguments && m.take != asObject && n.large == nil && j.At-start > limit {
			n.large = &question.Detail{Name: m.key, Limit: limit}
		}
	}
}

// take reads a value that has begun, as the current one of the frame.
func (n *native) take(j *layer, f *frame, k toolcall.Kind) {
	v, from, deep := f.current, j.Start, n.depth == deepest
	of := v.of.of
	switch take := v.of.take; {
	case k == toolcall.String && (take == asList || take == asObject):
		n.encoded(j, f, v)
	case k == toolcall.String && take < asMetadata:
		n.text(j, f, v)
	case k == toolcall.Array && take == asList && !deep:
		if l := n.list(j, f, of); !j.Stopped() {
			n.spare = v.putList(l)
		} else {
			f.cut = l
		}
	case k == toolcall.Object && take == asList && !deep && of.wrapper != nil:
		n.object(j, of.wrapper)
	case k == toolcall.Object && (take == asObject || take == asMode && of != nil) && !deep:
		n.object(j, of)
	case k != toolcall.None:
		j.Skip(k)
		n.other(f, v, k, j.Raw(from))
	}
}

// other takes a value that is read as it is written, or cannot be taken.
func (n *native) other(f *frame, v *value, k toolcall.Kind, text string) {
	switch take := v.of.take; {
	case take == asMode:
		v.text = "" // a mode of another type is none
	case k == toolcall.Null:
	case take == asList && v.of.of == suggestionTable && text == "false": // no suggestions
	case k < toolcall.String && (take == asText || take == asPreview):
		v.put(text, true)
	case k == toolcall.Bool && take == asFlag:
		v.put(text, false)
		n.showFlag(f, v)
	case take == asMetadata:
		v.put(metadata(text), false)
	case take == asDropped:
		if k < toolcall.String || len(text) > len(`""`) {
			f.notices.add(v.of.code)
		}
	default:
		v.wrong = misfit(wanted[v.of.take], valueTypes[k], excerpt(text))
	}
}

// text reads a string, and shows it as it grows if it is the first text of its question.
func (n *native) text(j *layer, f *frame, v *value) {
	grows := v.of.slot == slotQuestion && f.show && !n.draft.parts[f.index].text
	for shown := (grower{}); j.Part(); {
		if grows {
			n.draft.grow(f.index, shown.next(j.Text()))
		}
	}
	if j.Stopped() {
		n.cutIn(j)
		return
	}
	text := trim(j.Text())
	if v.of.take == asPreview && text != "" {
		text = j.Text()
	}
	if text = withLF(text); v.of.take != asFlag {
		v.put(text, false)
	} else if flag := strings.ToLower(text); flag == "true" || flag == "false" {
		v.put(flag, true)
		n.showFlag(f, v)
	} else if flag != "" {
		v.wrong = misfit(question.TypeBool, question.TypeString, question.Excerpt(text))
	}
	if v.of.slot == slotHeader && f.show && v.text != "" {
		n.draft.question(f.index)
		n.out.emit(&GrewPart{Index: f.index, Header: v.text})
	}
}

// cutIn notes that the arguments end in a string of the layer, if they do.
func (n *native) cutIn(j *layer) {
	if path := n.path(""); n.layers[0].Cut() && n.large == nil && path != "" {
		n.cut = question.Place{Path: path, Excerpt: question.ExcerptEnd(trim(j.Text()))}
	}
}

func (n *native) showFlag(f *frame, v *value) {
	if v.flag() && f.show {
		n.draft.question(f.index)
		n.out.emit(&GrewPart{Index: f.index, MultiSelect: true})
	}
}

// newReading returns an empty reading: one that was not taken, if nothing of it was shown, which costs much less than another.
func (n *native) newReading() *reading {
	l := n.spare
	if n.spare = nil; l == nil || l.shown != nil {
		l = &reading{}
	}
	*l = reading{}
	return l
}

// beginList opens a list of what the table says, as the current value of the frame.
func (n *native) beginList(f *frame, of *table) *frame {
	g, l := n.push(of), n.newReading()
	g.list = l
	switch { // What comes first is shown as it ends, and is taken unless another list holds something too.
	case of == optionTable:
		l.show = f.show && !n.draft.parts[f.index].options
	case of == questionTable:
		l.show = n.draft.begun == 0
	case !n.draft.listed:
		l.shown, n.draft.listed = &n.draft, true
	}
	return g
}

func (n *native) list(j *layer, f *frame, of *table) *reading {
	g := n.beginList(f, of)
	for j.Item() {
		n.item(j, g, j.Value())
		if !j.Stopped() {
			g.list.count++
		}
	}
	n.depth--
	return g.list
}

// item reads an item that has begun.
func (n *native) item(j *layer, g *frame, k toolcall.Kind) {
	t, from := g.table, j.Start
	switch room := n.depth < deepest; {
	case k == toolcall.None:
	case k == toolcall.Object && room:
		n.object(j, t)
	case t.bare && k != toolcall.Null && k <= toolcall.String && room:
		v := value{of: &t.members[0]}
		if k == toolcall.String {
			n.text(j, g, &v)
		} else {
			v.put(j.Raw(from), true)
		}
		if !j.Stopped() {
			n.bareItem(g, &v)
		}
	default:
		j.Skip(k)
		g.list.repairs.add(question.RepairBadSuggestion)
		if t == questionTable && g.list.show && g.list.count < n.options.Limits.Questions {
			n.draft.question(g.list.count)
		}
		if g.list.invalid == nil {
			n.is(&g.list.problems, nil, "", *misfit(question.TypeObject, valueTypes[k], excerpt(j.Raw(from))))
		}
	}
}

// bareItem adds a text in place of an object.
func (n *native) bareItem(g *frame, v *value) {
	if v.lenient {
		g.list.repairs.add(question.RepairLenientValue)
	}
	if g.table == suggestionTable {
		g.list.add(v.text, "")
		return
	}
	g.list.repairs.add(question.RepairStringOption)
	n.addOption(g.list, v, nil, nil)
}

// encoded reads a string in place of a list or an object: JSON, or what may stand in a follow_up.
func (n *native) encoded(j *layer, f *frame, v *value) {
	white := 0
	for j.Part() {
		if trim(j.Text()[white:]) != "" {
			break
		}
		white = len(j.Text())
	}
	inner := white < len(j.Text()) && j.depth < deepestLayer && (v.of.take == asObject || beginsJSON(j.Text()))
	in, found := &n.layers[min(j.depth+1, deepestLayer)], &value{}
	if inner {
		in.Init(j.Text(), func() (string, bool) {
			more := j.Part()
			return j.Text(), more
		})
		found = n.whole(in, v.of)
	}
	for j.Part() {
	}
	switch {
	case j.Stopped() && !inner:
		n.cutIn(j)
	case j.Stopped():
	case found.list != nil:
		found.list.repairs.add(question.RepairDoubleEncoded)
		found.list.mended(in.mended())
		v.putList(found.list)
	default:
		if v.of.take == asObject && n.fault == nil && inner {
			switch n.fault = (&question.Detail{Reason: question.ReasonNotObject}); {
			case in.Cut():
				n.fault.Reason = question.ReasonInnerEnd
			case in.Stopped():
				n.fault = in.fatal()
			}
		}
		n.markup(f, v, j.Text(), j.depth+1, inner)
	}
}

// beginsJSON reports whether text begins with a bracket, the quotation mark of a string, or a fence around one.
func beginsJSON(text string) bool {
	rest := trim(text[:min(len(text), 64)])
	return rest != "" && strings.IndexByte("[{\"`", rest[0]) >= 0
}

// markup takes a string in place of a list or an object that is not JSON: as what may stand in a follow_up, if it can be read
// so. What is not JSON is not tried again, and what stands in more strings than deepestLayer is not read.
func (n *native) markup(f *frame, v *value, text string, depth int, tried bool) {
	if trim(text) == "" {
		return
	}
	of, read := v.of.of, (*suggestionList)(nil)
	if v.of.take == asList && of.content && depth <= deepestLayer {
		read = n.content.again(text, 0, depth, tried)
	}
	if read == nil || !read.readable {
		v.wrong = misfit(wanted[v.of.take], question.TypeString, "")
		if v.of.take == asList {
			v.wrong.At.Excerpt = question.Excerpt(trim(text))
		}
		return
	}
	g := n.beginList(f, of)
	l, items := g.list, read.items
	if of == suggestionTable {
		l.items, read.items = items[:0], nil // where they stay
	}
	for _, s := range items {
		if of == suggestionTable {
			l.keep(s) // which was found to be of use
		} else {
			n.bareItem(g, &value{of: &of.members[0], text: s.Answer})
			if s.Mode != "" {
				l.notices.add(question.NoticeUnknownKey)
			}
		}
		l.count++
	}
	n.depth--
	l.repairs.add(read.repairs...)
	l.notices.add(read.notices...)
	if f := read.markup; f.Fault != toolcall.NoFault {
		at := question.Place{Path: n.path(""), Excerpt: question.Excerpt(text[f.At:])}
		l.fault = &question.Detail{Reason: question.Reason(f.Fault), Name: f.Name, At: at}
	}
	listed := slices.Contains(l.repairs, question.RepairListSuggestions) || slices.Contains(l.repairs, question.RepairJSONSuggestions)
	if l.count > 0 && !listed {
		l.repairs.add(question.RepairElementSuggestions)
	}
	n.spare = v.putList(l)
}

// fatal returns why JSON cannot be read on.
func (j *layer) fatal() *question.Detail {
	return &question.Detail{Reason: question.Reason(j.Fault), Name: strconv.QuoteRune(j.Found), At: placeOf(j.Spot())}
}

// mended returns what was mended in JSON first; nil for nothing.
func (j *layer) mended() *question.Detail {
	if j.Mended == toolcall.NoFault {
		return nil
	}
	return &question.Detail{Reason: question.Reason(j.Mended), At: placeOf(j.Spot())}
}

// placeOf returns a place in a text as people count, in lines and characters from 1.
func placeOf(text string, at int) question.Place {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return question.Place{
		Line: 1 + strings.Count(text[:at], "\n"), Column: 1 + utf8.RuneCountInString(line), Excerpt: excerpt(text[at:]),
	}
}

// reduce makes an object that has ended, and was written so, the current value of the frame around it, or adds it to that.
func (n *native) reduce(f *frame, text string) {
	around := n.top()
	to := around.current
	switch f.table {
	case modeTable:
		to.text = f.choose(slotMode).string()
	case suggestionTable:
		around.list.addSuggestion(f)
	case optionTable:
		n.addOption(around.list, f.choose(slotText), f.choose(slotDescription), f.choose(slotPreview))
		around.list.join(&f.told)
	case questionTable:
		n.addQuestion(around.list, f)
	case followupTable:
		n.spare = to.putList(n.followup(f))
	case askTable:
		n.spare = to.putList(n.questionnaire(f))
	default:
		n.unwrap(f, to, text)
	}
}

// unwrap replaces an object by the list that it holds, the list of the one item that it is, or an empty list.
func (n *native) unwrap(f *frame, to *value, text string) {
	v := f.choose(slotItems)
	switch {
	case v != nil && v.list != nil:
		v.list.join(&f.told)
		if f.given(slotText) {
			v.list.notices.add(question.NoticeUnknownKey)
		}
		to.putList(v.list)
	case f.table == questionTable.wrapper:
		to.putList(n.oneQuestion(f))
	case f.given(slotText):
		l := &reading{count: 1}
		l.repairs.add(question.RepairWrappedList)
		if !n.draft.listed {
			l.shown, n.draft.listed = &n.draft, true
		}
		l.addSuggestion(f)
		to.putList(l)
	case f.table == suggestionTable.wrapper && len(f.values) == 0 && len(f.notices) == 0:
		to.putList(&reading{})
	default:
		to.wrong = misfit(question.TypeList, question.TypeObject, excerpt(text))
	}
}
