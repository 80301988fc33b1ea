package dialect

import (
	"strconv"
	"strings"
	"sync"

	"followup/internal/question"
)

// frame is an object or an array that is open.
type frame struct {
	told
	table   *table   // what the object, or each item, may hold
	values  []*value // of the names that stood in it
	few     [2]value // for most of them
	refs    [4]*value
	current *value // that is read; nil for one of a name that nobody knows
	key     string // the name
	list    *list  // of an array
	// Of an object:
	text  bool // it is a text alone
	index int  // of the question that it is, or belongs to
	show  bool // the question is shown as it is read
	from  int  // where a wrapper begins
}

// deepest is how many frames are open at most; what is nested deeper is not read.
const deepest = 16

// walkers are those that have finished, zero, to be used again: arguments of 2 KB are read at half the speed of json.Valid, as they
// shall be (make bench), only because no room has to be made for one of these, which is larger. What was read is no part of them.
var walkers = sync.Pool{New: func() any { return &walker{} }}

func newWalker(o Options) *walker {
	fillTables()
	w := walkers.Get().(*walker)
	w.options, w.frames = o, w.stack[:0]
	return w
}

func (w *walker) release() {
	*w = walker{}
	walkers.Put(w)
}

func (w *walker) top() *frame { return w.frames[w.depth-1] }

// push opens an object. Frames that are closed are used again.
func (w *walker) push(t *table) *frame {
	switch n := len(w.frames); {
	case w.depth < n:
	case n < len(w.first):
		w.frames = append(w.frames, &w.first[n])
	default:
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[w.depth]
	w.depth++
	f.told, f.table, f.values, f.current, f.key, f.list = told{}, t, f.refs[:0], nil, "", nil
	if f.text, f.index, f.show = false, 0, false; w.depth > 1 {
		around := w.frames[w.depth-2]
		f.index, f.show = around.index, around.show
	}
	return f
}

// pop closes the innermost frame.
func (w *walker) pop() *frame {
	w.depth--
	return w.frames[w.depth]
}

// value returns the value of a member, and counts how often its name stood.
func (f *frame) value(m *member) *value {
	for _, v := range f.values {
		if v.of == m {
			v.times++
			return v
		}
	}
	var v *value
	if n := len(f.values); n < len(f.few) {
		v = &f.few[n]
	} else {
		v = &value{}
	}
	*v = value{of: m, times: 1}
	f.values = append(f.values, v)
	return v
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

// choose returns the value that is taken for the slot; nil where there is none. What is told of it is told of the frame.
func (f *frame) choose(s slot) *value {
	var best *value
	for _, v := range f.values {
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
	for _, v := range f.values {
		if v != best && v.of.slot == s && !v.of.spare && v.holds() {
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
		f.repairs.add(best.list.suggest.codes...)
	}
	if best.args != nil {
		f.join(&best.args.told)
	}
	return best
}
