package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Killing a process does not test the disk, so this test traces system calls: between sending a question and acknowledging its
// answer, the process flushes the database's log exactly once. That holds while the process reports that it saves; on a busy
// machine it may consider the disk slow for a while.
func TestFlushBeforeAcknowledgement(t *testing.T) {
	t.Parallel()
	const answers = 20
	trace, s := startTraced(t, storageDir(t))
	session, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for n := range answers {
		s.untilStorage(func(now protocol.Storage) bool { return now.Saved })
		id := fmt.Sprintf("019a9c00-0000-7000-8000-%012d", n+1)
		go func() {
			_, _ = rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{ // the process is killed at the end
				Session: session.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
			})
		}()
		if !s.untilPending(id) {
			t.Fatal("the sidecar ended; its log:\n", s.stderr.String())
		}
		result, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "yes",
		})
		if err != nil || !result.Accepted {
			t.Fatal(result, err)
		}
	}
	_ = s.command.Process.Kill()
	<-s.conn.Done()
	var flushes []int // completed between sending a question and acknowledging its answer
	saved, telling, count := true, false, 0
	for _, event := range <-trace {
		switch {
		case event == "saved" || event == "unsaved":
			saved, telling = event == "saved", false
		case event == "asked":
			telling, count = saved, 0
		case event == "flushed":
			count++
		case event == "acknowledged" && telling:
			flushes = append(flushes, count)
			telling = false
		}
	}
	if len(flushes) < answers/2 {
		t.Fatalf("the trace shows %d answers of %d", len(flushes), answers)
	}
	t.Logf("flushes of the log per answer: %v", flushes)
	if slices.Min(flushes) < 1 {
		t.Errorf("an answer was acknowledged before the log was flushed: %v", flushes)
	}
	// Background work may flush too when the process is idle, but not for most of the answers.
	slices.Sort(flushes)
	if median := flushes[len(flushes)/2]; median != 1 {
		t.Errorf("an answer takes %d flushes: %v", median, flushes)
	}
}

// startTraced starts the real binary under ptrace. When the process has ended, the channel receives its events in order.
func startTraced(t *testing.T, storage string) (<-chan []string, *sidecar) {
	t.Helper()
	s := &sidecar{items: map[string]protocol.InboxItem{}, changed: make(chan struct{})}
	s.command = exec.Command(binary, "serve", "--log-level", "warn", "--alone")
	s.command.Stderr = &s.stderr
	s.command.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	in, err := s.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	started, trace := make(chan error), make(chan []string, 1)
	go func() {
		runtime.LockOSThread() // the thread that starts a process traces it; it ends with this function
		err := s.command.Start()
		started <- err
		if err == nil {
			trace <- follow(t, s.command.Process.Pid)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.command.Process.Kill() })
	s.dial(t, out, in, storage)
	return trace, s
}

// follow lets a process run until it ends, and returns its events: "asked", "acknowledged", "saved" or "unsaved" when it starts
// to write a message with a pending question, an accepted answer or that state of the storage; "flushed" when it has flushed the
// database's log.
func follow(t *testing.T, pid int) []string {
	var events []string
	flushing := map[int]bool{} // threads that are flushing the log
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil {
		t.Error(err)
		return nil
	}
	options := unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		t.Error(err)
		return nil
	}
	for thread, signal := pid, 0; ; {
		// The next wait reports a thread that has ended.
		_ = unix.PtraceSyscall(thread, signal)
		var err error
		if thread, err = unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil); err != nil {
			return events // no thread is left
		}
		signal = 0
		switch {
		case !status.Stopped():
		case status.StopSignal() == unix.SIGTRAP|0x80:
			if event := observe(thread, flushing); event != "" {
				events = append(events, event)
			}
		case status.StopSignal() != unix.SIGTRAP && status.StopSignal() != unix.SIGSTOP:
			signal = int(status.StopSignal())
		}
	}
}

// syscallInfo is struct ptrace_syscall_info of linux/ptrace.h: the same on every architecture.
type syscallInfo struct {
	op   uint8
	_    [3]uint8
	arch uint32
	_    [2]uint64 // instruction and stack pointer
	at   [8]uint64 // entry: number, six arguments; exit: result, whether it is an error
}

const (
	ptraceGetSyscallInfo = 0x420e
	syscallEntry         = 1
	syscallExit          = 2
)

// observe classifies a thread's current system call; empty if it is irrelevant.
func observe(thread int, flushing map[int]bool) string {
	var info syscallInfo
	size := unsafe.Sizeof(info)
	if _, _, e := unix.RawSyscall6(unix.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), size, uintptr(unsafe.Pointer(&info)), 0, 0); e != 0 {
		return ""
	}
	switch {
	case info.op == syscallExit && flushing[thread]:
		delete(flushing, thread)
		if info.at[0] == 0 {
			return "flushed"
		}
	case info.op != syscallEntry:
	case info.at[0] == unix.SYS_FSYNC || info.at[0] == unix.SYS_FDATASYNC:
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, info.at[1]))
		if err == nil && strings.HasSuffix(path, "-wal") {
			flushing[thread] = true
		}
	case info.at[0] == unix.SYS_WRITE && info.at[1] == 1:
		body := make([]byte, min(info.at[3], 64<<10))
		n, err := unix.PtracePeekData(thread, uintptr(info.at[2]), body)
		body = body[:n]
		switch {
		case err != nil:
		case bytes.Contains(body, []byte(`"accepted":true`)):
			return "acknowledged"
		case bytes.Contains(body, []byte(`"saved":true`)):
			return "saved"
		case bytes.Contains(body, []byte(`"saved":false`)):
			return "unsaved"
		case bytes.Contains(body, []byte(`"state":"pending"`)):
			return "asked"
		}
	}
	return ""
}
