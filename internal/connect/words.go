package connect

import (
	"errors"

	"followup/internal/locale"
)

// Words tells people what went wrong, and what they can do.
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
		return speak.Text(locale.ConnectSyntax, at.Name, syntax.Line, syntax.Reason)
	case errors.As(at.Err, &shape):
		return speak.Text(locale.ConnectShape, at.Name, shape.At)
	case errors.As(at.Err, &foreign):
		return speak.Text(locale.ConnectTaken, at.Name, foreign.At)
	case errors.Is(at.Err, errChanged):
		return speak.Text(locale.ConnectMeanwhile, at.Name)
	case errors.Is(at.Err, errReadOnly):
		return speak.Text(locale.ConnectReadOnly, at.Name)
	case errors.Is(at.Err, errNoFile):
		return speak.Text(locale.ConnectNoFile, at.Name)
	}
	return speak.Text(locale.ConnectFailed, at.Name, at.Err)
}

// Words tells the state.
func (s Status) Words(speak locale.Tag) string {
	switch s.State {
	case Partly:
		return speak.Text(locale.ConnectPartly)
	case Connected:
		return speak.Text(locale.ConnectConnected)
	case Foreign:
		return speak.Text(locale.ConnectForeign)
	case Broken:
		return speak.Text(locale.ConnectBroken)
	}
	if !s.Found {
		return speak.Text(locale.ConnectNotFound)
	}
	return speak.Text(locale.ConnectNone)
}
