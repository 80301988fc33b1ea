package dialect

import (
	"cmp"
	"encoding/json"

	"followup/internal/question"
)

// told is what there is to say of what was read, if it is taken.
type told struct {
	repairs, notices codes
	fault            *question.Detail // what was mended, outermost
}

// join adds what is told of a part.
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

// misfit is a value that cannot be taken where it stands.
type misfit struct {
	want, got question.ValueType // empty when there is none
	at        question.Place
}

// value is what a name in an object stands for. Of several, the last that holds something counts.
type value struct {
	of      *member
	times   int  // how often the name stood
	given   bool // a text, blank or not
	text    string
	lenient bool // the text, or flag, was another kind of value
	flag    bool
	flagged bool // the flag is given
	list    *list
	args    *arguments
	raw     json.RawMessage
	wrong   *misfit
}

// holds reports whether there is more than nothing.
func (v *value) holds() bool {
	return v.wrong != nil || v.text != "" || v.flagged || v.args != nil || v.raw != nil ||
		v.list != nil && v.list.count > 0
}

// pathOf returns what gives the path of the value, or of the name where there is none.
func (w *walker) pathOf(v *value, name string) func() string {
	return func() string {
		if v != nil {
			name = v.of.key
		}
		return w.path(name)
	}
}

// string returns the text; empty when there is none.
func (v *value) string() string {
	if v == nil {
		return ""
	}
	return v.text
}

// put takes a text.
func (v *value) put(text string) {
	v.given = true
	if text != "" {
		v.text, v.wrong, v.lenient = text, nil, false
	}
}

// copy returns a copy that outlives the frame of the value.
func (v *value) copy() *value {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}

// putScalar takes a number or boolean for a text.
func (v *value) putScalar(text []byte) {
	v.put(string(text))
	v.lenient = true
}

// rank is higher for what is taken rather than another.
func (v *value) rank() int {
	switch {
	case v.flag:
		return 3 // several options may be chosen, if any name says so
	case v.holds() && v.wrong == nil:
		return 2
	case v.holds():
		return 1
	}
	return 0
}

// putList takes a list.
func (v *value) putList(l *list) {
	if v.list == nil || l.count > 0 {
		v.list, v.wrong = l, nil
	}
}

// putArguments takes all the arguments.
func (v *value) putArguments(a *arguments) { v.args, v.wrong = a, nil }

// list is an array that is read, of suggestions, options or questions.
type list struct {
	told
	problems
	count     int  // of items, of use or not
	show      bool // it is shown as it is read
	suggest   suggestionList
	options   []question.Option
	questions []question.Question
}

// problems are the first of each kind of error that were found.
type problems struct {
	missing *question.Detail
	invalid *question.Detail
	any     bool
}

func (p *problems) lacks(path func() string) {
	if p.any = true; p.missing == nil {
		p.missing = &question.Detail{Name: path()}
	}
}

func (p *problems) is(path func() string, d question.Detail) {
	if p.any = true; p.invalid == nil {
		first := d // which is made only now
		first.Name = path()
		p.invalid = &first
	}
}

// misfits notes a value of the wrong type.
func (p *problems) misfits(path func() string, m *misfit) {
	p.is(path, question.Detail{Reason: question.ReasonType, Want: m.want, Got: m.got, At: m.at})
}

func (p *problems) counts(path func() string, least, most, found int) {
	if found < least || found > most {
		p.is(path, question.Detail{Reason: question.ReasonCount, Min: least, Max: most, Count: found})
	}
}

func (p *problems) twice(path func() string, text string) {
	p.is(path, question.Detail{Reason: question.ReasonDuplicate, Found: question.Excerpt(text)})
}

// add adds those of a part.
func (p *problems) add(part problems) {
	p.any = p.any || part.any
	p.missing, p.invalid = cmp.Or(p.missing, part.missing), cmp.Or(p.invalid, part.invalid)
}
