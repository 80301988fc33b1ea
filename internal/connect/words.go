package connect

import (
	"errors"
	"fmt"

	"followup/internal/locale"
)

// Refusals of a file, which was left as it is.
const (
	notRead     locale.Key = "{0} cannot be read: line {1}, column {2}: {3}. It was not changed. Fix it, then try again."
	notShaped   locale.Key = "{0}: {1} has an unexpected type. The file was not changed. Fix it, then try again."
	notOurs     locale.Key = "{0}: {1} is your own entry, which does not start Followup. It was not changed; use --replace to replace it."
	notTheSame  locale.Key = "{0} was changed by another program at the same moment, so it was not changed here. Try again."
	notWritable locale.Key = "{0} is read-only, so it was not changed. Make it writable, then try again."
	notAFile    locale.Key = "{0} is not a file, so it was not changed. Move it away, then try again."
)

// refusal returns an error as one that the user sees.
func refusal(name string, err error) error {
	if err == nil || errors.As(err, new(*locale.Refusal)) {
		return err
	}
	return locale.Refuse("{0} could not be changed: {1}", name, err)
}

// isForeign reports whether an error is about an entry of the user's own that has the name of Followup's.
func isForeign(err error) bool {
	var refusal *locale.Refusal
	return errors.As(err, &refusal) && refusal.Key == notOurs
}

// place adds a line to a file's name, if it is known.
func place(name string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return name
}

var stateWords = map[State]locale.Key{
	None: "not connected", Partly: "must be connected again", Connected: "connected", Foreign: "has another entry of this name",
	Broken: "its configuration cannot be read",
}

// Words returns the state for people.
func (s Status) Words(speak locale.Tag) string {
	if s.State == None && !s.Found {
		return speak.Text("not found on this machine")
	}
	return speak.Text(stateWords[s.State])
}
