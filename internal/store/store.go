// Package store keeps sessions, questions, drafts and outcomes on disk: one SQLite file that all windows share. What a
// method has written is durable when it returns.
package store

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"
)

// Options are what a store runs on.
type Options struct {
	// Owner names this process among those that share the store: random, and not empty.
	Owner string
	// Now is the clock; nil: the system's.
	Now func() time.Time
	// Log gets what no caller is told; nil: nobody does. No text of a question or an answer is logged.
	Log *zap.Logger
	// Lease is how long questions stay this process's after a Renew; 0: DefaultLease.
	Lease time.Duration
}

const (
	// DefaultLease is how long a process owns its questions after it was last heard of.
	DefaultLease = 30 * time.Second
	// Undo is how long a deleted question can be restored.
	Undo = 10 * time.Second
	// UncollectedKept is how long an answer that no agent has collected outlives the Retention.
	UncollectedKept = 7 * 24 * time.Hour
)

// Report is what opening a store found.
type Report struct {
	// SetAside is the path that a damaged file was renamed to; empty when none was.
	SetAside string
	// Damage is what was wrong with it.
	Damage error
	// Migrated is the schema version that the file had, when it was brought up to date; 0 otherwise.
	Migrated int
}

// Why a store cannot be used. Test with errors.Is; the cause is wrapped too.
var (
	// ErrUnavailable: the disk is full, read-only or failing, or the file cannot be opened. What was to be written was not.
	// The caller may try again later.
	ErrUnavailable = errors.New("the store cannot be written or read")
	// ErrNewer: a newer version of the program has written the file. It was left untouched.
	ErrNewer = errors.New("the store was written by a newer version of Followup")
	// ErrDamaged: the file is damaged. Opening the store again sets it aside, once no other process has it open.
	ErrDamaged = errors.New("the store is damaged")
	// ErrClosed: the store was closed by Close.
	ErrClosed = errors.New("the store is closed")
	// ErrNotFound: there is no question or session with that id, or it was deleted.
	ErrNotFound = errors.New("not in the store")
)

// Store is an open store. Its methods may be called from several goroutines. A write that has begun is carried through when
// its context ends.
type Store struct{}

// Open opens the store in a folder, making both if need be: the folder with mode 0700, files with 0600. It brings a file of
// an earlier version up to date and sets a damaged one aside. Errors: ErrNewer, ErrDamaged (while another process has the
// damaged file open), ErrUnavailable.
func Open(ctx context.Context, dir string, o Options) (*Store, Report, error) {
	return nil, Report{}, errors.ErrUnsupported
}

// Opening is a store that is being opened beside other work.
type Opening struct{}

// Begin starts opening a store and returns at once.
func Begin(ctx context.Context, dir string, o Options) *Opening { return nil }

// Wait gives what Open gives, when it is there.
func (o *Opening) Wait(ctx context.Context) (*Store, Report, error) {
	return nil, Report{}, errors.ErrUnsupported
}

// Close gives up this process's leases and closes the files. A second Close does nothing.
func (s *Store) Close() error { return errors.ErrUnsupported }

// Apply writes a Change, in one transaction with one flush, and returns when it is durable.
func (s *Store) Apply(ctx context.Context, c Change) (Applied, error) {
	return Applied{}, errors.ErrUnsupported
}

// CloseQuestion records how a question ended, unless it has ended already. It gives the outcome that stands now.
func (s *Store) CloseQuestion(ctx context.Context, o Outcome) (recorded bool, now Outcome, err error) {
	return false, Outcome{}, errors.ErrUnsupported
}

// Session gives a session, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	return Session{}, errors.ErrUnsupported
}

// Conversation gives a session's questions in the order of asking, without images of answers.
func (s *Store) Conversation(ctx context.Context, session string) ([]Question, error) {
	return nil, errors.ErrUnsupported
}

