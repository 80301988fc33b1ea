//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/reach"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// keepersStarted returns how many processes have kept a folder so far, by its log.
func keepersStarted(t *testing.T, folder string) int {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(folder, "keeper.log"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(log, []byte(`"msg":"keeping"`))
}

func keeperStatus(folder string) (string, error) {
	out, err := exec.Command(binary, "keeper", "--storage", folder).CombinedOutput()
	return string(out), err
}

// When fifty clients start at once, exactly one keeper starts, and all of them see the question.
func TestFiftyClientsStartOneKeeper(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	clients := make([]*sidecar, 50)
	var started sync.WaitGroup
	for i := range clients {
		started.Go(func() { clients[i] = startSidecar(t, folder) })
	}
	started.Wait()
	if t.Failed() {
		t.FailNow()
	}
	if n := keepersStarted(t, folder); n != 1 {
		t.Errorf("%d keepers have started", n)
	}
	clients[0].asks(t, firstID, `{"question":"Q?"}`)
	for _, client := range clients {
		client.untilPending(firstID)
	}
	if out, err := keeperStatus(folder); err != nil || !strings.Contains(out, "clients   50\n") || !strings.Contains(out, folder) {
		t.Errorf("%v: %s", err, out)
	}
}

// With --alone, for a debugger, the process itself keeps the folder for all clients, and exits with its editor.
func TestServeAlone(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	debugged := startSidecarOf(t, binary, folder, "--alone")
	other := startSidecar(t, folder)
	other.asks(t, firstID, `{"question":"Q?"}`)
	if !debugged.untilPending(firstID) {
		t.Error("another client's question is not shown")
	}
	info, err := keeper.ReadInfo(folder)
	if err != nil || info.PID != debugged.command.Process.Pid {
		t.Errorf("%v, the keeper is %d", err, info.PID)
	}
	other.disconnect()
	debugged.disconnect()
	if _, err := os.Stat(filepath.Join(folder, "keeper.log")); err == nil {
		t.Error("another keeper has started")
	}
}

// While no keeper can start, as on a full disk, each window keeps the inbox itself. Once one can, all windows have it, with what was
// asked and answered before, and the windows' processes release the store.
func TestKeeperStartsLater(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	inTheWay := filepath.Join(folder, "keeper.sock", "x")
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	first := startSidecar(t, folder)
	answers := first.asks(t, firstID, `{"question":"Before?"}`)
	answer := func(by *sidecar, id string) {
		t.Helper()
		result, err := rpc.Call(t.Context(), by.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "Yes",
		})
		if err != nil || !result.Accepted {
			t.Errorf("%+v, %v", result, err)
		}
	}
	answer(first, firstID)
	waits.For(t, answers)
	second := startSidecar(t, folder) // whose process cannot open the store that the first one's has
	answers = first.asks(t, secondID, `{"question":"Still open?"}`)
	if err := os.RemoveAll(filepath.Dir(inTheWay)); err != nil {
		t.Fatal(err)
	}
	if !second.untilPending(secondID) {
		t.Fatal(second.stderr.String())
	}
	answer(second, secondID)
	if got := waits.For(t, answers); got.Text != "<answer>\nYes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	if status, out, problems := shell(t, folder, "history"); status != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("status %d, %s%s", status, out, problems)
	}
	if now := first.untilStorage(func(now protocol.Storage) bool { return now.Saved }); now.Problem != "" {
		t.Errorf("the problem is %q", now.Problem)
	}
}

