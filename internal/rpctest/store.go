package rpctest

import (
	"context"
	"sync"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// Disk stands between a server and its store: it counts what is asked of the store, and can hold it up or fail it.
type Disk struct {
	mu     sync.Mutex
	counts map[string]int
	fail   map[string]func() error
	held   chan struct{} // closed when Commit may go on; nil: it may
	came   chan struct{} // gets a word for every Commit that comes
	closed chan struct{} // gets a word for every store that was closed
}

// NewDisk makes a disk that does what it is told.
func NewDisk() *Disk {
	return &Disk{counts: map[string]int{}, fail: map[string]func() error{}, came: make(chan struct{}, 1<<16), closed: make(chan struct{}, 1<<10)}
}

// Open opens SQLite's store behind the disk.
func (d *Disk) Open(ctx context.Context, folder string, o store.Options) (store.Store, store.Report, error) {
	if err := d.on("Open"); err != nil {
		return nil, store.Report{}, err
	}
	s, report, err := sqlite.Open(ctx, folder, o)
	if err != nil {
		return nil, report, err
	}
	return &slowStore{s, d}, report, nil
}

// Hold has every Commit wait from now on, until the function that it gives is called.
func (d *Disk) Hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := make(chan struct{})
	d.held = held
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.held = nil
		close(held)
	})
}

// Came gets a word for every Commit that has come, whether or not it waits.
func (d *Disk) Came() <-chan struct{} { return d.came }

// Closed gets a word for every store that was closed.
func (d *Disk) Closed() <-chan struct{} { return d.closed }

// Fail has a method call what gives its error, in place of the store while that is not nil.
func (d *Disk) Fail(method string, with func() error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail[method] = with
}

// Count is how often a method has been called.
func (d *Disk) Count(method string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[method]
}

// on counts a call, and gives the error that it fails with.
func (d *Disk) on(method string) error {
	d.mu.Lock()
	d.counts[method]++
	fail := d.fail[method]
	d.mu.Unlock()
	if fail != nil {
		return fail()
	}
	return nil
}

// slowStore is a store behind a disk.
type slowStore struct {
	store.Store
	disk *Disk
}

func (s *slowStore) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	err := s.disk.on("Commit")
	s.disk.mu.Lock()
	held := s.disk.held
	s.disk.mu.Unlock()
	select {
	case s.disk.came <- struct{}{}:
	default: // nobody counts that many
	}
	if held != nil {
		<-held
	}
	if err != nil {
		return nil, err
	}
	return s.Store.Commit(ctx, changes)
}

func (s *slowStore) Question(ctx context.Context, id string) (store.Question, error) {
	if err := s.disk.on("Question"); err != nil {
		return store.Question{}, err
	}
	return s.Store.Question(ctx, id)
}

func (s *slowStore) Conversation(ctx context.Context, session string) ([]store.Question, error) {
	questions, err := s.Store.Conversation(ctx, session)
	if err == nil {
		err = s.disk.on("Conversation") // which may let something happen before the answer is looked at
	}
	return questions, err
}

func (s *slowStore) History(ctx context.Context, f store.Filter, before store.Key, limit int) (store.Page, error) {
	if err := s.disk.on("History"); err != nil {
		return store.Page{}, err
	}
	return s.Store.History(ctx, f, before, limit)
}

func (s *slowStore) Session(ctx context.Context, id string) (store.Session, error) {
	if err := s.disk.on("Session"); err != nil {
		return store.Session{}, err
	}
	return s.Store.Session(ctx, id)
}

func (s *slowStore) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	if err := s.disk.on("OpenQuestions"); err != nil {
		return nil, err
	}
	return s.Store.OpenQuestions(ctx, after, limit)
}

func (s *slowStore) Ping(ctx context.Context) error {
	if err := s.disk.on("Ping"); err != nil {
		return err
	}
	return s.Store.Ping(ctx)
}

func (s *slowStore) Import(ctx context.Context, exchanges []store.Imported) (added, known int, err error) {
	if err := s.disk.on("Import"); err != nil {
		return 0, 0, err
	}
	return s.Store.Import(ctx, exchanges)
}

func (s *slowStore) Close() error {
	defer func() {
		select {
		case s.disk.closed <- struct{}{}:
		default: // nobody counts that many
		}
	}()
	return s.Store.Close()
}
