// Package store is what is kept: sessions, questions, drafts, outcomes and the history, as an interface with its types.
// Engines are below it; each passes the suite in storetest.
package store

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// Reader gives the history to those who only read it; its methods are the Store's.
type Reader interface {
	History(ctx context.Context, f Filter, before Key, limit int) (Page, error)
	Export(ctx context.Context, what Selection, emit func(Question) error) error
	Known(ctx context.Context, exchanges []Imported) (int, error)
	OpenQuestions(ctx context.Context, after int64, limit int) ([]Question, error)
	Question(ctx context.Context, id string) (Question, error)
	IDs(ctx context.Context, prefix string, limit int) ([]string, error)
	Session(ctx context.Context, id string) (Session, error)
	// Owns reports whether a path is that of one of the store's own files, which nobody else must write to.
	Owns(path string) bool
	Close() error
}

// Store is an open store, which may be shared by many processes. What a method has written is durable when it returns. Its
// methods may be called from several goroutines. Ending a method's context ends its waiting for others; a write that has
// begun is carried through. Errors, besides those of package context and those that a method names: ErrUnavailable,
// ErrDamaged, ErrGone, ErrNewer, ErrClosed; a method that reads never says ErrNotFound for what could not be read.
//
// Times that decide something are the store's clock's.
type Store interface {
	// Commit writes changes in their order, in one transaction with one flush, and returns when it is durable, with a result
	// for each. A change that is lost, or wrong, leaves the others as they are. With an error, nothing of any was written.
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

	// Revision gives the newest revision.
	Revision(ctx context.Context) (Revision, error)
	// Changed gives what other processes wrote after a revision.
	Changed(ctx context.Context, since Revision) (Changes, error)
	// Watch calls changed, one call at a time: first at once, then whenever other processes have written, which it looks for
	// at the interval. What changed does may be as little as to note that Changed is worth asking. It returns when ctx ends,
	// or with the error that keeps it from looking.
	Watch(ctx context.Context, interval time.Duration, changed func()) error

	// Adopt makes this process the owner of those of the questions that have no owner whose lease runs, and tells which
	// these are.
	Adopt(ctx context.Context, ids ...string) ([]string, error)
	// Renew extends this process's lease on its open questions and what it has claimed. Call it about three times per Options.Lease. It
	// writes nothing while there is neither.
	Renew(ctx context.Context) error
	// Owners tells of each process that has a lease whether it runs.
	Owners(ctx context.Context) (map[string]bool, error)
	// Await tells the others for which of their questions somebody waits here, until it is told anew, the store is closed, or
	// Options.Lease has passed.
	Await(ctx context.Context, ids ...string) error
	// Awaited tells whether somebody waits for a question in another process.
	Awaited(ctx context.Context, id string) (bool, error)
	// Claim gives this process alone the right to tell the user of a question, unless another process has it, and reports whether it has it
	// then. It ends with Unclaim, when the store is closed, or when it was not renewed for Options.Lease.
	Claim(ctx context.Context, id string) (bool, error)
	// Claimed tells whether another process has that right.
	Claimed(ctx context.Context, id string) (bool, error)
	// Unclaim gives up what this process has claimed.
	Unclaim(ctx context.Context, ids ...string) error

	// Show tells the others whether this process shows an inbox, until it is told otherwise, closes the store, or ends.
	Show(ctx context.Context, shows bool) error
	// Shown tells whether any process shows an inbox, so that somebody can see what is asked.
	Shown(ctx context.Context) (bool, error)

	// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it
	// is 0.
	History(ctx context.Context, f Filter, before Key, limit int) (Page, error)
	// Count tells how many closed questions a selection holds.
	Count(ctx context.Context, what Selection) (int, error)
	// Facets gives the values that the history can be filtered by, sorted.
	Facets(ctx context.Context) (Facets, error)
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
	// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known, also when it
	// fails half way or ctx ends: importing again adds the others. Give a few hundred at a time.
	Import(ctx context.Context, exchanges []Imported) (added, known int, err error)
	// Known tells how many of the exchanges Import would not add.
	Known(ctx context.Context, exchanges []Imported) (int, error)
	// Owns reports whether a path is that of one of the store's own files, which nobody else must write to.
	Owns(path string) bool

	// Accounts gives all accounts, those whose tokens were revoked too, sorted by their names.
	Accounts(ctx context.Context) ([]Account, error)
	// EditAccount writes an account, in the place of the one of that name: edit makes it of all that there are, and nobody writes another one
	// meanwhile. Its error is given as it is, and nothing is written then; it may be called again. Changed tells the others.
	EditAccount(ctx context.Context, edit func(all []Account) (Account, error)) error

	// Maintain does what can wait whenever this process has been quiet for a moment, until ctx ends. Every process that
	// writes runs it.
	Maintain(ctx context.Context)
	// Idle does at once what Maintain waits for quiet to do.
	Idle(ctx context.Context) error
	// Close gives up this process's leases and closes the store. A second Close does nothing.
	Close() error
}

// Options are what a store runs on.
type Options struct {
	// Owner names this process among those that share the store: random, and not empty.
	Owner string
	// Now is the clock; nil: the engine's own.
	Now func() time.Time
	// Log gets what no caller is told; nil: nobody does. No text of a question or an answer is logged.
	Log *zap.Logger
	// Lease is how long questions stay this process's after a Renew; 0: DefaultLease.
	Lease time.Duration
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
	// DefaultLease is how long a process owns its questions after it was last heard of.
	DefaultLease = 30 * time.Second
	// Undo is how long a deletion can be taken back.
	Undo = 10 * time.Second
	// UncollectedKept is how long an answer that no agent has collected outlives the Retention.
	UncollectedKept = 7 * 24 * time.Hour
)