// Every command that needs the storage is a client of one keeper, and none opens the store itself.
func TestCommandsAreClients(t *testing.T) {
	t.Setenv(lingerVariable, "10m")
	folder := storageDir(t)
	for _, args := range [][]string{
		{"import", "../../internal/transcript/testdata/codex"}, {"import", "--json"}, {"history"}, {"history", "search", "database"},
		{"history", "show", "4484058f"}, {"history", "export"}, {"inbox"}, {"doctor"},
	} {
		status, _, problems := shell(t, folder, args...)
		if status != 0 && args[0] != "doctor" {
			t.Errorf("%v: status %d, %s", args, status, problems)
		}
		if n := keepersStarted(t, folder); n != 1 {
			t.Fatalf("%d keepers have started by %v", n, args)
		}
	}
	s := startSidecar(t, folder)
	s.asks(t, firstID, `{"question":"Q?"}`)
	s.untilPending(firstID)
	if status, out, _ := shell(t, folder, "history", "show", firstID[:13]); status != 0 || !strings.Contains(out, "    Q?\n") {
		t.Errorf("an open question: status %d, %s", status, out)
	}
	if err := syscall.Kill(keeperPID(t, folder), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := shell(t, folder, "history"); status != 0 || strings.Count(out, "\n") != 4 {
		t.Errorf("after the keeper was killed: status %d, %s", status, out)
	}
}

// Only the user can access the socket and the folder.
func TestSocketIsTheUsers(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	startSidecar(t, folder)
	for name, want := range map[string]os.FileMode{"keeper.sock": 0o700 | os.ModeSocket, "keeper.json": 0o600, "keeper.log": 0o600, ".": 0o700 | os.ModeDir} {
		info, err := os.Lstat(filepath.Join(folder, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// If the path is too long for a socket, a hash of it names a socket in another folder of the user.
func TestLongPath(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(storageDir(t), strings.Repeat("long/", 30))
	endsKeeper(t, folder)
	a, b := startSidecar(t, folder), startSidecar(t, folder)
	info, err := keeper.ReadInfo(folder)
	if err != nil || len(info.Socket) > 103 || keepersStarted(t, folder) != 1 {
		t.Errorf("%+v, %v", info, err)
	}
	inside, err := os.Stat(filepath.Dir(info.Socket))
	if err != nil || inside.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", inside, err)
	}
	a.asks(t, firstID, `{"question":"Q?"}`)
	b.untilPending(firstID)
}

// A new keeper replaces the socket, the file and the lock of a killed one.
func TestStaleSocket(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	stale, err := net.Listen("unix", filepath.Join(folder, "keeper.sock"))
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = stale.Close()
	word := fmt.Sprintf(`{"pid":1,"socket":%q}`, filepath.Join(folder, "keeper.sock"))
	for name, content := range map[string]string{"keeper.json": word, "keeper.lock": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := keeperStatus(folder); err == nil || !strings.Contains(out, "no process keeps") {
		t.Errorf("%v: %s", err, out)
	}
	s := startSidecar(t, folder)
	s.asks(t, firstID, `{"question":"Q?"}`)
}

// If a keeper hangs, the user is notified, no client decides in its place, and a restart restores everything.
func TestKeeperHangs(t *testing.T) {
	t.Setenv(keeper.PatienceVariable, "300ms")
	folder := storageDir(t)
	s := startSidecar(t, folder)
	answers := s.asks(t, firstID, `{"question":"Q?"}`)
	pid := keeperPID(t, folder)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }() // by then a zombie
	hangs := locale.English.Text(reach.KeeperHangs)
	s.untilStorage(func(now protocol.Storage) bool { return !now.Saved && now.Problem == hangs && now.Hung })
	if out, err := keeperStatus(folder); err == nil || !strings.Contains(out, "followup keeper restart") {
		t.Errorf("%v: %s", err, out)
	}
	result := make(chan protocol.CloseResult, 1)
	go func() {
		closed, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
			QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "yes",
		})
		if err != nil {
			t.Error(err)
		}
		result <- closed
	}()
	if out, err := exec.Command(binary, "keeper", "restart", "--storage", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := waits.For(t, result); !got.Accepted {
		t.Errorf("got %+v", got)
	}
	if got := waits.For(t, answers); got.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	s.untilStorage(func(now protocol.Storage) bool { return now.Saved })
}

// Commands report that the keeper hangs and how to restart it, and exit: ask does so after its timeout.
func TestCommandsWithAHungKeeper(t *testing.T) {
	for command, want := range map[string]int{
		"inbox": exitFailed, "history list": exitFailed, "doctor": exitFailed, "answer": exitFailed, "answer --plain": exitFailed, "ask Q? --timeout 100ms": exitTimedOut,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			folder := storageDir(t)
			s := startSidecar(t, folder)
			s.asks(t, firstID, `{"question":"Q?"}`)
			pid := keeperPID(t, folder)
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
			p := onTerminal(t, folder, []string{keeper.PatienceVariable + "=300ms"}, strings.Fields(command)...)
			p.until("To restart it, run: followup keeper restart")
			if status := p.ended(); status != want {
				t.Errorf("it ended with %d", status)
			}
		})
	}
}

// A slow keeper is reported, and the report disappears once it responds.
func TestKeeperContinues(t *testing.T) {
	t.Setenv(keeper.PatienceVariable, "300ms")
	folder := storageDir(t)
	s := startSidecar(t, folder)
	pid := keeperPID(t, folder)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.untilStorage(func(now protocol.Storage) bool { return !now.Saved })
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.untilStorage(func(now protocol.Storage) bool { return now.Saved && now.Problem == "" })
	if keepersStarted(t, folder) != 1 {
		t.Error("another keeper was started")
	}
}

// A keeper survives the client that started it, and ends after the last one.
func TestKeeperLingers(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	first := startSidecar(t, folder)
	second := startSidecar(t, folder)
	info, err := keeper.ReadInfo(folder)
	if err != nil {
		t.Fatal(err)
	}
	answers := second.asks(t, firstID, `{"question":"Q?"}`)
	first.disconnect()
	if _, err := rpc.Call(t.Context(), second.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "yes",
	}); err != nil {
		t.Error(err)
	}
	waits.For(t, answers)
	second.disconnect()
	if err := untilEnded(folder, info.PID); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"keeper.sock", "inbox.db-wal"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if keepersStarted(t, folder) != 1 {
		t.Error("more than one keeper has started")
	}
}

