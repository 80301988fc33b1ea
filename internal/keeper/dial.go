package keeper

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"go.uber.org/zap"

	"followup/internal/program"
	"followup/internal/protocol"
)

// Client connects to the keeper of a folder.
type Client struct {
	Folder string
	Build  program.Build
	Log    *zap.Logger
	// Commands returns programs with arguments that keep the folder: the first one that can be started is used. Its standard output
	// is one line: "ready", or an error. If nil, no keeper is started.
	Commands func(folder string) [][]string

	waited bool // once, for a newer build
	failed int  // how many keepers ended while starting
}

// Reasons why Connect fails.
var (
	// ErrHangs means that a process holds the lock but does not respond.
	ErrHangs = errors.New("the process that keeps the inbox does not answer")
	// ErrNone means that there is no keeper, and none can be started.
	ErrNone = errors.New("no keeper can be started")
)

// startAttempts is how many keepers may end while starting before a client gives up.
const startAttempts = 10

// ProtocolError means that the keeper speaks another version of the protocol, and is not older than this build.
type ProtocolError struct {
	// Version is the keeper's build.
	Version string
}

func (e ProtocolError) Error() string {
	return fmt.Sprintf("the keeper is followup %s, which speaks another version of the protocol", e.Version)
}

// Pauses between two attempts.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 50 * time.Millisecond
)

