package connect

import (
	"errors"

	"followup/internal/locale"
)

// Errors about a file, which connect has left unchanged.
const (
	notRead     locale.Key = "{0} cannot be read: line {1}, column {2}: {3}. It was not changed. Fix it, then try again."
	notShaped   locale.Key = "{0}: {1} has an unexpected type. The file was not changed. Fix it, then try again."
	notOurs     locale.Key = "{0}: {1} is your own entry, which does not start Followup. It was not changed; use --replace to replace it."
	notTheSame  locale.Key = "{0} was changed by another program at the same moment, so it was not changed here. Try again."
	notWritable locale.Key = "{0} is read-only, so it was not changed. Make it writable, then try again."
	notAFile    locale.Key = "{0} is not a file, so it was not changed. Move it away, then try again."
)

// refusal returns an error for the user.
func refusal(name string, err error) error {
	if err == nil || errors.As(err, new(*locale.Refusal)) {
		return err
	}
	return locale.Refuse("{0} could not be changed: {1}", name, err)
}

var stateWords = map[State]locale.Key{
	None: "not connected", Partly: "must be connected again", Connected: "connected", Foreign: "has another entry of this name",
	Broken: "its configuration cannot be read",
}

// Words describes the state in words.
func (s Status) Words(speak locale.Tag) string {
	if s.State == None && !s.Found {
		return speak.Text("not found on this machine")
	}
	return speak.Text(stateWords[s.State])
}
