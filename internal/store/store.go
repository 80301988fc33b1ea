// Package store declares the store: sessions, questions, drafts, outcomes and the history. Engines are in the packages below it;
// each passes the suite in storetest.
package store

import (
	"context"
	"encoding/json"
	"time"

	"go.uber.org/zap"
)

// Store is an open store. Everything that a method writes is durable when it returns. Methods are safe for concurrent use. When a
// method's context ends, it stops waiting for others, but completes a write that has begun. Errors, besides those of package
// context and those that a method names: ErrUnavailable, ErrDamaged, ErrGone, ErrNewer, ErrClosed.
type Store interface {
	// Commit writes changes in order, in one durable transaction, and returns a result for each. Writing a change again has no
	// further effect. A rejected change does not affect the others. After an error, write all changes again.
	Commit(ctx context.Context, changes []Change) ([]Result, error)
	// Session returns a session, or ErrNotFound.
	Session(ctx context.Context, id string) (Session, error)
	// Conversation returns a session's questions, ordered by Order, without images.
	Conversation(ctx context.Context, session string) ([]Question, error)
	// Question returns a question with its images, or ErrNotFound.
	Question(ctx context.Context, id string) (Question, error)
	// IDs returns the ids of at most limit questions, open and closed, that begin with prefix, in byte order.
	IDs(ctx context.Context, prefix string, limit int) ([]string, error)
	// OpenQuestions returns at most limit questions without an outcome whose Order is greater than after, in order, with their images.
	OpenQuestions(ctx context.Context, after int64, limit int) ([]Question, error)
	// DueCallbacks returns the callbacks of questions that are not open.
	DueCallbacks(ctx context.Context) ([]Callback, error)
	// Ping returns nil if the store can be read.
	Ping(ctx context.Context) error
	// History returns a page of the history, newest first: at most limit entries before a key, or the newest ones if it is 0.
	History(ctx context.Context, f Filter, before Key, limit int) (Page, error)
	// Count returns how many closed questions a selection has.
	Count(ctx context.Context, what Selection) (int, error)
	// Facets returns the values that filters can have, sorted: those of entries for the people and groups in to.
	Facets(ctx context.Context, to []string) (Facets, error)
	// Export calls emit for closed questions with their images, newest first, until it returns an error. emit may use the store.
	// Entries deleted meanwhile may be missing.
	Export(ctx context.Context, what Selection, emit func(Question) error) error
	// Delete hides closed questions. During Undo they can be restored. id is the caller's, for this deletion: if it was used before,
	// nothing more is deleted, and the Deletion is the earlier one.
	Delete(ctx context.Context, id string, what Selection) (Deletion, error)
	// Restore undoes a deletion within Undo, and returns the number of restored questions; 0 if it is too late. A repetition returns the same.
	Restore(ctx context.Context, id string) (int, error)
	// Purge permanently removes questions that were deleted at least Undo ago, leaving nothing of them in any file, and returns
	// their number.
	Purge(ctx context.Context) (int, error)
	// Retain permanently removes, like Purge, what a retention does not keep, and returns the number of questions. It leaves those
	// that can still be restored to Purge. Closed or long unused sessions are removed with any retention.
	Retain(ctx context.Context, r Retention) (int, error)
	// Import adds questions from other tools' logs, and returns how many were added or amended, and how many were known, even if it
	// fails half way: importing again adds the others. Pass a few hundred at a time.
	Import(ctx context.Context, exchanges []Imported) (added, known int, err error)
	// Amend replaces the document of a closed question's outcome by the result of amend, unless amend returns false. If there is no such
	// question, it returns ErrNotFound. amend may be called again.
	Amend(ctx context.Context, id string, amend func(answer json.RawMessage) (json.RawMessage, bool)) error
	// Known returns how many of them Import would not add.
	Known(ctx context.Context, exchanges []Imported) (int, error)
	// Owns reports whether a path is in a place that only the store writes to.
	Owns(path string) bool
	// Accounts returns all accounts, including those without valid tokens, sorted by team and name.
	Accounts(ctx context.Context) ([]Account, error)
	// AccountsVersion returns a number that increases with every edit of an account; 0 before the first one.
	AccountsVersion(ctx context.Context) (int64, error)
	// EditAccount writes the account that edit returns, given all accounts of the team. It excludes concurrent edits. If edit fails,
	// nothing is written, and its error is returned unchanged. edit may be called again.
	EditAccount(ctx context.Context, team string, edit func(all []Account) (Account, error)) error
	// PushKey returns the private key that push messages are signed with. The first candidate becomes the key.
	PushKey(ctx context.Context, candidate string) (string, error)
	// Subscriptions returns the browsers that receive push messages, sorted by their ids.
	Subscriptions(ctx context.Context) ([]Subscription, error)
	// PutSubscription adds a browser, or replaces the one with the same id.
	PutSubscription(ctx context.Context, s Subscription) error
	// RemoveSubscription removes a browser. An unknown one is not an error.
	RemoveSubscription(ctx context.Context, id string) error
	// Beat records a heartbeat of the process at an address, or removes the process if it leaves. It returns the processes with a
	// heartbeat during the last hour, and the store's time. An engine for one machine returns none, and a zero time.
	Beat(ctx context.Context, address string, leaves bool) ([]Member, time.Time, error)
	// Maintain runs deferred work whenever nothing was written for a moment, until ctx ends.
	Maintain(ctx context.Context)
	// Idle runs the work that Maintain defers.
	Idle(ctx context.Context) error
	// Close closes the store. A second Close does nothing.
	Close() error
}

// Options configure a store.
type Options struct {
	// Exclusive makes this process the only one with an exclusive store in this place, until it closes the store or ends. Opening
	// fails with a HeldError while another process has it. After another process has taken over, every method that writes returns
	// ErrGone.
	Exclusive bool
	// KeepDamaged means that a damaged file is an error: it is not set aside, and no rows are restored.
	KeepDamaged bool
	// Check means that the store was found to be damaged, so that all of it is read before it is opened.
	Check bool
	// Address is where other processes find this one while its store is exclusive. It may be empty.
	Address string
	// Team selects a team's own store in the place. If empty, it is the place's own store, which has the accounts of all teams.
	Team string
	// Dead reports whether the process with an address is dead. If it has the exclusive store, the database ends its session. If
	// nil, no process is dead.
	Dead func(address string) bool
	Now  func() time.Time // the clock; if nil, the engine's own
	// Monotonic is the clock that waits are measured by, which nobody can set. If nil, it is the system's.
	Monotonic func() time.Time
	// Log, if not nil, gets errors that no caller gets. It gets no texts of questions or answers.
	Log *zap.Logger
}

// Member is a process that sends heartbeats.
type Member struct {
	Address string
	// Beats counts its heartbeats.
	Beats  int64
	Silent time.Duration // since the last one, by the store's clock
}

// Report describes what opening a store found.
type Report struct {
	// SetAside is the path that an unusable file was renamed to, or empty: it was damaged, or from an earlier build.
	SetAside string
	Damage   error // what was wrong with it
}

const (
	// Undo is how long a deletion can be undone.
	Undo = 10 * time.Second
	// UncollectedKept is how much longer than the Retention an uncollected answer is kept.
	UncollectedKept = 7 * 24 * time.Hour
)