// Connect connects to the keeper, and starts one if there is none.
func (c *Client) Connect(ctx context.Context) (*Link, error) {
	pause, since := firstPause, time.Now()
	for {
		link, answer, err := c.ask(ctx, wantConnect)
		switch {
		case err == nil && !answer.Retiring && answer.Protocol == protocol.Version:
			return link, nil
		case err == nil:
			link.Close()
			if !answer.Retiring {
				return nil, ProtocolError{answer.Info.Version}
			}
			since = time.Now()
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		started, err := c.start(ctx)
		if err != nil {
			return nil, err
		}
		if started {
			pause, since = firstPause, time.Now()
			continue
		}
		if time.Since(since) > patience {
			return nil, ErrHangs
		}
		if err := pauseFor(ctx, pause); err != nil {
			return nil, err
		}
		pause = min(2*pause, lastPause)
	}
}

// Join connects to the running keeper, without starting or replacing one. It returns os.ErrNotExist if no keeper runs.
func (c Client) Join(ctx context.Context) (*Link, error) {
	c.Build = program.Build{} // a newer build would end the keeper
	link, answer, err := c.ask(ctx, wantConnect)
	switch {
	case err != nil:
		return nil, c.absent(err)
	case answer.Retiring || answer.Protocol != protocol.Version:
		link.Close()
		return nil, ProtocolError{answer.Info.Version}
	}
	return link, nil
}

// Status returns the keeper's own information, or os.ErrNotExist if no keeper runs.
func (c Client) Status(ctx context.Context) (Info, error) { return c.request(ctx, wantStatus) }

// Stop asks the keeper to end, and waits until it has. It returns os.ErrNotExist if no keeper runs.
func (c Client) Stop(ctx context.Context) error {
	info, err := c.request(ctx, wantStop)
	if err != nil {
		return err
	}
	return c.UntilEnded(ctx, info.PID)
}

func (c Client) request(ctx context.Context, want string) (Info, error) {
	link, answer, err := c.ask(ctx, want)
	if err != nil {
		return Info{}, c.absent(err)
	}
	link.Close()
	return answer.Info, nil
}

// absent distinguishes a keeper that hangs from a missing one.
func (c Client) absent(err error) error {
	free, wrong := c.free()
	switch {
	case wrong != nil:
		return wrong
	case free:
		return os.ErrNotExist
	}
	return fmt.Errorf("%w: %w", ErrHangs, err)
}

// UntilEnded waits until the process with this id does not keep the folder. A client may have started the next one meanwhile.
func (c Client) UntilEnded(ctx context.Context, pid int) error {
	for {
		if free, err := c.free(); free || err != nil {
			return err
		}
		if info, err := ReadInfo(c.Folder); err == nil && info.PID != pid {
			return nil
		}
		if err := pauseFor(ctx, firstPause); err != nil {
			return fmt.Errorf("%w: %w", ErrHangs, err)
		}
	}
}

// Running reports whether a process keeps the folder.
func (c Client) Running() bool {
	free, err := c.free()
	return err == nil && !free
}

// free reports whether no process keeps the folder. The keeper itself must not call it.
func (c Client) free() (bool, error) {
	lock := flock.New(filepath.Join(c.Folder, lockName), flock.SetFlag(os.O_RDWR))
	defer func() { _ = lock.Close() }()
	free, err := lock.TryRLock()
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	return free, err
}

// ask dials the keeper and performs the handshake.
func (c Client) ask(ctx context.Context, want string) (*Link, welcome, error) {
	var answer welcome
	info, err := ReadInfo(c.Folder)
	if err != nil {
		return nil, answer, err
	}
	conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", info.Socket)
	if err != nil {
		return nil, answer, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(patience))
	link := newLink(conn)
	if err = c.checkKeeper(conn); err == nil {
		err = link.send(hello{Want: want, Build: c.Build, Protocol: protocol.Version})
	}
	if err == nil {
		err = link.receive(&answer)
	}
	if err != nil {
		_ = conn.Close()
		return nil, answer, err
	}
	_ = conn.SetDeadline(time.Time{})
	return link, answer, nil
}

// checkKeeper returns an error if another user listens in the keeper's place, who could answer for this user. The keeper of a
// folder may belong to its owner, since root may look into an inbox.
func (c Client) checkKeeper(conn net.Conn) error {
	folder, err := os.Stat(c.Folder)
	if err != nil {
		return err
	}
	return checkPeer(conn, owner(folder))
}

// start starts a keeper if there is none, unless another client does. It reports whether one is ready.
func (c *Client) start(ctx context.Context) (bool, error) {
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return false, fmt.Errorf("%w: %w", ErrNone, err)
	}
	starting := flock.New(filepath.Join(c.Folder, startName), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	defer func() { _ = starting.Close() }()
	if mine, err := starting.TryLock(); err != nil {
		return false, fmt.Errorf("%w: %w", ErrNone, err)
	} else if !mine {
		return false, nil
	}
	if free, err := c.free(); err != nil || !free {
		return false, err
	}
	if info, err := ReadInfo(c.Folder); err == nil && info.Next != nil && info.Next.Newer(c.Build) && !c.waited {
		c.waited = true
		_ = starting.Close()
		return false, pauseFor(ctx, yieldTime) // for the newer build that the last keeper retired for
	}
	return true, c.run(ctx)
}

// yieldTime is how long a client waits for a newer build to start the keeper.
const yieldTime = time.Second

func pauseFor(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// launch starts the first command that works, with the first attributes that the system allows.
func (c *Client) launch(out *os.File, folder string, attributes []*syscall.SysProcAttr) error {
	log, logErr := os.OpenFile(filepath.Join(c.Folder, logName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if logErr == nil {
		defer func() { _ = log.Close() }()
	}
	var failed []error
	for _, words := range c.Commands(c.Folder) {
		for _, attribute := range attributes {
			command := exec.Command(words[0], words[1:]...)
			command.SysProcAttr, command.Dir, command.Env, command.Stdout = attribute, folder, cleanEnvironment(os.Environ()), out
			if logErr == nil {
				command.Stderr = log // for what the runtime prints when it crashes
			}
			err := command.Start()
			if err == nil {
				go func() { _ = command.Wait() }() // its end does not matter to this process
				return nil
			}
			c.Log.Warn("a program cannot be started as a keeper", zap.String("program", command.Path), zap.Error(err))
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// run runs a keeper, and waits until it is ready.
func (c *Client) run(ctx context.Context) error {
	if c.Commands == nil {
		return ErrNone
	}
	output, out, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	defer func() { _ = output.Close() }()
	root, attributes := detached()
	err = c.launch(out, root, attributes)
	_ = out.Close()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stop := context.AfterFunc(patient, func() { _ = output.Close() }) // Windows has no deadlines for pipes
	defer stop()
	line, err := bufio.NewReader(output).ReadString('\n')
	switch line = strings.TrimSpace(line); {
	case line == "ready", line == ErrHeld.Error():
		return nil
	case line == "" && ctx.Err() == nil && err != nil && !errors.Is(err, io.EOF):
		return ErrHangs
	case line == "": // it was killed while starting, so the next attempt starts another one
		if c.failed++; c.failed < startAttempts {
			return nil
		}
		return fmt.Errorf("%w: it exited at once; %s may have the reason", ErrNone, filepath.Join(c.Folder, logName))
	}
	return fmt.Errorf("%w: %s", ErrNone, line)
}

// kept are the variables that a keeper inherits: locations of folders, the language, access to a database, and its own settings.
// Agents' keys are not among them.
var kept = []string{
	"HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
	"USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "HOMEDRIVE", "HOMEPATH",
	"CLINE_SESSION_DATA_DIR", "FOLLOWUP_PUSH_PRIVATE", "FOLLOWUP_PUSH_CONTACT",
}

var keptPrefixes = []string{"LC_", "XDG_", "PG", "FOLLOWUP_KEEPER_", "FOLLOWUP_TEST_", "GOCOVERDIR", "GORACE"}

// cleanEnvironment returns an environment with only those variables.
func cleanEnvironment(all []string) (clean []string) {
	for _, variable := range all {
		name, _, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		if slices.Contains(kept, name) || slices.ContainsFunc(keptPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			clean = append(clean, variable)
		}
	}
	return clean
}
