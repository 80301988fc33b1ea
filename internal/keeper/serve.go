package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"go.uber.org/zap"

	"followup/internal/program"
	"followup/internal/protocol"
	"followup/internal/server"
)

// DefaultLinger is how long a keeper stays after its last client.
const DefaultLinger = time.Minute

// lockWait is how long a starting keeper waits for one that ends.
const lockWait = 2 * time.Second

// lookInterval is how often a keeper checks that its folder still exists.
const lookInterval = time.Second

// ErrHeld means that another process keeps the inbox.
var ErrHeld = errors.New("another process keeps this inbox")

// Options configure a keeper.
type Options struct {
	// Folder has the keeper's lock, socket and log. It is also the storage folder, unless Storage names a database.
	Folder string
	// Storage is the address of a database. If empty, everything is kept in Folder.
	Storage string
	Build   program.Build
	Log     *zap.Logger
	// Linger is how long it stays after its last client.
	Linger time.Duration
	// Server are the options of the host; those of single connections are ignored.
	Server server.Options
	// Ready is called once clients can connect.
	Ready func()
}

type keeper struct {
	Options
	host *server.Host
	info Info

	ctx context.Context // ends when the keeper should
	end context.CancelFunc

	lock     *flock.Flock
	listener *net.UnixListener

	mu      sync.Mutex
	conns   map[net.Conn]bool // of clients, after the handshake
	idle    *time.Timer       // runs while there are no clients
	serving sync.WaitGroup
}

// Serve keeps an inbox until no client needs it, a client asks it to end, or ctx ends.
func Serve(ctx context.Context, o Options) error {
	settle()
	k := &keeper{Options: o, conns: map[net.Conn]bool{}}
	k.ctx, k.end = context.WithCancel(ctx)
	defer k.end()
	k.info = Info{Build: o.Build, PID: os.Getpid(), Since: time.Now(), Folder: o.Folder}
	if err := k.take(nil, lockWait); err != nil {
		return err
	}
	k.host = server.NewHost(o.Server)
	k.host.Keep(cmp.Or(o.Storage, o.Folder))
	k.idle = time.AfterFunc(o.Linger, k.endIfIdle)
	go k.accept(k.listener)
	program, _ := os.Executable() // for the log only
	o.Log.Info("keeping", zap.String("version", o.Build.Version), zap.Int("pid", k.info.PID), zap.String("program", program))
	if o.Ready != nil {
		o.Ready()
	}
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	for k.ctx.Err() == nil {
		select {
		case <-k.ctx.Done():
		case <-look.C:
			k.look()
		}
	}
	k.close()
	return nil
}

// take listens in the folder under its lock, which it acquires if lock is nil. A former socket and lock are closed.
func (k *keeper) take(lock *flock.Flock, wait time.Duration) (err error) {
	if lock == nil {
		if lock, err = k.acquire(wait); err != nil {
			return err
		}
	}
	listener, err := k.listen()
	if err != nil {
		if lock != k.lock {
			_ = lock.Close()
		}
		return fmt.Errorf("the socket cannot be created: %w", err)
	}
	if k.listener != nil {
		_ = k.listener.Close()
	}
	if k.lock != nil && k.lock != lock {
		_ = k.lock.Close()
	}
	k.lock, k.listener = lock, listener
	return nil
}

