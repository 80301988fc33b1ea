package store

import (
	"errors"
	"fmt"
	"slices"
)

// Errors of a store. Test with errors.Is; the cause is wrapped too.
var (
	// ErrUnavailable is temporary: the disk is full, read-only or failing, or the file cannot be opened. Nothing was written.
	ErrUnavailable = errors.New("the store cannot be written or read")
	// ErrAddress is permanent: the server, database or role does not exist, or the password is wrong. While a store is open, it is
	// an ErrUnavailable too.
	ErrAddress = errors.New("the address of the database is wrong")
	// ErrNewer means that a newer version of the program has written the store. It was left untouched.
	ErrNewer = errors.New("the store was written by a newer version of Followup")
	// ErrDamaged means that opening the store again sets it aside, and creates a new one with what can be read of it.
	ErrDamaged = errors.New("the store is damaged")
	// ErrGone means that the store was removed, moved, replaced or taken over by another process. Opening it again opens what is
	// there now.
	ErrGone = errors.New("the store was removed, replaced or taken over")
	// ErrClosed means that Close was called.
	ErrClosed = errors.New("the store is closed")
	// ErrNotFound means that no question, session or image has that id, or that it was deleted.
	ErrNotFound = errors.New("not in the store")
)

// IsKnown reports whether an error is one of the above, rather than the database's or the system's.
func IsKnown(err error) bool {
	known := []error{ErrUnavailable, ErrNewer, ErrDamaged, ErrGone, ErrClosed, ErrNotFound}
	return slices.ContainsFunc(known, func(one error) bool { return errors.Is(err, one) })
}

// HeldError is the error of an exclusive store that another process holds. It is an ErrUnavailable.
type HeldError struct {
	// Address is the other process's Options.Address; it may be empty.
	Address string
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%v: another process has it exclusively", ErrUnavailable)
}

// Unwrap returns ErrUnavailable.
func (e *HeldError) Unwrap() error { return ErrUnavailable }
