package locale

// Refusal is an error that the user sees, in their language.
type Refusal struct {
	// Key and Args are what Tag.Text takes.
	Key  Key
	Args []any
}

// Refuse returns a Refusal.
func Refuse(key Key, args ...any) error { return &Refusal{Key: key, Args: args} }

// Refused returns a Refusal whose words are in the user's language already.
func Refused(words string) error { return &Refusal{Key: Key(words)} }

// In returns the text in a language.
func (r *Refusal) In(t Tag) string { return t.Text(r.Key, r.Args...) }

// Error returns the English text.
func (r *Refusal) Error() string { return r.In(English) }