// acquire acquires the lock of the folder.
func (k *keeper) acquire(wait time.Duration) (*flock.Flock, error) {
	if err := os.MkdirAll(k.Folder, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(k.Folder, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	waiting, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	if locked, err := lock.TryLockContext(waiting, 5*time.Millisecond); !locked {
		if errors.Is(err, context.DeadlineExceeded) {
			err = ErrHeld
		}
		return nil, err
	}
	return lock, nil
}

// listen creates the socket, and replaces a stale one. The caller holds the lock.
func (k *keeper) listen() (*net.UnixListener, error) {
	path, err := socketPath(k.Folder)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: path})
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.info.Socket = path
	if err := k.info.write(k.Folder); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// look checks the folder, and creates removed files again, because the keeper has the inbox in memory. If another
// process keeps the folder, this one ends.
func (k *keeper) look() {
	there, err := os.Stat(filepath.Join(k.Folder, lockName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return // the folder cannot be read now
	}
	ours, wrong := k.lock.Stat()
	locked := err == nil && wrong == nil && os.SameFile(there, ours)
	if locked && !missing(k.info.Socket) && !missing(filepath.Join(k.Folder, infoName)) {
		return
	}
	k.Log.Warn("the storage folder has lost files of this keeper")
	k.listener.SetUnlinkOnClose(false)
	lock := k.lock
	if !locked {
		lock = nil
	}
	switch err := k.take(lock, lookInterval); { // a client may be checking the lock
	case err == nil:
		go k.accept(k.listener)
	case errors.Is(err, ErrHeld):
		k.Log.Warn("another process keeps the folder now")
		k.end()
	default:
		k.Log.Error("cannot take the folder again", zap.Error(err))
	}
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

func (k *keeper) accept(from *net.UnixListener) {
	for {
		conn, err := from.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			k.Log.Warn("a client could not connect", zap.Error(err))
			<-time.After(10 * time.Millisecond) // maybe no file descriptors are left
			continue
		}
		go k.serve(conn)
	}
}

// serve serves one connection.
func (k *keeper) serve(conn *net.UnixConn) {
	defer func() { _ = conn.Close() }()
	if err := checkPeer(conn); err != nil {
		k.Log.Warn("refused", zap.Error(err))
		return
	}
	over := newLink(conn)
	_ = conn.SetDeadline(time.Now().Add(patience))
	var client hello
	if err := over.receive(&client); err != nil {
		k.Log.Warn("refused: no handshake", zap.Error(err))
		return
	}
	newer := client.Want == wantConnect && client.Build.Newer(k.Build)
	wanted := client.Want == wantConnect && client.Protocol == protocol.Version
	retire := newer || client.Want == wantStop
	entered := !retire && wanted && k.enter(conn)
	k.mu.Lock()
	answer := welcome{Info: k.info, Protocol: protocol.Version, Retiring: retire || wanted && !entered}
	answer.Info.Clients = len(k.conns)
	k.mu.Unlock()
	if entered {
		defer k.leave(conn)
	}
	if err := over.send(answer); err != nil || !entered {
		if err == nil && answer.Retiring {
			k.retire(client)
		}
		return
	}
	_ = conn.SetDeadline(time.Time{})
	over.serve(k.host)
}

// enter registers a client. It returns false if the keeper is about to end.
func (k *keeper) enter(conn net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() != nil {
		return false
	}
	k.idle.Stop()
	k.conns[conn] = true
	k.serving.Add(1)
	return true
}

func (k *keeper) leave(conn net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.conns, conn)
	k.serving.Done()
	if len(k.conns) == 0 && k.ctx.Err() == nil {
		k.idle.Reset(k.Linger)
	}
}

// endIfIdle ends the keeper if it has no clients and no timed choice is running.
func (k *keeper) endIfIdle() {
	due := k.host.Due()
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case len(k.conns) > 0 || k.ctx.Err() != nil:
	case due:
		k.idle.Reset(k.Linger)
	default:
		k.end()
	}
}

// retire ends the keeper at the request of a client.
func (k *keeper) retire(client hello) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() == nil {
		if client.Want == wantConnect {
			k.info.Next = &client.Build
			if err := k.info.write(k.Folder); err != nil {
				k.Log.Warn("older clients may start another keeper", zap.Error(err))
			}
		}
		k.Log.Info("retiring", zap.String("want", client.Want), zap.String("for", client.Build.Version))
		k.end()
	}
}

// close finishes pending writes. Clients then connect to the next keeper, and repeat unanswered requests.
func (k *keeper) close() {
	k.host.Retire()
	k.mu.Lock()
	for conn := range k.conns {
		_ = conn.Close() // before requests are cancelled, so that no client sees that
	}
	k.mu.Unlock()
	k.serving.Wait()
	k.host.Close()
	_ = k.listener.Close()
	k.Log.Info("ended")
	_ = k.lock.Close()
}
