package store

import "followup/internal/question"

// ID returns the id that an exchange gets: the same at every import, and that of the question itself where it was asked live.
func (x Imported) ID() string {
	if x.Shared {
		return question.IDOfCall(x.Key)
	}
	return question.ImportedID(x.Source, x.Key)
}
