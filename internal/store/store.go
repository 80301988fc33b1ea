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
// that a method names: ErrUnavailable, ErrDamaged, ErrGone, ErrNewer, ErrClosed.
type Store interface {
	// Commit writes changes in their order, in one durable transaction, and returns a result for each. Writing a change again has no
	// further effect. A change that is refused does not affect the others. After an error, all changes have to be written again.
	Commit(ctx context.Context, changes []Change) ([]Result, error)
	// Session returns a session, or ErrNotFound.
	Session(ctx context.Context, id string) (Session, error)
	// Conversation returns a session's questions in order, without images.
	Conversation(ctx context.Context, session string) ([]Question, error)
	// Question returns a question with its images, or ErrNotFound.
	Question(ctx context.Context, id string) (Question, error)
	// IDs returns the ids of at most limit questions, open and closed, that begin with prefix, in the order of their bytes.
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
	// Facets returns the values that the history can be filtered by, sorted: those of entries for whom a filter's For names.
	Facets(ctx context.Context, to []string) (Facets, error)
	// Export calls emit for closed questions with their images, newest first, until it returns an error. emit may use the store. What is
	// deleted meanwhile may be missing.
	Export(ctx context.Context, what Selection, emit func(Question) error) error
	// Delete removes closed questions from everything that can be read. For the time of Undo they can be restored. If it fails half way,
	// the Deletion is what was done.
	Delete(ctx context.Context, what Selection) (Deletion, error)
	// Restore takes back a deletion that is younger than Undo, and returns how many questions came back.
	Restore(ctx context.Context, deletion int64) (int, error)
	// Purge removes for good what was deleted at least Undo ago, so that nothing of it is left in any file, and returns how many questions
	// these were.
	Purge(ctx context.Context) (int, error)
	// Retain removes for good, as Purge does, what a retention does not keep, and returns how many questions these were. What can still
	// be restored is left to Purge. Sessions that are over, or were not used for long, go with any retention.
	Retain(ctx context.Context, r Retention) (int, error)
	// Import adds exchanges from other tools' logs, and returns how many were added or amended, and how many were known, also if it fails
	// half way: importing again adds the others. Give a few hundred at a time.
	Import(ctx context.Context, exchanges []Imported) (added, known int, err error)
	// Known returns how many of the exchanges Import would not add.
	Known(ctx context.Context, exchanges []Imported) (int, error)
	// Owns reports whether a path is in a place that only the store writes to.
	Owns(path string) bool
	// Accounts returns all accounts, those whose tokens were revoked too, sorted by team and name.
	Accounts(ctx context.Context) ([]Account, error)
	// AccountsVersion returns a number that increases with every edit of an account; 0 before the first one.
	AccountsVersion(ctx context.Context) (int64, error)
	// EditAccount writes the account that edit returns, given all accounts of the team. Nobody else writes one meanwhile. If edit fails,
	// nothing is written, and its error is returned as it is. It may be called again.
	EditAccount(ctx context.Context, team string, edit func(all []Account) (Account, error)) error
	// PushKey returns the private key that push messages are signed with. The first candidate becomes the key.
	PushKey(ctx context.Context, candidate string) (string, error)
	// Subscriptions returns the browsers that receive push messages, sorted by their ids.
	Subscriptions(ctx context.Context) ([]Subscription, error)
	// PutSubscription adds a browser, or replaces the one with the same id.
	PutSubscription(ctx context.Context, s Subscription) error
	// RemoveSubscription removes a browser. An unknown one is no error.
	RemoveSubscription(ctx context.Context, id string) error
	// Beat records a heartbeat of the process at an address, or removes the process if it leaves. It returns the processes that have sent
	// one during the last hour, and the store's time. An engine for one machine returns none, and a zero time.
	Beat(ctx context.Context, address string, leaves bool) ([]Member, time.Time, error)
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
	// Check says that the store turned out to be damaged, so that all of it is read before it is opened.
	Check bool
	// Address is where the other processes find this one while its store is exclusive. It may be empty.
	Address string
	// Team selects a team's own store in the place. If empty, the store is the place's own, which has the accounts of all teams.
	Team string
	// Dead reports whether the process with an address is dead. If that one has the exclusive store, a database ends its session.
	// If nil, no process is dead.
	Dead func(address string) bool
	Now  func() time.Time // the clock; nil: the engine's own
	// Log gets what no caller is told; nil: nobody does. No text of a question or an answer is logged.
	Log *zap.Logger
}

// Member is a process that sends heartbeats.
type Member struct {
	Address string
	// Beats counts its heartbeats.
	Beats  int64
	Silent time.Duration // the time since the last one, by the store's clock
}

// Report is what opening a store found.
type Report struct {
	// SetAside is the path that an unusable file was renamed to, or empty: it is damaged, or from an earlier build.
	SetAside string
	Damage   error // what was wrong with it
}

const (
	// Undo is how long a deletion can be taken back.
	Undo = 10 * time.Second
	// UncollectedKept is how long an answer that no agent has collected outlives the Retention.
	UncollectedKept = 7 * 24 * time.Hour
)
