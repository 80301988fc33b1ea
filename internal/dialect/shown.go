package dialect

import "followup/internal/question"

// What a walker shows of a call while it arrives.

// open shows the call, when a value begins that is a part of it.
func (w *walker) open(f *frame, v *value) {
	switch {
	case !f.show:
	case v.of.slot == slotQuestion, v.of.slot == slotOptions, v.of.slot == slotItems && w.draft.tool == question.ToolFollowup:
		w.draft.begin()
	}
}

// beginGrowing shows the text that begins as it grows, if it is the first of its question.
func (w *walker) beginGrowing(f *frame, v *value) {
	w.growing, w.index = v.of.slot == slotQuestion && f.show && !w.draft.hasText(f.index), f.index
	w.shown = grower{}
	w.draft.block.Begin()
}

// grow shows the next piece of the text that grows.
func (w *walker) grow(piece []byte) {
	w.draft.block.Write(piece)
	if fresh := w.shown.next(w.draft.block.Text(), w.draft.block.Len()); fresh != "" {
		w.draft.grow(w.index, fresh)
	}
}

// endGrowing returns the text that was shown.
func (w *walker) endGrowing() string {
	text := withLF(w.draft.block.Own(trim(w.draft.block.Text())))
	if text != "" {
		w.draft.question(w.index).Question = text
	}
	return text
}

// showList shows the items of a list, which stands in f, as they end: what comes first is shown at once, and is what will be
// taken unless another list holds something too.
func (w *walker) showList(l *list, of *table, f *frame) {
	switch {
	case of == optionTable:
		l.show = f.show && !w.draft.hasOptions(f.index)
	case of == questionTable:
		l.show = len(w.draft.shown) == 0
	case w.draft.list == nil:
		l.suggest.shown, w.draft.list = &w.draft, &l.suggest
	}
}

// beginQuestion notes which question an object in a list, or in none, is, and whether what belongs to it is shown.
func (w *walker) beginQuestion(f *frame, in *list) {
	switch {
	case f.table == questionTable:
		f.index = in.count
		if f.show = in.show && f.index < w.options.Limits.Questions; f.show {
			w.draft.begin()
		}
	case f.table == askTable || f.table == questionTable.wrapper:
		f.show = len(w.draft.shown) == 0
	case f.table == followupTable:
		f.show = true
	case in != nil:
		f.show = in.show
	}
}

// endedQuestion shows that a question is over.
func (w *walker) endedQuestion(show bool, index int) {
	if show && index < w.options.Limits.Questions {
		w.draft.ended(index)
	}
}