// If the folder is removed or replaced, the same process keeps the new folder, with the questions in its memory.
func TestKeptFolderIsReplaced(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(storageDir(t), "storage")
	endsKeeper(t, folder)
	s := startSidecar(t, folder)
	answers := s.asks(t, firstID, `{"question":"Q?"}`)
	pid := keeperPID(t, folder)
	if err := os.Rename(folder, folder+".old"); err != nil {
		t.Fatal(err)
	}
	waits.Until(t, "the folder is kept again", func() bool {
		info, err := keeper.ReadInfo(folder)
		return err == nil && info.PID == pid && (keeper.Client{Folder: folder}).Running()
	})
	other := startSidecar(t, folder)
	other.untilPending(firstID)
	if _, err := rpc.Call(t.Context(), other.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "yes",
	}); err != nil {
		t.Error(err)
	}
	if got := waits.For(t, answers); got.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the agent got %+v", got)
	}
	if keeperPID(t, folder) != pid {
		t.Error("another process keeps the folder")
	}
}

// The keeper recreates its files if one is removed, so that clients find it.
func TestKeepersFileIsRemoved(t *testing.T) {
	for _, name := range []string{"keeper.json", "keeper.lock", "keeper.sock"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := storageDir(t)
			startSidecar(t, folder).asks(t, firstID, `{"question":"Q?"}`)
			pid := keeperPID(t, folder)
			path := filepath.Join(folder, name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			waits.Until(t, "the file is there again", func() bool {
				_, err := os.Lstat(path)
				return err == nil && (keeper.Client{Folder: folder}).Running()
			})
			startSidecar(t, folder).untilPending(firstID)
			if now := keeperPID(t, folder); now != pid {
				t.Errorf("%d keeps the folder instead of %d", now, pid)
			}
		})
	}
}

// If the socket cannot be created, each process keeps its own questions in memory, as without a folder.
func TestFolderCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file") // not even root can create a folder below it
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := startSidecar(t, filepath.Join(file, "storage"))
	answers := s.asks(t, firstID, `{"question":"Q?"}`)
	if _, err := rpc.Call(t.Context(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "yes",
	}); err != nil {
		t.Error(err)
	}
	waits.For(t, answers)
	s.untilStorage(func(now protocol.Storage) bool { return !now.Saved })
}

