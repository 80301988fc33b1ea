package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"followup/internal/question"
)

// frame is an object or an array that is open.
type frame struct {
	told
	table   *table   // what the object, or each item, may hold
	values  []value  // of the names that stood in it
	current *value   // that is read; nil for one of a name that nobody knows
	key     string   // the name
	list    *reading // of an array
	cut     *reading // the value that was read, as far as it came
	index   int      // of the question that it is, or belongs to
	show    bool     // the question is shown as it is read
}

func (n *native) top() *frame { return n.frames[n.depth-1] }

// push opens an object or a list. Frames that are closed are used again.
func (n *native) push(t *table) *frame {
	if n.depth == len(n.frames) {
		n.frames = append(n.frames, &frame{})
	}
	f := n.frames[n.depth]
	*f = frame{table: t, values: f.values[:0], told: told{repairs: f.repairs[:0], notices: f.notices[:0]}}
	if n.depth > 0 {
		f.index, f.show = n.top().index, n.top().show
	}
	n.depth++
	return f
}

// beginQuestion notes which question an object in a list, or in none, is, and whether what belongs to it is shown.
func (n *native) beginQuestion(f *frame, in *reading) {
	switch {
	case f.table == questionTable:
		f.index = in.count
		f.show = in.show && f.index < n.options.Limits.Questions
	case f.table == askTable || f.table == questionTable.wrapper:
		f.show = n.draft.begun == 0
	case f.table == followupTable:
		f.show = true
	case in != nil:
		f.show = in.show
	}
}

// value returns the value of a member, and counts how often its name stood.
func (f *frame) value(m *member) *value {
	i := slices.IndexFunc(f.values, func(v value) bool { return v.of == m })
	if i < 0 {
		i = len(f.values)
		f.values = append(f.values, value{of: m})
	}
	f.values[i].times++
	return &f.values[i]
}

func (f *frame) given(s slot) bool {
	return slices.ContainsFunc(f.values, func(v value) bool { return v.of.slot == s && v.given })
}

// path returns the name of what stands in the innermost frame, and in that under the name, such as questions[0].options[1].label.
func (n *native) path(name string) string {
	var b strings.Builder
	for _, f := range n.frames[1:n.depth] {
		switch {
		case f.list != nil:
			b.WriteString("[" + strconv.Itoa(f.list.count) + "]")
		case f.key != "":
			b.WriteString("." + f.key)
		}
	}
	if name != "" {
		b.WriteString("." + name)
	}
	return strings.TrimPrefix(b.String(), ".")
}

// choose returns the value that is taken for the slot; nil where there is none. What is told of it is told of the frame.
func (f *frame) choose(s slot) *value {
	var best *value
	for i := range f.values {
		v := &f.values[i]
		if v.of.slot != s {
			continue
		}
		if v.times > 1 {
			f.repairs.add(question.RepairRepeatedParameter)
		}
		if best == nil || v.rank() > best.rank() || v.rank() == best.rank() && v.of.rank < best.of.rank {
			best = v
		}
	}
	if best == nil {
		return nil
	}
	for i := range f.values {
		if v := &f.values[i]; v != best && v.of.slot == s && !v.of.spare && v.holds() {
			f.notices.add(question.NoticeUnknownKey)
		}
	}
	if best.of.code != "" && (best.given || best.list != nil || best.holds()) {
		f.repairs.add(best.of.code)
	}
	if best.lenient {
		f.repairs.add(question.RepairLenientValue)
	}
	if best.list != nil {
		f.join(&best.list.told)
	}
	return best
}

// told is what there is to say of what was read, if it is taken.
type told struct {
	repairs, notices codes
	fault            *question.Detail // what was mended, outermost
}

func (t *told) join(part *told) {
	t.repairs.add(part.repairs...)
	t.notices.add(part.notices...)
	if t.fault == nil {
		t.fault = part.fault
	}
}

