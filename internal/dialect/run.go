package dialect

// run is a stretch of an open question on which a chunk of plain characters, as most are, can be added to the text at once:
// the scanner, and all between it and the text, would hand it on as it is. They are told when the run ends. This changes no
// result; it makes reading several times as fast.
type run struct {
	text  *trimmed
	room  int // bytes that may still come, by every limit; 0 when there is no run
	taken int // bytes that came
}

// newRun begins a run, if the text has begun and waits for nothing.
func newRun(text *trimmed, room int) run {
	if text.cr || text.text.Len() == 0 {
		return run{}
	}
	return run{text: text, room: room}
}

// fits reports whether there is a run, and room in it for the chunk.
func (r *run) fits(chunk []byte) bool { return len(chunk) > 0 && len(chunk) <= r.room }

// take adds ASCII characters, without carriage returns, for which there is room.
func (r *run) take(b []byte) {
	r.room -= len(b)
	r.taken += len(b)
	r.text.add(b, lenTrimmedASCII(b))
}
