// Package dialect parses the questions that coding agents ask and formats the answers they get back. Each spelling of
// a question has its own file; every parser produces a question.Call.
package dialect

import "followup/internal/question"

// Options configure a reader.
type Options struct {
	// Strict turns every repair into an error, except dropping useless suggestions.
	Strict bool `json:"strict,omitempty"`
	// OpaqueTags names further elements whose content is never read as a call.
	OpaqueTags []string `json:"opaqueTags,omitempty"`
	// Limits bound how much of the input is kept.
	Limits question.Limits `json:"limits,omitzero"`
}

// Event is one of *Text, *Hidden, *Opened, *Grew, *Suggested, *GrewPart and *Done.
type Event any

// Text is text outside calls. It is sent as soon as it cannot be part of a tag.
type Text struct{ Text string }

// Hidden reports a whole call in a place where calls are not run. It may come before or after the Text that contains
// the call.
type Hidden struct{ By question.Hider }

// Opened reports that a call has begun: its first parameter opened, so a partial question may be shown.
type Opened struct{ Tool string }

// Grew is more of the question's text, decoded and without leading white space. Trailing white space is held back
// until more text follows.
type Grew struct{ Text string }

// Suggested reports further complete suggestions of the open call. Suggestions that completed together arrive in one
// event.
type Suggested struct{ Suggestions []question.Suggestion }

// GrewPart is more of the open call's questionnaire. Questions arrive in order; the first GrewPart with an Index
// begins that question. Questions and options beyond the limits are not sent, since such a call is invalid.
type GrewPart struct {
	// Index is the zero-based index of the question.
	Index int
	// Text is appended to the question's text. It is decoded and trimmed like Grew.Text.
	Text string
	// Header is the question's header once it is complete. Empty means no change.
	Header string
	// Options are complete and are appended to the earlier ones.
	Options []question.Option
	// MultiSelect is true once the question is known to allow several options.
	MultiSelect bool
}

// Done reports the end of the open call. Its payload replaces everything shown before, which a repair or a repeated
// parameter may have changed.
type Done struct{ Call question.Call }
