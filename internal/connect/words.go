package connect

import (
	"errors"
	"fmt"

	"followup/internal/locale"
)

const connectTaken locale.Key = "{0}: {1} is your own entry, which does not start Followup. It was not changed; use --replace to " +
	"replace it."

// Words returns an error for people, with what they can do.
func Words(err error, speak locale.Tag) string {
	var refusal *locale.Refusal
	if errors.As(err, &refusal) {
		return refusal.In(speak)
	}
	var at *FileError
	if !errors.As(err, &at) {
		return err.Error()
	}
	var syntax *SyntaxError
	var shape *ShapeError
	var foreign *ForeignError
	switch {
	case errors.As(at.Err, &syntax):
		return speak.Text("{0} cannot be read: line {1}: {2}. It was not changed. Fix it, then try again.", at.Name, syntax.Line, syntax.Reason)
	case errors.As(at.Err, &shape):
		return speak.Text("{0}: {1} has an unexpected type. The file was not changed. Fix it, then try again.", line(at.Name, shape.Line), shape.At)
	case errors.As(at.Err, &foreign):
		return speak.Text(connectTaken, line(at.Name, foreign.Line), foreign.At)
	case errors.Is(at.Err, errChanged):
		return speak.Text("{0} was changed by another program at the same moment, so it was not changed here. Try again.", at.Name)
	case errors.Is(at.Err, errReadOnly):
		return speak.Text("{0} is read-only, so it was not changed. Make it writable, then try again.", at.Name)
	case errors.Is(at.Err, errNoFile):
		return speak.Text("{0} is not a file, so it was not changed. Move it away, then try again.", at.Name)
	}
	return speak.Text("{0} could not be changed: {1}", at.Name, at.Err)
}

// line adds a line to a file's name, if it is known.
func line(name string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return name
}

// Words returns the state for people.
func (s Status) Words(speak locale.Tag) string {
	switch s.State {
	case Partly:
		return speak.Text("must be connected again")
	case Connected:
		return speak.Text("connected")
	case Foreign:
		return speak.Text("has another entry of this name")
	case Broken:
		return speak.Text("its configuration cannot be read")
	}
	if !s.Found {
		return speak.Text("not found on this machine")
	}
	return speak.Text("not connected")
}
