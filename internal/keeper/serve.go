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

	"go.uber.org/zap"

	"followup/internal/filelock"
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

	mu       sync.Mutex
	hold     *hold
	conns    map[net.Conn]bool // of clients, after the handshake
	idle     *time.Timer       // runs while there are no clients
	retiring bool
	retired  chan struct{} // closed when it should end
	serving  sync.WaitGroup
}

// hold is a keeper's lock and socket in its folder.
type hold struct {
	lock     *os.File
	listener *net.UnixListener
}

// Serve keeps an inbox until nobody needs it, it is asked to end, or ctx ends.
func Serve(ctx context.Context, o Options) error {
	settle()
	k := &keeper{Options: o, conns: map[net.Conn]bool{}, retired: make(chan struct{})}
	k.info = Info{Build: o.Build, PID: os.Getpid(), Since: time.Now(), Folder: o.Folder}
	held, err := k.take(lockWait)
	if err != nil {
		return err
	}
	k.hold = held
	k.host = server.NewHost(o.Server)
	k.host.Keep(cmp.Or(o.Storage, o.Folder))
	k.idle = time.AfterFunc(o.Linger, k.rest)
	k.accept(held.listener)
	program, _ := os.Executable() // for the log only
	o.Log.Info("keeping", zap.String("version", o.Build.Version), zap.Int("pid", k.info.PID), zap.String("program", program))
	if o.Ready != nil {
		o.Ready()
	}
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true
		case <-k.retired:
			ended = true
		case <-look.C:
			ended = !k.look()
		}
	}
	k.end()
	return nil
}

// take acquires the lock of the folder and listens there.
func (k *keeper) take(wait time.Duration) (*hold, error) {
	if err := os.MkdirAll(k.Folder, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(k.Folder, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(wait); ; <-time.After(5 * time.Millisecond) {
		locked, err := filelock.TryLock(lock, true)
		if err == nil && !locked && time.Now().After(until) {
			err = ErrHeld
		}
		if err != nil {
			_ = lock.Close()
			return nil, err
		}
		if locked {
			break
		}
	}
	listener, err := k.listen()
	if err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("the socket cannot be created: %w", err)
	}
	return &hold{lock, listener}, nil
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
	k.info.Socket = path
	if err := k.info.write(k.Folder); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// look checks the folder. If it was removed or replaced, the keeper locks the new one, since what it has in memory belongs there.
// It returns false if another process keeps that one.
func (k *keeper) look() bool {
	there, err := os.Stat(filepath.Join(k.Folder, lockName))
	ours, wrong := k.hold.lock.Stat()
	if err == nil && wrong == nil && os.SameFile(there, ours) {
		if _, err := os.Lstat(k.info.Socket); err == nil {
			return true
		}
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return true // the folder cannot be read now
	}
	k.Log.Warn("the storage folder has lost this keeper's lock or socket")
	former := k.hold
	former.listener.SetUnlinkOnClose(false)
	if err == nil && wrong == nil && os.SameFile(there, ours) {
		_ = former.listener.Close()
		listener, err := k.listen()
		if err != nil {
			k.Log.Error("the socket cannot be created", zap.Error(err))
			return true
		}
		k.hold = &hold{former.lock, listener}
		k.accept(listener)
		return true
	}
	held, err := k.take(lookInterval) // a client may be checking the lock
	switch {
	case errors.Is(err, ErrHeld):
		k.Log.Warn("another process keeps the folder now")
		return false
	case err != nil:
		k.Log.Error("the folder cannot be taken again", zap.Error(err))
		return true
	}
	_ = former.listener.Close()
	_ = former.lock.Close()
	k.hold = held
	k.accept(held.listener)
	return true
}

func (k *keeper) accept(from *net.UnixListener) {
	go func() {
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
	}()
}

// serve serves one connection.
func (k *keeper) serve(conn *net.UnixConn) {
	defer func() { _ = conn.Close() }()
	if err := checkPeer(conn); err != nil {
		k.Log.Warn("refused", zap.Error(err))
		return
	}
	over := newWire(conn)
	_ = conn.SetDeadline(time.Now().Add(patience))
	var client hello
	if err := over.receive(&client); err != nil {
		k.Log.Warn("refused: no handshake", zap.Error(err))
		return
	}
	answer := welcome{Info: k.info, Protocol: protocol.Version}
	newer := client.Want == wantConnect && client.Build.Newer(k.Build)
	wanted := client.Want == wantConnect && client.Protocol == protocol.Version
	answer.Retiring = newer || client.Want == wantStop
	entered := !answer.Retiring && wanted && k.enter(conn)
	answer.Retiring = answer.Retiring || wanted && !entered
	k.mu.Lock()
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
	k.host.ServeClient(context.Background(), over, conn)
}

// enter counts a client, unless the keeper is about to end.
func (k *keeper) enter(conn net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.retiring {
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
	if len(k.conns) == 0 && !k.retiring {
		k.idle.Reset(k.Linger)
	}
}

// rest ends the keeper if nobody needs it.
func (k *keeper) rest() {
	due := k.host.Due()
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case len(k.conns) > 0 || k.retiring:
	case due:
		k.idle.Reset(k.Linger)
	default:
		k.retiring = true
		close(k.retired)
	}
}

// retire ends the keeper at the request of a client.
func (k *keeper) retire(client hello) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.retiring {
		if client.Want == wantConnect {
			k.info.Next = &client.Build
			if err := k.info.write(k.Folder); err != nil {
				k.Log.Warn("older clients may start another keeper", zap.Error(err))
			}
		}
		k.Log.Info("retiring", zap.String("want", client.Want), zap.String("for", client.Build.Version))
		k.retiring = true
		close(k.retired)
	}
}

// end finishes pending writes. Clients then connect to the next keeper, and repeat unanswered requests.
func (k *keeper) end() {
	k.host.Retire()
	k.mu.Lock()
	k.retiring = true
	for conn := range k.conns {
		_ = conn.Close() // before requests are cancelled, so that no client notices that
	}
	k.mu.Unlock()
	k.serving.Wait()
	k.host.Close()
	_ = k.hold.listener.Close()
	k.Log.Info("ended")
	_ = k.hold.lock.Close()
}
