package store

import (
	"errors"
	"fmt"
)

// Why a store cannot be used. Test with errors.Is; the cause is wrapped too.
var (
	// ErrUnavailable: the disk is full, read-only or failing, or the file cannot be opened. What was to be written was not.
	// The caller may try again later.
	ErrUnavailable = errors.New("the store cannot be written or read")
	// ErrNewer: a newer version of the program has written the store. It was left untouched.
	ErrNewer = errors.New("the store was written by a newer version of Followup")
	// ErrDamaged: the store is damaged. Opening it again sets it aside, once no other process has it open,
	// and begins a new one with what can be read of it.
	ErrDamaged = errors.New("the store is damaged")
	// ErrGone: the store was removed, moved, replaced or taken over by another process while it was open. Opening it again gives what is
	// there now.
	ErrGone = errors.New("the store is not where it was")
	// ErrClosed: the store was closed by Close.
	ErrClosed = errors.New("the store is closed")
	// ErrNotFound: there is no question, session or image with that id, or it was deleted.
	ErrNotFound = errors.New("not in the store")
)

// HeldError is the error of an exclusive store that another process has. It is an ErrUnavailable.
type HeldError struct {
	// Address is the other process's Options.Address; it may be empty.
	Address string
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%v: another process has it exclusively", ErrUnavailable)
}

// Unwrap returns ErrUnavailable.
func (e *HeldError) Unwrap() error { return ErrUnavailable }
