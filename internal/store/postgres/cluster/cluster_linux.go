// Package cluster is a private PostgreSQL server for tests and benchmarks: in a temporary folder, reached by a Unix socket, and on
// request by TLS on loopback. Close removes everything. If its process is killed, the server ends with it, and the next one that
// starts removes the folder.
package cluster

import (
	"bufio"
	"cmp"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrMissing means that PostgreSQL is not installed.
var ErrMissing = errors.New("PostgreSQL is not installed (on Debian: apt-get install postgresql-15); node extension/scripts/install-editor.mjs --only postgresql does it")

// Cluster is a server and its files.
type Cluster struct {
	folder   string
	programs string
	settings []string
	as       *syscall.Credential
	lock     *flock.Flock // held while this process lives
	port     int          // for TLS, and in the socket's name
	server   *exec.Cmd
	ended    chan error
}

// Listen is the setting for connections by TLS on loopback.
const Listen = "listen_addresses=127.0.0.1"

// Start creates a cluster and starts its server; as another user if this process is root, whom PostgreSQL rejects. Durability is
// off, unless a setting ("fsync=on") enables it. The goroutine stays on its thread: the server ends with it.
func Start(settings ...string) (*Cluster, error) { return StartIn("", settings...) }

// StartIn is Start with its folder in parent, which every user must be able to enter.
func StartIn(parent string, settings ...string) (_ *Cluster, err error) {
	runtime.LockOSThread()
	c := &Cluster{settings: settings, port: 5432}
	if c.programs, err = programs(); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 {
		if c.as, err = another(); err != nil {
			return nil, err
		}
	}
	if os.Getuid() == 0 && parent == "" {
		parent = "/tmp" // the temporary folder may be only accessible to root
	}
	removeAbandoned(cmp.Or(parent, os.TempDir()))
	if c.folder, err = os.MkdirTemp(parent, folderPrefix); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	c.lock = flock.New(filepath.Join(c.folder, lockName)) // so that others do not consider the folder abandoned
	if _, err := c.lock.TryLock(); err != nil {
		return nil, err
	}
	if err := c.certify(); err != nil {
		return nil, err
	}
	if err := c.own(c.folder, c.Certificate(), c.key()); err != nil {
		return nil, err
	}
	initdb := c.command("initdb", "-D", c.data(), "-U", "followup", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions", "--wal-segsize=1")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	for range 5 { // another process may have taken the port
		if slices.Contains(settings, Listen) {
			if c.port, err = freePort(); err != nil {
				return nil, err
			}
		}
		if err = c.Run(); err == nil {
			return c, nil
		}
	}
	return nil, err
}

const (
	folderPrefix = "fu-pg-"
	lockName     = "lock"
)

// removeAbandoned removes the folders of killed processes: nobody holds their locks. It ignores errors.
func removeAbandoned(parent string) {
	all, err := filepath.Glob(filepath.Join(parent, folderPrefix+"*", lockName))
	if err != nil {
		return
	}
	for _, path := range all {
		folder := filepath.Dir(path)
		if _, err := os.Stat(filepath.Join(folder, "data")); err != nil {
			continue // the lock may not be held yet
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDONLY|syscall.O_NOFOLLOW))
		if free, _ := lock.TryLock(); free { // an error: another user's, or removed meanwhile
			_ = os.RemoveAll(folder)
		}
		_ = lock.Close()
	}
}

func programs() (string, error) {
	all, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", err
	}
	if len(all) > 0 {
		return filepath.Dir(slices.MaxFunc(all, func(a, b string) int { // 9.6 is older than 15
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		})), nil
	}
	found, err := exec.LookPath("postgres")
	if err != nil {
		return "", ErrMissing
	}
	return filepath.Dir(found), nil
}

