package dialect

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// native reads a call's arguments as they arrive. The tool's table describes them. Each open object and array has a
// frame.
type native struct {
	options Options
	out     output
	draft   draft
	feed    *toolcall.Feed // nil if all arguments are there from the start
	layers  [maxLayer + 1]layer
	frames  []*frame
	spare   *reading // a discarded list for reuse; may be nil
	depth   int      // number of open frames

	tooLarge *question.Detail // the first exceeded limit
	cut      question.Place   // the string that the input ends in
	fault    *question.Detail // flaw in a string that should contain the arguments
	args     *reading         // nil if there are none
}

// layer is a JSON text: the arguments, or a string inside them that contains JSON.
type layer struct {
	toolcall.JSON
	depth int // number of enclosing strings
}

const (
	maxDepth     = 16  // open frames; deeper values are skipped
	maxLayer     = 3   // enclosing strings: around the arguments, a list in them, and once more around that list
	excerptBytes = 256 // enough for question.Excerpt
)

var natives = sync.Pool{New: func() any { return &native{} }}

// acquireNative returns a pooled reader for a call of the tool. The caller releases it.
func acquireNative(tool string, o Options) *native {
	fillTables()
	o.Limits = o.Limits.WithDefaults()
	n := natives.Get().(*native)
	n.options, n.draft = o, draft{out: &n.out, tool: tool, limit: o.Limits.Parameter}
	n.out.send = discard
	for i := range n.layers {
		n.layers[i].depth = i
	}
	return n
}

// release clears n and returns it to the pool.
func (n *native) release() {
	for _, f := range n.frames {
		clear(f.values[:cap(f.values)])
		*f = frame{values: f.values[:0], remarks: remarks{repairs: f.repairs[:0], notices: f.notices[:0]}}
	}
	frames := n.frames
	*n = native{} // a literal with the frames would be copied
	n.frames = frames
	natives.Put(n)
}

func (n *native) read(text string, more func() (string, bool)) {
	j := &n.layers[0]
	j.Init(text, more)
	n.args = n.readWhole(j, cmp.Or(argumentsOf[n.draft.tool], ignoredMember)).list
}

// result returns the call that was read. size is the length of the arguments.
func (n *native) result(size int) reading {
	j, r, tool := &n.layers[0], n.args, n.draft.tool
	invalid := func(code question.Code, d question.Detail) reading {
		return reading{tool: tool, err: &question.Error{Code: code, Detail: d}}
	}
	switch limit := n.options.Limits.Message; {
	case argumentsOf[tool] == nil:
		return invalid(question.CodeUnknownTool, question.Detail{Name: tool})
	case size > limit:
		return invalid(question.CodeTooLarge, question.Detail{Limit: limit})
	case j.Cut():
		if text, _ := j.Spot(); n.cut.Path == "" {
			n.cut = placeOf(text, len(text))
		}
		return invalid(question.CodeTruncated, question.Detail{At: n.cut})
	case n.tooLarge != nil:
		return invalid(question.CodeTooLarge, *n.tooLarge)
	case j.Stopped():
		return invalid(question.CodeParseFailed, *j.fatal())
	case r == nil:
		return invalid(question.CodeParseFailed, *cmp.Or(n.fault, &question.Detail{Reason: question.ReasonNotObject}))
	}
	r.tool = tool
	if r.noteRepair(j.firstRepair()); tool == question.ToolFollowup {
		r.unwrapElements()
	}
	return *r
}

// outermost is the table of the frame around a layer's value.
var outermost = &table{}

// readWhole reads a whole layer as the given member. From a list whose end is missing, it keeps the complete items.
func (n *native) readWhole(j *layer, m *member) *value {
	f := n.push(outermost)
	f.current = f.value(m)
	n.readValue(j, f, j.Value())
	v := f.current
	if n.depth--; !j.End() {
		*v = value{member: m}
		if l := f.cut; l != nil && j.Cut() && m.table == suggestionTable && l.count > 0 {
			l.noteRepair(&question.Detail{Reason: question.ReasonInnerEnd})
			v.setList(l)
		}
	}
	return v
}