// Question gives one question with everything that belongs to it, or ErrNotFound.
func (s *Store) Question(ctx context.Context, id string) (Question, error) {
	return Question{}, errors.ErrUnsupported
}

// OpenQuestions gives the questions of all sessions that have no outcome, with their drafts, in the order of asking.
func (s *Store) OpenQuestions(ctx context.Context) ([]Question, error) {
	return nil, errors.ErrUnsupported
}

// Adopt makes this process the owner of those of the questions that have no live owner, and tells which these are.
func (s *Store) Adopt(ctx context.Context, ids ...string) ([]string, error) {
	return nil, errors.ErrUnsupported
}

// Renew extends this process's lease on its open questions. Call it about three times per Options.Lease. It writes nothing
// while there are none.
func (s *Store) Renew(ctx context.Context) error { return errors.ErrUnsupported }

// Release gives up questions that this process owns: nobody here answers their caller any more.
func (s *Store) Release(ctx context.Context, ids ...string) error { return errors.ErrUnsupported }

// Revision gives the newest revision.
func (s *Store) Revision(ctx context.Context) (Revision, error) { return 0, errors.ErrUnsupported }

// Changed gives what was written after a revision.
func (s *Store) Changed(ctx context.Context, since Revision) (Changes, error) {
	return Changes{}, errors.ErrUnsupported
}

// Watch calls changed, one call at a time, whenever another process may have written, which it looks for at the interval.
// It returns when ctx ends.
func (s *Store) Watch(ctx context.Context, interval time.Duration, changed func()) error {
	return errors.ErrUnsupported
}

// History gives a page of the history, newest first: at most limit entries before the key, or from the newest when it is 0.
func (s *Store) History(ctx context.Context, f Filter, before Key, limit int) (Page, error) {
	return Page{}, errors.ErrUnsupported
}

// Facets gives the values that the history can be filtered by.
func (s *Store) Facets(ctx context.Context) (Facets, error) { return Facets{}, errors.ErrUnsupported }

// Export hands over closed questions with everything that belongs to them, newest first, until emit returns an error. Writers
// are not held up meanwhile; what is deleted meanwhile may be missing.
func (s *Store) Export(ctx context.Context, what Selection, emit func(Question) error) error {
	return errors.ErrUnsupported
}

// Delete removes closed questions, at once from everything that can be read, and tells how many. Within Undo they can be
// restored; after it Purge removes their text from the files.
func (s *Store) Delete(ctx context.Context, ids ...string) (int, error) {
	return 0, errors.ErrUnsupported
}

// Restore brings back questions that were deleted less than Undo ago, and tells how many.
func (s *Store) Restore(ctx context.Context, ids ...string) (int, error) {
	return 0, errors.ErrUnsupported
}

// Purge removes for good what was deleted longer than Undo ago: from the tables, the index and the log files. It tells how
// many questions these were. A file that another process is reading at the moment is cleaned by the next Purge or Idle of
// any process.
func (s *Store) Purge(ctx context.Context) (int, error) { return 0, errors.ErrUnsupported }

// Retain removes for good, as Purge does, what a retention no longer keeps, and tells how many questions these were.
func (s *Store) Retain(ctx context.Context, r Retention) (int, error) {
	return 0, errors.ErrUnsupported
}

// Import adds exchanges out of other tools' logs, and tells how many were added and how many were known. Give a few hundred
// at a time: each call is one transaction.
func (s *Store) Import(ctx context.Context, exchanges []Imported) (added, known int, err error) {
	return 0, 0, errors.ErrUnsupported
}

// Idle does what can wait: indexes what is new for the search, merges the index, moves the log into the file, purges. Other
// writers are held up for a few milliseconds at most at a time.
func (s *Store) Idle(ctx context.Context) error { return errors.ErrUnsupported }

// Maintain calls Idle whenever this process has been quiet for a moment, until ctx ends. Every process that writes runs it.
func (s *Store) Maintain(ctx context.Context) {}