// releases builds the program as two releases, once for all tests, since linking takes seconds.
var releases = sync.OnceValues(func() (built [2]string, err error) {
	for i, release := range []string{"1.0.0", "2.0.0"} {
		built[i] = filepath.Join(buildFolder, release)
		if err := goBuild(built[i], "-ldflags", "-s -w -X main.release="+release); err != nil {
			return built, err
		}
	}
	return built, nil
})

// builds returns copies of an older and a newer release for a test.
func builds(t *testing.T) (older, newer string) {
	t.Helper()
	built, err := releases()
	if err != nil {
		t.Fatal(err)
	}
	own := [2]string{filepath.Join(t.TempDir(), "followup"), filepath.Join(t.TempDir(), "followup")}
	for i, path := range own {
		if err := os.Link(built[i], path); err != nil {
			t.Fatal(err)
		}
	}
	return own[0], own[1]
}

// A newer client replaces an older keeper, and the older client reconnects to the newer keeper. An older client uses a newer keeper.
func TestTwoBuilds(t *testing.T) {
	t.Parallel()
	older, newer := builds(t)
	run := func(folder, program string) *sidecar { return startSidecarOf(t, program, folder) }
	folder := storageDir(t)
	old := run(folder, older)
	answers := old.asks(t, firstID, `{"question":"Q?"}`)
	former := keeperPID(t, folder)
	latest := run(folder, newer)
	latest.untilPending(firstID)
	info, err := keeper.ReadInfo(folder)
	if err != nil || info.Version != "2.0.0" || info.PID == former {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := rpc.Call(t.Context(), latest.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: firstID, Provenance: protocol.ProvenanceTyped, Text: "yes",
	}); err != nil {
		t.Error(err)
	}
	if got := waits.For(t, answers); got.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("the old client got %+v", got)
	}
	run(folder, older).asks(t, secondID, `{"question":"Q?"}`)
	if now := keeperPID(t, folder); now != info.PID {
		t.Error("an older client replaced a newer keeper")
	}
}

// In the person's folder the keeper runs from the program's stable path, where a client installs or updates the program first.
// The program survives the removal of its client's folder, is not copied again, and is not replaced by an older one.
func TestKeeperRunsFromTheStablePath(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows which program a process runs")
	}
	older, newer := builds(t)
	home := storageDir(t)
	t.Setenv("HOME", home)
	t.Setenv("XDG_DATA_HOME", "")
	folder := filepath.Join(home, ".local", "share", "followup")
	program := filepath.Join(folder, "bin", "followup")
	endsKeeper(t, folder)
	keptBy := func(want, version string) {
		t.Helper()
		info, err := keeper.ReadInfo(folder)
		if err != nil {
			t.Fatal(err)
		}
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", info.PID))
		if err != nil || path != want || info.Version != version {
			t.Errorf("the keeper runs %s of version %s, %v; want %s of %s", path, info.Version, err, want, version)
		}
	}
	installed := func() os.FileInfo {
		t.Helper()
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	stop := func() {
		t.Helper()
		if err := endKeeper(folder); err != nil {
			t.Fatal(err)
		}
	}

	development, err := builtVersion()
	if err != nil {
		t.Fatal(err)
	}
	startSidecarOf(t, binary, folder).disconnect() // a development build
	keptBy(binary, development)
	if _, err := os.Stat(program); err == nil {
		t.Error("a development build was installed")
	}
	stop()

	s := startSidecarOf(t, older, folder)
	keptBy(program, "1.0.0")
	first := installed()
	removed := older + ".removed"
	if err := os.Rename(older, removed); err != nil { // as an update removes an extension's folder
		t.Fatal(err)
	}
	stop()
	s.asks(t, firstID, `{"question":"Q?"}`) // at the next keeper
	keptBy(program, "1.0.0")
	s.disconnect()
	stop()
	if err := os.Rename(removed, older); err != nil {
		t.Fatal(err)
	}
	startSidecarOf(t, older, folder).disconnect()
	keptBy(program, "1.0.0")
	if !os.SameFile(first, installed()) {
		t.Error("the same build was copied again")
	}

	startSidecarOf(t, newer, folder).disconnect()
	keptBy(program, "2.0.0")
	second := installed()
	if os.SameFile(first, second) {
		t.Error("the program was not updated")
	}
	stop()
	startSidecarOf(t, older, folder).disconnect()
	keptBy(program, "2.0.0")
	startSidecarOf(t, binary, folder).disconnect()
	if !os.SameFile(second, installed()) {
		t.Error("an older or a development build has replaced the program")
	}
	stop()

	if err := os.RemoveAll(filepath.Dir(program)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(program), nil, 0o600); err != nil { // not even root can install anything there
		t.Fatal(err)
	}
	alone := startSidecarOf(t, newer, folder)
	keptBy(newer, "2.0.0")
	alone.disconnect()
	if log := alone.stderr.String(); !strings.Contains(log, "since none can be installed") {
		t.Errorf("its client's log has no reason:\n%s", log)
	}
	stop()

	// The installed program cannot be started, as on a file system that does not allow execution.
	if err := os.Remove(filepath.Dir(program)); err != nil {
		t.Fatal(err)
	}
	startSidecarOf(t, newer, folder).disconnect()
	stop()
	if err := os.Chmod(program, 0o600); err != nil {
		t.Fatal(err)
	}
	startSidecarOf(t, newer, folder).disconnect()
	keptBy(newer, "2.0.0")
}