func another() (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			var as syscall.Credential
			_, err := fmt.Sscan(found.Uid+" "+found.Gid, &as.Uid, &as.Gid)
			return &as, err
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

func (c *Cluster) own(paths ...string) error {
	if c.as == nil {
		return nil
	}
	for _, path := range paths {
		if err := os.Chown(path, int(c.as.Uid), int(c.as.Gid)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// Certificate returns the path of the server's certificate, which is its own authority.
func (c *Cluster) Certificate() string { return filepath.Join(c.folder, "tls.crt") }

func (c *Cluster) key() string { return filepath.Join(c.folder, "tls.key") }

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.programs, name), args...)
	cmd.Dir = c.folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + c.folder}
	if mark := os.Getenv("FOLLOWUP_TEST_RUN"); mark != "" {
		cmd.Env = append(cmd.Env, "FOLLOWUP_TEST_RUN="+mark)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// startPatience is how long a server may take to start on a busy machine.
const startPatience = time.Minute

// Run starts the server, and returns when it accepts connections.
func (c *Cluster) Run() error {
	args := []string{"-D", c.data(), "-k", c.folder, "-p", strconv.Itoa(c.port)}
	for _, setting := range append([]string{
		"listen_addresses=", "ssl=on", "ssl_cert_file=" + c.Certificate(), "ssl_key_file=" + c.key(),
		"fsync=off", "synchronous_commit=local", "full_page_writes=off", "shared_buffers=16MB", "dynamic_shared_memory_type=mmap", "max_connections=60",
		"autovacuum=off", "min_wal_size=4MB", "max_wal_size=64MB", "log_min_messages=warning", "deadlock_timeout=100ms",
	}, c.settings...) {
		args = append(args, "-c", setting)
	}
	c.server = c.command("postgres", args...)
	stderr, err := c.server.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.server.Start(); err != nil {
		return err
	}
	ready, ended := make(chan struct{}), make(chan error, 1)
	isReady := sync.OnceFunc(func() { close(ready) })
	var log strings.Builder
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			fmt.Fprintln(&log, lines.Text())
			if strings.Contains(lines.Text(), "ready to accept connections") {
				isReady()
			}
		}
		_, _ = io.Copy(io.Discard, stderr) // after a line that is too long
		ended <- c.server.Wait()
	}()
	select {
	case <-ready:
		c.ended = ended
		return nil
	case err := <-ended:
		c.server = nil
		return fmt.Errorf("the server ended: %w: %s", err, log.String())
	case <-time.After(startPatience):
		c.ended = ended
		return errors.Join(errors.New("the server does not start"), c.Stop())
	}
}

// Stop ends the server at once, like a crash. Committed data is kept.
func (c *Cluster) Stop() error {
	if c.server == nil || c.ended == nil {
		return nil
	}
	if err := c.server.Process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-c.ended //nolint:errcheck // it was stopped
	c.server, c.ended = nil, nil
	return nil
}

// Close ends the server and removes everything.
func (c *Cluster) Close() error {
	err := errors.Join(c.Stop(), os.RemoveAll(c.folder))
	if c.lock != nil {
		err = errors.Join(err, c.lock.Close())
	}
	return err
}

// Address returns where a server that was started with Listen accepts TLS.
func (c *Cluster) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// Place returns the address, by the socket, of a store in a schema with that name.
func (c *Cluster) Place(schema string) string {
	return "postgres:///postgres?" + url.Values{
		"host": {c.folder}, "port": {strconv.Itoa(c.port)}, "user": {"followup"}, "search_path": {schema}, "sslmode": {"disable"},
	}.Encode()
}

// PlaceAt is Place by TCP and TLS, at another address, such as a proxy's.
func (c *Cluster) PlaceAt(address, schema string) string {
	return "postgres://followup@" + address + "/postgres?" + url.Values{
		"search_path": {schema}, "sslmode": {"verify-ca"}, "sslrootcert": {c.Certificate()},
	}.Encode()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// certify writes the certificate for loopback that Go's tests use.
func (c *Cluster) certify() error {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	secret, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(c.Certificate(), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600),
		os.WriteFile(c.key(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
}
