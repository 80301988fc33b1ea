// Package store is what is kept: sessions, questions, drafts, outcomes and the history, as an interface with its types.
// Engines are below it; each passes the suite in storetest.
package store

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// Store is an open store. Everything that a method writes is durable when it returns. Methods are safe for concurrent use. The end of a
// method's context ends its waiting for others; a write that has begun is completed. Errors, besides those of package context and those
// that a method names: ErrUnavailable, ErrDamaged, ErrGone, ErrNewer, ErrClosed. A method that reads never returns ErrNotFound for
// something that could not be read.
type Store interface {
	// Commit writes changes in their order, in one durable transaction, and returns a result for each. Writing a change again has no
	// further effect. A change that is refused does not affect the others. After an error, all changes have to be written again.
	Commit(ctx context.Context, changes []Change) ([]Result, error)

	// Session gives a session, or ErrNotFound.
	Session(ctx context.Context, id string) (Session, error)
	// Conversation gives a session's questions in the order of asking, without images.
	Conversation(ctx context.Context, session string) ([]Question, error)
	// Question gives one question with everything that belongs to it, or ErrNotFound.
	Question(ctx context.Context, id string) (Question, error)
	// IDs returns the ids of at most limit questions, open and closed, that begin with prefix, in the order of their bytes.
	IDs(ctx context.Context, prefix string, limit int) ([]string, error)
	// Image gives an image of a draft by its hash, or ErrNotFound.
	Image(ctx context.Context, hash string) (Image, error)
	// OpenQuestions gives the questions of all sessions that have no outcome, in the order of asking: at most limit of them
	// whose Order is greater than after.
	OpenQuestions(ctx context.Context, after int64, limit int) ([]Question, error)

	// Ping returns nil if the store can be read.
	Ping(ctx context.Context) error

	// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it
	// is 0.
	History(ctx context.Context, f Filter, before Key, limit int) (Page, error)
	// Count tells how many closed questions a selection holds.
	Count(ctx context.Context, what Selection) (int, error)
	// Facets gives the values that the history can be filtered by, sorted: those of entries for whom a filter's For names.
	Facets(ctx context.Context, to []string) (Facets, error)
	// Export hands over closed questions with everything that belongs to them, newest first, until emit returns an error.
	// Nobody is held up meanwhile, and emit may use the store; what is deleted meanwhile may be missing.
	Export(ctx context.Context, what Selection, emit func(Question) error) error
	// Delete removes closed questions from everything that can be read. For the time of Undo they can be restored; after it
	// Purge removes their text from the files. When it fails, or is cancelled, half way, the Deletion tells what was done.
	Delete(ctx context.Context, what Selection) (Deletion, error)
	// Restore takes a deletion back that is not too long ago, and tells how many questions came back.
	Restore(ctx context.Context, deletion int64) (int, error)
	// Purge removes for good what was deleted at least Undo ago, so that nothing of it is left in any file, and tells how
	// many questions these were.
	Purge(ctx context.Context) (int, error)
	// Retain removes for good, as Purge does, what a retention no longer keeps, and tells how many questions these were.
	// What is deleted and can still be restored is left to Purge.
	Retain(ctx context.Context, r Retention) (int, error)
	// Import adds exchanges out of other tools' logs, and tells how many were added, or amended, and how many were known, also when it
	// fails half way or ctx ends: importing again adds the others. Give a few hundred at a time.
	Import(ctx context.Context, exchanges []Imported) (added, known int, err error)
	// Known tells how many of the exchanges Import would not add.
	Known(ctx context.Context, exchanges []Imported) (int, error)
	// Owns reports whether a path is in a place that only the store writes to.
	Owns(path string) bool

	// Accounts gives all accounts, those whose tokens were revoked too, sorted by their names.
	Accounts(ctx context.Context) ([]Account, error)
	// EditAccount writes an account, in the place of the one of that name: edit makes it of all that there are, and nobody writes another one
	// meanwhile. Its error is given as it is, and nothing is written then; it may be called again.
	EditAccount(ctx context.Context, edit func(all []Account) (Account, error)) error

	// Maintain does the work that can wait whenever nothing was written for a moment, until ctx ends.
	Maintain(ctx context.Context)
	// Idle does at once what Maintain waits for quiet to do.
	Idle(ctx context.Context) error
	// Close closes the store. A second Close does nothing.
	Close() error
}

// Options are what a store runs on.
type Options struct {
	// Exclusive makes this process the only one with an exclusive store in this place, until it closes it or ends. Opening fails with
	// a HeldError while another process is. Once another process has taken over, every method that writes returns ErrGone.
	Exclusive bool
	// Address is where the other processes find this one while its store is exclusive. It may be empty.
	Address string
	// Now is the clock; nil: the engine's own.
	Now func() time.Time
	// Log gets what no caller is told; nil: nobody does. No text of a question or an answer is logged.
	Log *zap.Logger
}

// Report is what opening a store found.
type Report struct {
	// SetAside is the path that an unusable file was renamed to, or empty: it is damaged, or from an earlier build.
	SetAside string
	// Salvaged is how many open questions were read out of the damaged file. What can be read of its history follows while the
	// store is open.
	Salvaged int
	// Damage is what was wrong with it.
	Damage error
}

const (
	// Undo is how long a deletion can be taken back.
	Undo = 10 * time.Second
	// UncollectedKept is how long an answer that no agent has collected outlives the Retention.
	UncollectedKept = 7 * 24 * time.Hour
)
