package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// frame is an open object or array.
type frame struct {
	remarks
	table   *table   // describes the object, or each item of the array
	values  []value  // by member, for the names seen so far
	current *value   // the value being read; nil if its name is unknown
	list    *reading // the array's items
	cut     *reading // the incomplete array, if the input ended in it
	index   int      // index of the question it is, or belongs to
	item    *table   // describes the item of a list that it is, or belongs to
	show    bool     // parts are shown as they are read
}

func (n *native) top() *frame { return n.frames[n.depth-1] }

// push opens an object or a list. It reuses closed frames.
func (n *native) push(t *table) *frame {
	if n.depth == len(n.frames) {
		n.frames = append(n.frames, &frame{})
	}
	f := n.frames[n.depth]
	*f = frame{table: t, values: f.values[:0], remarks: remarks{repairs: f.repairs[:0], notices: f.notices[:0]}}
	if n.depth > 0 {
		f.index, f.show, f.item = n.top().index, n.top().show, n.top().item
	}
	n.depth++
	return f
}

// value returns the member's value and counts this occurrence of its name.
func (f *frame) value(m *member) *value {
	i := slices.IndexFunc(f.values, func(v value) bool { return v.member == m })
	if i < 0 {
		i = len(f.values)
		f.values = append(f.values, value{member: m})
	}
	f.values[i].times++
	return &f.values[i]
}

// path returns the path of name in the innermost frame, such as questions[0].options[1].label. If name is empty, it
// returns the path of the frame.
func (n *native) path(name string) string {
	var b strings.Builder
	for _, f := range n.frames[1:n.depth] {
		switch {
		case f.list != nil:
			b.WriteString("[" + strconv.Itoa(f.list.count) + "]")
		case f.current != nil && f.table != outermost:
			b.WriteString("." + f.current.member.key)
		}
	}
	if name != "" {
		b.WriteString("." + name)
	}
	return strings.TrimPrefix(b.String(), ".")
}

// choose returns the best value for the slot, or nil. It adds the repairs and notices of this choice to the frame's.
func (f *frame) choose(s slot) *value {
	var best *value
	for i := range f.values {
		v := &f.values[i]
		if v.member.slot != s {
			continue
		}
		if v.times > 1 {
			f.repairs.add(question.RepairRepeatedParameter)
		}
		other := v
		if best == nil || v.priority() > best.priority() || v.priority() == best.priority() && v.member.rank < best.member.rank {
			best, other = v, best
		}
		if other != nil && !other.member.silent && other.nonEmpty() {
			f.notices.add(question.NoticeUnknownKey)
		}
	}
	if best == nil {
		return nil
	}
	if best.member.code != "" && (best.given || best.list != nil || best.nonEmpty()) {
		f.repairs.add(best.member.code)
	}
	if best.lenient {
		f.repairs.add(question.RepairLenientValue)
	}
	if best.list != nil {
		f.join(&best.list.remarks)
	}
	return best
}

// remarks are the repairs and notices of a part of the input. They are discarded with the part if it is not used.
type remarks struct {
	repairs, notices codes
	fault            *question.Detail // the outermost repaired flaw
}

func (r *remarks) join(part *remarks) {
	r.repairs.add(part.repairs...)
	r.notices.add(part.notices...)
	if r.fault == nil {
		r.fault = part.fault
	}
}

// noteRepair records that invalid JSON was repaired. A nil fault is ignored.
func (r *remarks) noteRepair(fault *question.Detail) {
	if fault != nil {
		r.repairs.add(question.RepairLenientJSON)
		r.fault = fault
	}
}

// valueTypes maps toolcall.Kind to question.ValueType.
var valueTypes = [...]question.ValueType{
	"", question.TypeNull, question.TypeBool, question.TypeNumber, question.TypeString, question.TypeList, question.TypeObject,
}

// placeOf converts an offset to a line and a column, both from 1. The column counts characters.
func placeOf(text string, at int) question.Place {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return question.Place{
		Line: 1 + strings.Count(text[:at], "\n"), Column: 1 + utf8.RuneCountInString(line), Excerpt: excerpt(text[at:]),
	}
}

// excerpt quotes the beginning of text, which may be long.
func excerpt(text string) string { return question.Excerpt(text[:min(len(text), excerptBytes)]) }

// typeMismatch returns the detail for a value of the wrong type.
func typeMismatch(want, got question.ValueType, excerpt string) *question.Detail {
	return &question.Detail{Reason: question.ReasonType, Want: want, Got: got, At: question.Place{Excerpt: excerpt}}
}

// value is the value of one member. If a name repeats, the last value that is not empty wins.
type value struct {
	member  *member
	times   int    // occurrences of the name
	given   bool   // a text was given, blank or not
	text    string // also flags, in JSON's spelling, and raw JSON
	lenient bool   // converted from another type
	list    *reading
	problem *question.Detail // why it cannot be used
}

// nonEmpty reports whether the value holds anything, an unusable value included.
func (v *value) nonEmpty() bool {
	return v.problem != nil || v.text != "" || v.list != nil && v.list.count > 0
}

func (v *value) isTrue() bool { return v.member.as == asFlag && v.text == "true" }

func (v *value) string() string {
	if v == nil {
		return ""
	}
	return v.text
}

// setText sets the text unless it is empty. lenient means that it was converted from another type.
func (v *value) setText(text string, lenient bool) {
	v.given = true
	if text != "" {
		v.text, v.problem, v.lenient = text, nil, lenient
	}
}

// priority orders the values of one slot; the highest wins.
func (v *value) priority() int {
	switch {
	case v.isTrue():
		return 3 // any name may turn multi-select on
	case v.nonEmpty() && v.problem == nil:
		return 2
	case v.nonEmpty():
		return 1
	}
	return 0
}

// setList sets the list and returns the replaced one. An empty list replaces nothing and is returned itself.
func (v *value) setList(l *reading) (other *reading) {
	if v.list == nil || l.count > 0 {
		v.list, v.problem, l = l, nil, v.list
	}
	return l
}

// problems holds the first error of each kind, and their number.
type problems struct {
	missing, invalid *question.Detail
	found            int
}

// note records a problem at v, or at name if v is nil.
func (n *native) note(p *problems, first **question.Detail, v *value, name string, d question.Detail) {
	if v != nil {
		name = v.member.key
	}
	if p.found++; *first == nil {
		d.Name = n.path(name)
		*first = &question.Detail{}
		**first = d
	}
}

func (n *native) noteInvalid(p *problems, v *value, name string, d question.Detail) {
	n.note(p, &p.invalid, v, name, d)
}

// checkList returns the list that v holds, or nil. It records the problems of the list and of its items.
func (n *native) checkList(p *problems, v *value, name string, least, most int) (l *reading) {
	found := 0
	if v != nil && v.problem != nil {
		n.noteInvalid(p, v, name, *v.problem)
		return nil
	}
	if v != nil && v.list != nil {
		l, found = v.list, v.list.count
		p.merge(l.problems)
	}
	if found < least || found > most {
		n.noteInvalid(p, v, name, question.Detail{Reason: question.ReasonCount, Min: least, Max: most, Count: found})
	}
	return l
}

// noteDuplicate records that an item repeats an earlier one.
func (n *native) noteDuplicate(p *problems, name, text string) {
	n.noteInvalid(p, nil, name, question.Detail{Reason: question.ReasonDuplicate, Found: question.Excerpt(text)})
}

func (p *problems) merge(part problems) {
	p.found += part.found
	p.missing, p.invalid = cmp.Or(p.missing, part.missing), cmp.Or(p.invalid, part.invalid)
}