// A keeper inherits a folder, a language and a path from its starter, but no secret and nothing else.
func TestKeeperInheritsNoSecrets(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "secret")
	folder := storageDir(t)
	startSidecar(t, folder)
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", keeperPID(t, folder)))
	if err != nil {
		t.Skip("this system does not show a process's environment")
	}
	if bytes.Contains(environment, []byte("secret")) || !bytes.Contains(environment, []byte("HOME=")) {
		t.Errorf("its environment is %q", environment)
	}
	if at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", keeperPID(t, folder))); err != nil || at != "/" {
		t.Errorf("it works in %s, %v", at, err)
	}
	group, err := syscall.Getpgid(keeperPID(t, folder))
	if err != nil || group != keeperPID(t, folder) {
		t.Errorf("its process group is %d, %v", group, err)
	}
}

// When a keeper is killed during a stream, together with another client's settings, the stream continues. Text outside calls is
// passed on once, and an earlier question is asked once.
func TestStreamSurvivesItsKeeper(t *testing.T) {
	t.Parallel()
	folder := storageDir(t)
	e := startAgent(t, protocol.InitializationOptions{StorageFolder: folder})
	e.Subscribe()
	stream := protocol.StreamAppendParams{Session: e.Session("s"), StreamID: rpctest.NewID()}
	give := func(text string) { e.Append(&stream, text) }
	pending := func() (ids []string) {
		for id, item := range e.Items {
			if item.State == protocol.ItemPending || item.State == protocol.ItemQueued {
				ids = append(ids, id)
			}
		}
		return ids
	}
	give("Hello <ask_followup_question><question>First?</question></ask_followup_question> and <ask_followup_question><question>Sec")
	e.Until(func() bool {
		return len(pending()) == 1 && len(e.Items) == 2 && e.Passed[stream.StreamID] == "Hello  and "
	})
	first := pending()[0]
	killKeeper(folder)
	give("ond?</question></ask_followup_question> there")
	result := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: stream.Session, StreamID: stream.StreamID, Reason: protocol.StreamComplete})
	if len(result.Calls) != 2 || result.Calls[0].QuestionID != first {
		t.Errorf("found %+v, asked first was %s", result.Calls, first)
	}
	e.Until(func() bool { // the incomplete call of the dead keeper is no longer shown
		return len(pending()) == 2 && len(e.Items) == 2 && e.Passed[stream.StreamID] == "Hello  and  there"
	})
}
