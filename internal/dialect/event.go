// Package dialect reads the ways in which agents spell a question, and words what is said to them about it. Each agent
// family's spelling has a file; all end in the model of package question.
package dialect

import "followup/internal/question"

// Options say how a reader reads.
type Options struct {
	// Strict makes every repair an error, except the dropping of useless suggestions.
	Strict bool
	// OpaqueTags names elements, besides the default ones, in which no call opens.
	OpaqueTags []string
	// Limits bound what is kept of the input.
	Limits question.Limits
}

// Event is what a reader tells as it reads: *Text, *Hidden, *Opened, *Grew, *Suggested, *GrewPart or *Done.
type Event any

// Text is text outside calls, as early as it is known to be that.
type Text struct{ Text string }

// Hidden tells that a whole call stands in the text, before or behind what was told of it, where it is not run.
type Hidden struct{ By question.Hider }

// Opened tells that a call is certain: its first parameter opened, so a partial question may be shown.
type Opened struct{ Tool string }

// Grew is more of the question, decoded and trimmed on the left. White space at the end is held back until more follows.
type Grew struct{ Text string }

// Suggested says that further suggestions of the open call are complete: those that became so at once.
type Suggested struct{ Suggestions []question.Suggestion }

// GrewPart is more of the open call's questionnaire. Questions arrive in their order; the first GrewPart with an Index begins
// that question. Past MaxQuestions questions, and MaxOptions options of one, nothing more is told: such a call is invalid.
type GrewPart struct {
	// Index is the question that grew, from 0.
	Index int
	// Text belongs behind the question's text so far, decoded and trimmed as Grew's.
	Text string
	// Header is the question's header once it is complete; empty when nothing is new of it.
	Header string
	// Options are complete and belong behind those so far.
	Options []question.Option
	// MultiSelect is true once the question is known to allow several options.
	MultiSelect bool
}

// Done tells that the open call ended. Its payload replaces what was shown: a repair or a repeated parameter may have changed that.
type Done struct{ Call question.Call }
