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

// storageDir is a folder of the test's own whose keeper is ended with the test.
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

// environment is that of a process with a home folder of its own, on any system.
func environment(home string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + filepath.Join(home, "local"), "TEMP=" + os.TempDir(),
	}, more...)
}

// endsKeeper ends the keeper of a folder with the test.
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
		if time.Now().After(until) { // one that hangs
			if info, wrong := keeper.ReadInfo(folder); wrong == nil {
				if stuck, wrong := os.FindProcess(info.PID); wrong == nil {
					_ = stuck.Kill()
				}
			}
			return err
		}
		<-time.After(10 * time.Millisecond) // it starts, or ends
	}
}

// endKeepersIn ends the keepers of all folders below one.
func endKeepersIn(folder string) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "keeper.lock" {
			_ = endKeeper(filepath.Dir(path))
		}
		return nil
	})
}

// killKeeper kills the keeper of a folder, if there is one.
func killKeeper(folder string) {
	info, err := keeper.ReadInfo(folder)
	if err != nil || !(keeper.Client{Folder: folder}).Running() {
		return // its process id may be another's
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

// keeperPID is the process that keeps a folder.
func keeperPID(t testing.TB, folder string) int {
	t.Helper()
	info, err := keeper.ReadInfo(folder)
	if err != nil {
		t.Fatal(err)
	}
	return info.PID
}
