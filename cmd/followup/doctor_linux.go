package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockHolder returns a process, other than this one and the keeper, that has locked the store in a folder; 0 if unknown. See proc_locks(5).
func lockHolder(folder string, keeper int) (program string, pid int) {
	files := map[string]bool{} // as in /proc/locks
	for _, name := range []string{"inbox.db", "inbox.db-shm", "history.db", "history.db-shm", "store.lock"} {
		var info unix.Stat_t
		if unix.Stat(filepath.Join(folder, name), &info) == nil {
			files[fmt.Sprintf("%02x:%02x:%d", unix.Major(info.Dev), unix.Minor(info.Dev), info.Ino)] = true
		}
	}
	for range 3 { // the kernel lists the locks in pieces, and omits some if others are released meanwhile
		if pid := lockedBy(files, keeper); pid != 0 {
			name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
			return strings.TrimSpace(string(name)), pid
		}
	}
	return "", 0
}

// lockedBy returns a process, other than this one and the keeper, that has locked one of the files; 0 if none is listed.
func lockedBy(files map[string]bool, keeper int) int {
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(locks)) {
		fields := strings.Fields(line) // 1: FLOCK ADVISORY WRITE 1234 08:01:123456 0 EOF
		if len(fields) < 6 || fields[3] != "WRITE" || !files[fields[5]] {
			continue
		}
		if pid, err := strconv.Atoi(fields[4]); err == nil && pid > 0 && pid != os.Getpid() && pid != keeper {
			return pid
		}
	}
	return 0
}