// readObject reads the members of an object and adds the object to the enclosing frame.
func (n *native) readObject(j *layer, t *table) {
	around, from := n.top(), j.Start
	f := n.push(t)
	switch in := around.list; {
	case t == questionTable && in != nil:
		f.index = in.count
		f.show = in.show && f.index < n.options.Limits.Questions
	case t == askTable || t == questionTable:
		f.show = n.draft.begun == 0
	case t == followupTable:
		f.show = true
	case in != nil:
		f.show = in.show
	}
	if around.list != nil {
		f.item = t
	}
	var flat flatMembers
	for j.Key() {
		if m, name := t.find(j.Text()), j.Text(); m != nil || !flat.read(j, t, name) {
			n.readMember(j, f, m)
		}
	}
	if flat.count > 0 && !j.Stopped() {
		f.repairs.add(question.RepairKeyAlias)
		text, _ := json.Marshal(flat.object) // of valid JSON and strings
		in := &n.layers[j.depth+1]
		in.Init(string(text), nil)
		for in.Value(); in.Key(); {
			n.readMember(in, f, t.find(in.Text()))
		}
	}
	if n.depth--; !j.Stopped() {
		n.finishObject(f, j.Raw(from))
	}
}

// readMember reads a member's value. m is nil if the name is unknown. The size limit of a parameter counts its raw
// bytes.
func (n *native) readMember(j *layer, f *frame, m *member) {
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
		n.readValue(j, f, k)
		if limit := n.options.Limits.Parameter; f.table.arguments && m.as != asObject && n.tooLarge == nil && j.At-start > limit {
			n.tooLarge = &question.Detail{Name: m.key, Limit: limit}
		}
	}
}

// readValue reads a value into f.current.
func (n *native) readValue(j *layer, f *frame, k toolcall.Kind) {
	v, from, deep := f.current, j.Start, n.depth == maxDepth
	of := v.member.table
	switch as := v.member.as; {
	case k == toolcall.String && (as == asList || as == asObject):
		n.readEncoded(j, f, v)
	case k == toolcall.String && as < asMetadata:
		n.readString(j, f, v)
	case k == toolcall.Array && as == asList && !deep:
		if l := n.readList(j, f, of); !j.Stopped() {
			n.spare = v.setList(l)
		} else {
			f.cut = l
		}
	case k == toolcall.Object && (as == asList || as == asObject || as == asMode && of != nil) && !deep:
		n.readObject(j, of)
	case k != toolcall.None:
		j.Skip(k)
		n.readOther(f, v, k, j.Raw(from))
	}
}

// readOther handles the remaining types: raw JSON, conversions, and type mismatches.
func (n *native) readOther(f *frame, v *value, k toolcall.Kind, text string) {
	switch as := v.member.as; {
	case as == asMode:
		v.text = "" // a mode of any other type is ignored
	case k == toolcall.Null:
	case as == asList && v.member.table == suggestionTable && text == "false": // no suggestions
	case as == asList && v.member.one && k < toolcall.String:
		n.readContent(f, v, text, 0, true)
	case k < toolcall.String && (as == asText || as == asPreview):
		v.setText(text, true)
	case k == toolcall.Bool && as == asFlag:
		n.setFlag(f, v, text, false)
	case as == asMetadata:
		if !json.Valid([]byte(text)) {
			quoted, _ := json.Marshal(text) // a string always encodes
			text = string(quoted)
		}
		v.setText(text, false)
	case as == asDropped:
		if k < toolcall.String || len(text) > len(`""`) {
			f.notices.add(v.member.code)
		}
	default:
		v.problem = typeMismatch(wanted[v.member.as], valueTypes[k], excerpt(text))
	}
}

