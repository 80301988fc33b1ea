package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/keeper"
	"followup/internal/waits"
)

// storageDir returns a folder for the test, whose keeper is stopped at the test's end.
func storageDir(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "followup-storage")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		waits.Until(t, "the folder is removed", func() bool { // a keeper may start at this moment
			return endKeeper(folder) == nil && os.RemoveAll(folder) == nil
		})
	})
	return folder
}

// environment returns that of a process with its own home folder, for any system.
func environment(home string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + filepath.Join(home, "local"), "TEMP=" + os.TempDir(),
	}, more...)
}

// endsKeeper stops a folder's keeper at the test's end.
func endsKeeper(t testing.TB, folder string) {
	t.Helper()
	t.Cleanup(func() {
		if err := endKeeper(folder); err != nil {
			t.Errorf("the keeper of %s: %v", folder, err)
		}
	})
}

func endKeeper(folder string) error {
	client := keeper.Client{Folder: folder, Log: zap.NewNop()}
	for until := time.Now().Add(waits.Patience); ; {
		ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
		err := client.Stop(ctx)
		cancel()
		if errors.Is(err, fs.ErrNotExist) || err == nil {
			return nil
		}
		if time.Now().After(until) { // it hangs
			if info, wrong := keeper.ReadInfo(folder); wrong == nil {
				if stuck, wrong := os.FindProcess(info.PID); wrong == nil {
					_ = stuck.Kill()
				}
			}
			return err
		}
		<-time.After(10 * time.Millisecond) // it is starting or ending
	}
}

// endKeepersIn stops the keepers of all folders below a folder.
func endKeepersIn(folder string) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "keeper.lock" {
			_ = endKeeper(filepath.Dir(path))
		}
		return nil
	})
}

// killKeeper kills a folder's keeper, if there is one.
func killKeeper(folder string) {
	info, err := keeper.ReadInfo(folder)
	if err != nil || !(keeper.Client{Folder: folder}).Running() {
		return // its process id may have been reused
	}
	if running, err := os.FindProcess(info.PID); err == nil {
		_ = running.Kill()
		_ = untilEnded(folder, info.PID)
	}
}

func untilEnded(folder string, pid int) error {
	ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
	defer cancel()
	return keeper.Client{Folder: folder}.UntilEnded(ctx, pid)
}

// keeperPID returns the process id of a folder's keeper.
func keeperPID(t testing.TB, folder string) int {
	t.Helper()
	info, err := keeper.ReadInfo(folder)
	if err != nil {
		t.Fatal(err)
	}
	return info.PID
}