// mended tells that the JSON around it was read although it is none.
func (t *told) mended(fault *question.Detail) {
	if fault != nil {
		t.repairs.add(question.RepairLenientJSON)
		t.fault = fault
	}
}

// valueTypes are the types of toolcall.Kinds.
var valueTypes = [...]question.ValueType{
	"", question.TypeNull, question.TypeBool, question.TypeNumber, question.TypeString, question.TypeList, question.TypeObject,
}

// excerpt quotes the beginning of a text that may be long.
func excerpt(text string) string { return question.Excerpt(text[:min(len(text), excerptBytes)]) }

// misfit returns what is wrong with a value that cannot be taken where it stands.
func misfit(want, got question.ValueType, excerpt string) *question.Detail {
	return &question.Detail{Reason: question.ReasonType, Want: want, Got: got, At: question.Place{Excerpt: excerpt}}
}

// value is what a name in an object stands for. Of several, the last that holds something counts.
type value struct {
	of      *member
	times   int    // how often the name stood
	given   bool   // a text, blank or not
	text    string // also a flag, as JSON has it, and what is taken as it is written
	lenient bool   // it was another kind of value
	list    *reading
	wrong   *question.Detail // why it cannot be taken
}

// holds reports whether there is more than nothing.
func (v *value) holds() bool {
	return v.wrong != nil || v.text != "" || v.list != nil && v.list.count > 0
}

func (v *value) flag() bool { return v.of.take == asFlag && v.text == "true" }

func (v *value) string() string {
	if v == nil {
		return ""
	}
	return v.text
}

// put takes a text. Lenient: it was another kind of value.
func (v *value) put(text string, lenient bool) {
	v.given = true
	if text != "" {
		v.text, v.wrong, v.lenient = text, nil, lenient
	}
}

// rank is higher for what is taken rather than another.
func (v *value) rank() int {
	switch {
	case v.flag():
		return 3 // several options may be chosen, if any name says so
	case v.holds() && v.wrong == nil:
		return 2
	case v.holds():
		return 1
	}
	return 0
}

// putList takes a list in place of that before, unless it is empty, and returns the other one.
func (v *value) putList(l *reading) (other *reading) {
	if v.list == nil || l.count > 0 {
		v.list, v.wrong, l = l, nil, v.list
	}
	return l
}

// problems are the first of each kind of error that were found, and how many there were.
type problems struct {
	missing, invalid *question.Detail
	found            int
}

// pathOf returns the path of the value, or of the name if there is none.
func (n *native) pathOf(v *value, name string) string {
	if v != nil {
		name = v.of.key
	}
	return n.path(name)
}

// lacks notes that a text is missing: that of the value, or of the name where there is none.
func (n *native) lacks(p *problems, v *value, name string) {
	if p.found++; p.missing == nil {
		p.missing = &question.Detail{Name: n.pathOf(v, name)}
	}
}

// is notes what is wrong with the value, or with what the name stands for where there is none.
func (n *native) is(p *problems, v *value, name string, d question.Detail) {
	if p.found++; p.invalid == nil {
		d.Name = n.pathOf(v, name)
		p.invalid = new(question.Detail)
		*p.invalid = d
	}
}

// counts notes that a list has too few or too many items.
func (n *native) counts(p *problems, v *value, name string, least, most, found int) {
	if found < least || found > most {
		n.is(p, v, name, question.Detail{Reason: question.ReasonCount, Min: least, Max: most, Count: found})
	}
}

// twice notes that an item says the same as another one.
func (n *native) twice(p *problems, name, text string) {
	n.is(p, nil, name, question.Detail{Reason: question.ReasonDuplicate, Found: question.Excerpt(text)})
}

func (p *problems) merge(part problems) {
	p.found += part.found
	p.missing, p.invalid = cmp.Or(p.missing, part.missing), cmp.Or(p.invalid, part.invalid)
}