// readString reads a string. The first text of a question is shown as it grows.
func (n *native) readString(j *layer, f *frame, v *value) {
	grows := v.member.slot == slotQuestion && f.show && !n.draft.parts[f.index].text
	for shown, from := (trimmer{}), 0; j.Part(); from = len(j.Text()) {
		if grows {
			n.draft.grow(f.index, shown.next(j.Text(), from))
		}
	}
	if j.Stopped() {
		n.noteCut(j)
		return
	}
	text := trim(j.Text())
	if v.member.as == asPreview && text != "" {
		text = j.Text()
	}
	if text = withLF(text); v.member.as != asFlag {
		v.setText(text, false)
	} else if flag := flagWords[strings.ToLower(text)]; flag != "" {
		n.setFlag(f, v, flag, true)
	} else if text != "" {
		v.problem = typeMismatch(question.TypeBool, question.TypeString, question.Excerpt(text))
	}
	if v.member.slot == slotHeader && f.show && v.text != "" {
		n.draft.question(f.index)
		n.out.emit(&GrewPart{Index: f.index, Header: v.text})
	}
}

// flagWords are the strings that mean a boolean, in small letters.
var flagWords = map[string]string{"true": "true", "yes": "true", "false": "false", "no": "false"}

// noteCut records the current string if the arguments end in it.
func (n *native) noteCut(j *layer) {
	if path := n.path(""); n.layers[0].Cut() && n.tooLarge == nil && path != "" {
		n.cut = question.Place{Path: path, Excerpt: question.ExcerptEnd(trim(j.Text()))}
	}
}

// setFlag sets a flag and shows it.
func (n *native) setFlag(f *frame, v *value, text string, lenient bool) {
	if v.setText(text, lenient); v.isTrue() && f.show {
		n.draft.question(f.index)
		n.out.emit(&GrewPart{Index: f.index, MultiSelect: true})
	}
}

// newReading returns an empty reading. It reuses a discarded one unless its items were shown.
func (n *native) newReading() *reading {
	l := n.spare
	if n.spare = nil; l == nil || l.notify != nil {
		l = &reading{}
	}
	*l = reading{}
	return l
}

// beginList opens the list l as the current value of the frame.
func (n *native) beginList(f *frame, of *table, l *reading) *frame {
	g := n.push(of)
	g.list = l
	switch { // The first list is shown as it grows; it also wins unless a later one has items.
	case f.item == of || f.table == of: // joinItem shows the items
	case of == optionTable:
		l.show = f.show && !n.draft.parts[f.index].options
	case of == questionTable:
		l.show = n.draft.begun == 0
	case !n.draft.listed:
		l.notify, n.draft.listed = &n.draft, true
	}
	return g
}

func (n *native) readList(j *layer, f *frame, of *table) *reading {
	g := n.beginList(f, of, n.newReading())
	for j.Item() {
		n.readItem(j, g, j.Value())
		if !j.Stopped() {
			g.list.count++
		}
	}
	n.depth--
	return g.list
}

func (n *native) readItem(j *layer, g *frame, k toolcall.Kind) {
	t, from := g.table, j.Start
	switch room := n.depth < maxDepth; {
	case k == toolcall.None:
	case k == toolcall.Object && room:
		n.readObject(j, t)
	case k == toolcall.Array && room:
		code := question.RepairBadSuggestion
		if n.spare = n.readList(j, g, t); n.spare.count > 0 {
			code = question.RepairWrappedList
		}
		n.joinItem(g, n.spare, code)
	case k == toolcall.String && room && n.readItemInString(j, g):
	case t.bare && k != toolcall.Null && k <= toolcall.String && room:
		v := value{member: &t.members[0]}
		if k == toolcall.String {
			n.readString(j, g, &v)
		} else {
			v.setText(j.Raw(from), true)
		}
		if !j.Stopped() {
			n.addBareItem(g, &v)
		}
	default:
		j.Skip(k)
		g.list.repairs.add(question.RepairBadSuggestion)
		if t == questionTable && g.list.show && g.list.count < n.options.Limits.Questions {
			n.draft.question(g.list.count)
		}
		if g.list.invalid == nil {
			n.noteInvalid(&g.list.problems, nil, "", *typeMismatch(question.TypeObject, valueTypes[k], excerpt(j.Raw(from))))
		}
	}
}

