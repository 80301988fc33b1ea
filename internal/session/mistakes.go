package session

// Mistakes counts consecutive invalid calls. In a session only Apply changes it; Restore restores it.
type Mistakes struct{ n int }

// Count returns the number of invalid calls since the last valid one.
func (m Mistakes) Count() int { return m.n }

// Invalid returns the count after one more invalid call.
func (m Mistakes) Invalid() Mistakes { return Mistakes{m.n + 1} }

// Valid returns the count after a valid call.
func (m Mistakes) Valid() Mistakes { return Mistakes{} }

// Guided returns the count after the user has given guidance.
func (m Mistakes) Guided() Mistakes { return Mistakes{} }
