package dialect

// Hostile generates inputs of about n bytes that might cost more than linear time or memory.
type Hostile struct {
	Name, Format string
	Make         func(n int) string
}

func Hostiles() (all []Hostile) {
	for _, h := range hostiles() {
		all = append(all, Hostile{h.name, h.format, h.make})
	}
	return all
}

// PlainQuestion returns the baseline for the hostile inputs.
func PlainQuestion(format string) func(n int) string { return plainQuestion(format) }

// Open reports whether a call is open, that is, Opened was sent without Done.
func (t *Tags) Open() bool { return t.message != nil && t.message.call.draft.open }

// Open reports whether the call is open, that is, Opened was sent without Done.
func (in *Input) Open() bool { return in.reader != nil && in.reader.draft.open }
