package locale

import "errors"

// Refusal is an error that the user sees, in their language.
type Refusal struct {
	// Key and Args are the arguments of Tag.Text.
	Key  Key
	Args []any
}

// Refuse returns a Refusal.
func Refuse(key Key, args ...any) error { return &Refusal{Key: key, Args: args} }

// Refused returns a Refusal with a text that is already in the user's language.
func Refused(words string) error { return &Refusal{Key: Key(words)} }

// In returns the text in a language.
func (r *Refusal) In(t Tag) string { return t.Text(r.Key, r.Args...) }

// Error returns the English text.
func (r *Refusal) Error() string { return r.In(English) }

// Words returns the text of an error: a Refusal's in the language, any other's as it is.
func (t Tag) Words(err error) string {
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return refusal.In(t)
	}
	return err.Error()
}
