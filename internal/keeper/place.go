// Package keeper runs the one process that keeps an inbox, and connects clients to it. The process owns a storage folder by a lock,
// listens on a Unix domain socket, and ends some time after its last client has left.
package keeper

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"followup/internal/atomicfile"
	"followup/internal/program"
)

// The files of a keeper in its storage folder.
const (
	lockName   = "keeper.lock"       // held by the keeper
	startName  = "keeper.start.lock" // held by the client that starts one
	infoName   = "keeper.json"       // describes the keeper; may be stale
	socketName = "keeper.sock"
	logName    = "keeper.log"
)

// IsInbox reports whether a keeper has kept an inbox in a folder.
func IsInbox(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, lockName))
	return err == nil
}

// maxSocketPath is the maximum length of a socket's path on all systems, in bytes: 104 including the terminating zero.
const maxSocketPath = 103

// Info describes the process that keeps an inbox.
type Info struct {
	program.Build
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	Folder  string    `json:"folder"`
	Socket  string    `json:"socket"`
	Clients int       `json:"clients"`
	// Next is the newer build that the keeper retires for. Older ones do not start a keeper for a while.
	Next *program.Build `json:"next,omitempty"`
}

// ReadInfo returns the information of a folder's last keeper, which may have ended.
func ReadInfo(folder string) (Info, error) {
	var info Info
	content, err := robustio.ReadFile(filepath.Join(folder, infoName)) // Windows refuses it while it is replaced
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(content, &info)
}

func (i Info) write(folder string) error {
	content, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(folder, infoName), content, 0o600, nil)
}

// socketPath returns where the keeper of a folder listens: in it, or if that path is too long, in the user's own temporary folder
// under a hashed name.
func socketPath(folder string) (string, error) {
	path := filepath.Join(folder, socketName)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	if whole, err := filepath.EvalSymlinks(folder); err == nil {
		folder = whole
	}
	sum := sha256.Sum256([]byte(folder))
	name := hex.EncodeToString(sum[:12]) + ".sock"
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir()} {
		if !filepath.IsAbs(base) {
			continue
		}
		dir := filepath.Join(base, "followup-"+strconv.Itoa(os.Getuid()))
		if path = filepath.Join(dir, name); len(path) > maxSocketPath {
			continue
		}
		if err := ownFolder(dir); err != nil {
			return "", err
		}
		return path, nil
	}
	return "", fmt.Errorf("the path of the socket %s is too long", path)
}

// ownFolder creates a folder that only the user can enter. It rejects one that another user has created, or can change.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || !ownedByUser(info):
		return fmt.Errorf("%s is not the user's own folder", dir)
	case runtime.GOOS != "windows" && info.Mode()&0o022 != 0:
		return fmt.Errorf("other users can replace the socket in %s; run: chmod 700 %[1]s", dir)
	}
	return nil
}
