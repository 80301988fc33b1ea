package dialect

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// frame is an object or an array that is open.
type frame struct {
	told
	table   *table   // what the object, or each item, may hold
	values  []*value // of the names that stood in it
	current *value   // that is read; nil for one of a name that nobody knows
	key     string   // the name
	list    *list    // of an array
	// Of an object:
	text  bool // it is a text alone
	index int  // of the question that it is, or belongs to
	show  bool // the question is shown as it is read
	from  int  // where a wrapper begins
}

// deepest is how many frames are open at most; what is nested deeper is not read.
const deepest = 16

var walkers = sync.Pool{New: func() any { return &walker{} }}

// newWalker returns a walker, which release gives back.
func newWalker(o Options, d draft) *walker {
	fillTables()
	w := walkers.Get().(*walker)
	d.block = w.draft.block.Spare()
	w.options, w.draft = o, d
	return w
}

// release gives w back, without what was read.
func (w *walker) release() {
	room := walker{frames: w.frames, text: toolcall.Spare(w.text), draft: draft{block: w.draft.block}}
	for i := range w.layers {
		l := &w.layers[i]
		l.tokens.Init(nil)
		room.layers[i] = layer{tokens: l.tokens, text: toolcall.Spare(l.text)}
	}
	for _, f := range w.frames {
		for _, v := range f.values[:cap(f.values)] {
			if v != nil {
				*v = value{}
			}
		}
		*f = frame{values: f.values[:0], told: told{repairs: f.repairs[:0], notices: f.notices[:0]}}
	}
	*w = room
	walkers.Put(w)
}

func (w *walker) top() *frame { return w.frames[w.depth-1] }

// push opens an object. Frames that are closed are used again.
func (w *walker) push(t *table) *frame {
	if w.depth == len(w.frames) {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[w.depth]
	*f = frame{table: t, values: f.values[:0], told: told{repairs: f.repairs[:0], notices: f.notices[:0]}}
	if w.depth > 0 {
		around := w.frames[w.depth-1]
		f.index, f.show = around.index, around.show
	}
	w.depth++
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
	n := len(f.values)
	if n == cap(f.values) {
		f.values = append(f.values, nil)
	}
	f.values = f.values[:n+1]
	if f.values[n] == nil {
		f.values[n] = &value{}
	}
	*f.values[n] = value{of: m, times: 1}
	return f.values[n]
}

// given reports whether there is a value for the slot.
func (f *frame) given(s slot) bool {
	return slices.ContainsFunc(f.values, func(v *value) bool { return v.of.slot == s && v.given })
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