// addBareItem adds an item that is a text instead of an object.
func (n *native) addBareItem(g *frame, v *value) {
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

// readEncoded reads a string in place of a list or an object: JSON, or the content of a follow_up.
func (n *native) readEncoded(j *layer, f *frame, v *value) {
	white := 0
	for j.Part() {
		if trim(j.Text()[white:]) != "" {
			break
		}
		white = len(j.Text())
	}
	inner := white < len(j.Text()) && j.depth < maxLayer && (v.member.as == asObject || beginsJSON(j.Text()))
	in, found := &n.layers[min(j.depth+1, maxLayer)], (*value)(nil)
	if inner {
		in.Init(j.Text(), func() (string, bool) {
			more := j.Part()
			return j.Text(), more
		})
		found = n.readWhole(in, v.member)
	}
	for j.Part() {
	}
	switch {
	case j.Stopped() && !inner:
		n.noteCut(j)
	case j.Stopped():
	case found != nil && found.list != nil:
		found.list.repairs.add(question.RepairDoubleEncoded)
		found.list.noteRepair(in.firstRepair())
		n.spare = v.setList(found.list)
	default:
		if v.member.as == asObject && n.fault == nil && inner {
			switch n.fault = (&question.Detail{Reason: question.ReasonNotObject}); {
			case in.Cut():
				n.fault.Reason = question.ReasonInnerEnd
			case in.Stopped():
				n.fault = in.fatal()
			}
		}
		n.readContent(f, v, j.Text(), j.depth+1, inner)
	}
}

// beginsJSON reports whether text starts like JSON that may hold a list or object: with a bracket, a quotation mark,
// or a code fence, also after the word json.
func beginsJSON(text string) bool {
	rest := trim(text[:min(len(text), 64)])
	if word := len("json"); len(rest) > word && strings.EqualFold(rest[:word], "json") {
		rest = trim(rest[word:])
	}
	return rest != "" && strings.IndexByte("[{\"`", rest[0]) >= 0
}

// readContent reads a string that is not JSON in place of a list or an object, like the content of a follow_up. tried
// means that the string is known not to be JSON. A string inside more than maxLayer strings is not read.
func (n *native) readContent(f *frame, v *value, text string, depth int, tried bool) {
	if trim(text) == "" {
		return
	}
	of, l := v.member.table, n.newReading()
	if v.member.as == asList && of.content && depth <= maxLayer {
		l.read(text, depth, tried)
	}
	one := !l.readable && v.member.one && of.bare
	if one {
		*l = reading{}
		l.readable = true
		l.add(withLF(trim(text)), "")
	}
	if !l.readable {
		n.spare, v.problem = l, typeMismatch(wanted[v.member.as], question.TypeString, "")
		if v.member.as == asList {
			v.problem.At.Excerpt = question.Excerpt(trim(text))
		}
		return
	}
	g, items := n.beginList(f, of, l), l.items
	l.items = items[:0]
	for _, s := range items {
		if of == suggestionTable {
			l.keep(s) // already checked
		} else if n.addBareItem(g, &value{member: &of.members[0], text: s.Answer}); s.Mode != "" {
			l.notices.add(question.NoticeUnknownKey)
		}
		l.count++
	}
	n.depth--
	if f := l.markup; f.Fault != toolcall.NoFault {
		at := question.Place{Path: n.path(""), Excerpt: question.Excerpt(text[f.At:])}
		l.fault = &question.Detail{Reason: question.Reason(f.Fault), Name: f.Name, At: at}
	}
	listed := slices.Contains(l.repairs, question.RepairListSuggestions) || slices.Contains(l.repairs, question.RepairJSONSuggestions)
	if l.count > 0 && !listed && !one {
		l.repairs.add(question.RepairElementSuggestions)
	}
	n.spare = v.setList(l)
}

// fatal returns the fault that stopped the JSON reader.
func (j *layer) fatal() *question.Detail {
	return &question.Detail{Reason: question.Reason(j.Fault), Name: strconv.QuoteRune(j.Found), At: placeOf(j.Spot())}
}

// firstRepair returns the first repaired flaw of the JSON, or nil.
func (j *layer) firstRepair() *question.Detail {
	if j.Mended == toolcall.NoFault {
		return nil
	}
	return &question.Detail{Reason: question.Reason(j.Mended), At: placeOf(j.Spot())}
}

// finishObject adds a finished object to the enclosing frame. text is the object as written.
func (n *native) finishObject(f *frame, text string) {
	around := n.top()
	to := around.current
	switch {
	case f.table == modeTable:
		to.text = f.choose(slotMode).string()
	case f.table == followupTable:
		n.spare = to.setList(n.followup(f))
	case f.table == askTable:
		n.spare = to.setList(n.questionnaire(f))
	case around.list == nil:
		n.unwrap(f, to, text)
	default:
		n.finishItem(around, f)
	}
}

// hasText reports whether the object has a text or a question.
func (f *frame) hasText() bool {
	return slices.ContainsFunc(f.values, func(v value) bool { return v.member.slot <= slotText && v.given })
}

// finishItem adds an object to a list. Without a text, it may contain a list in place of the item.
func (n *native) finishItem(around, f *frame) {
	l, v := around.list, f.choose(slotItems)
	switch {
	case v != nil && v.list != nil && v.list.count > 0 && !f.hasText():
		l.join(&f.remarks)
		n.joinItem(around, v.list, question.RepairWrappedList)
		n.spare = v.list
	case f.table == suggestionTable:
		l.addSuggestion(f)
	case f.table == optionTable:
		n.addOption(l, f.choose(slotText), f.choose(slotDescription), f.choose(slotPreview))
		l.join(&f.remarks)
	default:
		n.addQuestion(l, f)
	}
}

// joinItem adds the items of a list in place of an item.
func (n *native) joinItem(g *frame, in *reading, code question.Code) {
	l, to := g.list, g.list.count+in.count
	l.repairs.add(code)
	l.join(&in.remarks)
	l.merge(in.problems)
	for g.table == questionTable && l.show && n.draft.begun < min(to, n.options.Limits.Questions) {
		n.draft.question(n.draft.begun)
	}
	l.count = to - 1
	for _, s := range in.items {
		l.add(s.Answer, s.Mode)
	}
	for _, o := range in.options {
		n.keepOption(l, o)
	}
	for _, q := range in.questions {
		n.keepQuestion(l, q)
	}
}

// readItemInString reads an item that is an object in a string, and reports whether it is one. A suggestion or an option must have the
// tool's own names; otherwise it is a text that looks like JSON.
func (n *native) readItemInString(j *layer, g *frame) bool {
	for j.Part() {
	}
	text := trim(j.Text())
	if j.Stopped() || j.depth == maxLayer || !strings.HasPrefix(text, "{") {
		return false
	}
	in, l, read := &n.layers[j.depth+1], g.list, n.newReading()
	in.Init(text, nil)
	in.Value()
	g.list, read.count = read, l.count // for its path
	n.readObject(in, g.table)
	g.list, read.count, n.spare = l, 1, read
	if !in.End() || g.table.bare && (read.found > 0 || len(read.notices) > 0 || slices.ContainsFunc(read.repairs, unlike)) {
		return false
	}
	read.noteRepair(in.firstRepair())
	n.joinItem(g, read, question.RepairDoubleEncoded)
	return true
}

// unwrap handles an object in place of a list. It may contain the list, be the list's only item, or be an empty
// object, which means an empty list.
func (n *native) unwrap(f *frame, to *value, text string) {
	switch v := f.choose(slotItems); {
	case v != nil && v.list != nil:
		v.list.join(&f.remarks)
		if f.table != questionTable && f.hasText() {
			v.list.notices.add(question.NoticeUnknownKey)
		}
		to.setList(v.list)
	case f.table == questionTable:
		to.setList(n.oneQuestion(f))
	case f.hasText() && (f.table == suggestionTable || to.member.one):
		l := &reading{count: 1}
		l.repairs.add(question.RepairWrappedList)
		if f.table == suggestionTable && !n.draft.listed {
			l.notify, n.draft.listed = &n.draft, true
		}
		n.finishItem(&frame{list: l}, f)
		to.setList(l)
	case f.table == suggestionTable && len(f.values) == 0 && len(f.notices) == 0:
		to.setList(&reading{})
	default:
		to.problem = typeMismatch(question.TypeList, question.TypeObject, excerpt(text))
	}
}
