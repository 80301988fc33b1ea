package rpctest

import (
	"context"
	"sync"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// Disk wraps a server's store: it counts calls, and can delay them or make them fail.
type Disk struct {
	mu      sync.Mutex
	counts  map[string]int
	fail    map[string]func() error
	held    chan struct{} // closed when Commit may continue; if nil, it need not wait
	commits chan struct{} // receives for every Commit
	closed  chan struct{} // receives for every closed store
}

// NewDisk returns a disk that delays nothing.
func NewDisk() *Disk {
	return &Disk{counts: map[string]int{}, fail: map[string]func() error{}, commits: make(chan struct{}, 1<<16), closed: make(chan struct{}, 1<<10)}
}

// Open opens a SQLite store with the disk.
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

// Hold makes every Commit wait until release is called.
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

// Commits receives for every Commit, also for one that waits.
func (d *Disk) Commits() <-chan struct{} { return d.commits }

// Closed receives for every closed store.
func (d *Disk) Closed() <-chan struct{} { return d.closed }

// Fail makes a method return with's error, unless that is nil.
func (d *Disk) Fail(method string, with func() error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail[method] = with
}

// Count returns how often a method was called.
func (d *Disk) Count(method string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[method]
}

// on counts a call, and returns its error.
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

// slowStore is a store with a disk.
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
	case s.disk.commits <- struct{}{}:
	default: // tests count fewer
	}
	if held != nil {
		<-held
	}
	if err != nil {
		return nil, err
	}
	return s.Store.Commit(ctx, changes)
}

// unless calls do, unless the disk fails the method.
func unless[T any](d *Disk, method string, do func() (T, error)) (T, error) {
	if err := d.on(method); err != nil {
		return *new(T), err
	}
	return do()
}

func (s *slowStore) Question(ctx context.Context, id string) (store.Question, error) {
	return unless(s.disk, "Question", func() (store.Question, error) { return s.Store.Question(ctx, id) })
}

func (s *slowStore) Conversation(ctx context.Context, session string) ([]store.Question, error) {
	questions, err := s.Store.Conversation(ctx, session)
	if err == nil {
		err = s.disk.on("Conversation") // a test may act here before the result is used
	}
	return questions, err
}

func (s *slowStore) History(ctx context.Context, f store.Filter, before store.Key, limit int) (store.Page, error) {
	return unless(s.disk, "History", func() (store.Page, error) { return s.Store.History(ctx, f, before, limit) })
}

func (s *slowStore) Session(ctx context.Context, id string) (store.Session, error) {
	return unless(s.disk, "Session", func() (store.Session, error) { return s.Store.Session(ctx, id) })
}

func (s *slowStore) OpenQuestions(ctx context.Context, after int64, limit int) ([]store.Question, error) {
	return unless(s.disk, "OpenQuestions", func() ([]store.Question, error) { return s.Store.OpenQuestions(ctx, after, limit) })
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
		default: // tests count fewer
		}
	}()
	return s.Store.Close()
}
