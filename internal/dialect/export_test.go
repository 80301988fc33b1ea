package dialect

// Hostile is an input of about n bytes that could cost more than its length.
type Hostile struct {
	Name, Format string
	Make         func(n int) string
}

// Hostiles returns the hostile inputs.
func Hostiles() (all []Hostile) {
	for _, h := range hostiles() {
		all = append(all, Hostile{h.name, h.format, h.make})
	}
	return all
}

// PlainQuestion returns what they are compared with.
func PlainQuestion(format string) func(n int) string { return plainQuestion(format) }

// Open reports whether a call is open: there was Opened and no Done.
func (t *Tags) Open() bool { return t.message != nil && t.message.call.draft.open }

// Open reports whether the call is open: there was Opened and no Done.
func (in *Input) Open() bool { return in.reader != nil && in.reader.draft.open }
