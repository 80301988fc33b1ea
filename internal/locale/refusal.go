package locale

// Refusal is an error that the user is told, in their language.
type Refusal struct {
	// Key and Args are what Tag.Text takes.
	Key  Key
	Args []any
}

// Refuse makes a Refusal.
func Refuse(key Key, args ...any) error { return &Refusal{Key: key, Args: args} }

// Refused makes a Refusal of words that are in the user's language.
func Refused(words string) error { return &Refusal{Args: []any{words}} }

// In is the text in a language.
func (r *Refusal) In(t Tag) string {
	if r.Key == "" {
		return r.Args[0].(string)
	}
	return t.Text(r.Key, r.Args...)
}

// Error is the English text.
func (r *Refusal) Error() string { return r.In(English) }
