package dialect

import "followup/internal/question"

// What a walker shows of a call while it arrives.

// open shows the call, when a value begins that is a part of it.
func (w *walker) open(f *frame, v *value) {
	switch {
	case w.asked != nil:
		if f.show && (v.of.slot == slotQuestion || v.of.slot == slotOptions) {
			w.asked.begin()
		}
	case v.of.slot == slotQuestion || v.of.slot == slotItems:
		w.draft.begin(question.ToolFollowup)
	}
}

// beginGrowing shows the text that begins as it grows, if it is the first of its question.
func (w *walker) beginGrowing(f *frame, v *value) {
	w.growing, w.index = v.of.slot == slotQuestion, f.index
	if w.asked != nil {
		w.growing = w.growing && f.show && !w.asked.hasText(f.index)
	} else {
		w.growing = w.growing && w.draft.question == ""
	}
	w.shown = grower{}
	w.grown.Begin()
}

// grow shows the next piece of the text that grows.
func (w *walker) grow(piece []byte) {
	w.grown.Write(piece)
	fresh := w.shown.verbatim(w.grown.Text(), w.grown.Len())
	switch {
	case fresh == "":
	case w.asked != nil:
		w.asked.grow(w.index, fresh)
	default:
		w.draft.grow(fresh)
	}
}

// endGrowing returns the text that was shown.
func (w *walker) endGrowing() string {
	text := withLF(w.grown.Own(trim(w.grown.Text())))
	switch {
	case text == "":
	case w.asked != nil:
		w.asked.question(w.index).text = text
	default:
		w.draft.question = text
	}
	return text
}

// showList shows the items of a list, which stands in f, as they end: what comes first is shown at once, and is what will be
// taken unless another list holds something too.
func (w *walker) showList(l *list, of *table, f *frame) {
	switch {
	case w.asked == nil:
		if w.draft.list == nil {
			l.suggest.shown, w.draft.list = &w.draft, &l.suggest
		}
	case of == questionTable:
		l.show = len(w.asked.shown) == 0
	default:
		l.show = f.show && !w.asked.hasOptions(f.index)
	}
}

// beginQuestion notes which question an object in a list, or in none, is, and whether what belongs to it is shown.
func (w *walker) beginQuestion(f *frame, in *list) {
	switch {
	case w.asked == nil:
	case f.table == questionTable:
		f.index = in.count
		if f.show = in.show && f.index < w.options.Limits.Questions; f.show {
			w.asked.begin()
		}
	case f.table == askTable || f.table == questionTable.wrapper:
		f.show = len(w.asked.shown) == 0
	case in != nil:
		f.show = in.show
	}
}

func (w *walker) showHeader(f *frame, v *value) {
	if header := v.string(); v.of.slot == slotHeader && f.show && header != "" {
		w.asked.header(f.index, header)
	}
}

func (w *walker) showFlag(f *frame, v *value) {
	if f.show && v.flag {
		w.asked.multi(f.index)
	}
}

// endedQuestion shows that a question is over.
func (w *walker) endedQuestion(show bool, index int) {
	if show && index < w.options.Limits.Questions {
		w.asked.begin()
		w.asked.ended(index)
	}
}
