package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/waits"
)

var update = flag.Bool("update", false, "rewrite what the protocol cases expect")

var (
	// binary is the real sidecar, built once for the tests of this package.
	binary string
	// buildFolder is the folder of the programs that the tests build.
	buildFolder string
)

// goBuild builds the program like `make test`, so that they share the build cache.
func goBuild(to string, flags ...string) error {
	build := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-buildvcs=false", "-o", to}, flags, []string{"."})...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// builtVersion returns the version of the binary, which has the commit if Go recorded one.
var builtVersion = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(binary, "version").Output()
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "followup "), err
})

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		var err error
		buildFolder, err = os.MkdirTemp("", "followup")
		if err == nil {
			buildFolder, err = filepath.EvalSymlinks(buildFolder) // macOS's temporary folder is a link
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(buildFolder) }()
		if binary = os.Getenv("FOLLOWUP_PROGRAM"); binary == "" { // otherwise `make test` has built it
			if err = goBuild(buildFolder); err == nil {
				binary, err = exec.LookPath(filepath.Join(buildFolder, "followup")) // with the extension on Windows
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		keeperProgram = binary
		// The tests expect English, except where they set a language.
		err = errors.Join(os.Unsetenv("LC_ALL"), os.Unsetenv("LC_MESSAGES"), os.Setenv("LANG", "C.UTF-8"), os.Setenv(lingerVariable, "1s"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// TestProtocol plays the conversations in testdata/protocol against the real binary. A case is prose with lines of this
// form:
//
//	--> {…}   a message to the sidecar, without "jsonrpc"
//	==> "…"   raw bytes to the sidecar, as a Go string
//	<-- {…}   a message from the sidecar
//	restart   ends the input and stops the keeper, and starts a new process on the same storage folder
//	kill      kills the process and its keeper, and starts a new one in the same way
//	exit N    the exit status after the input's end; 0 if there is no such line
//
// «storage» in a message is the case's own folder. The order of the messages after a group of --> lines does not matter. The
// sidecar's ids and pages' keys are written «1», «2», … in the order of their appearance, and can be sent like that; times are 0.
func TestProtocol(t *testing.T) {
	t.Parallel()
	playFiles(t, "testdata/protocol", play)
}

// TestTranscript plays the conversation in docs/protocol.md, which is a case like TestProtocol's.
func TestTranscript(t *testing.T) {
	t.Parallel()
	const file = "../../docs/protocol.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "\n```text\n-->")
	text, after, found := strings.Cut(rest, "\n```\n")
	if !found {
		t.Fatal("there is no conversation")
	}
	text = "-->" + text
	got := play(t, text)
	if *update {
		if err := os.WriteFile(file, []byte(before+"\n```text\n"+got+"\n```\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("rewrite with -update if this is right (-want +got):\n%s", diff)
	}
}

// playFiles plays the cases in a folder. play returns what happened, which must equal the case.
func playFiles(t *testing.T, folder string, play func(t *testing.T, text string) string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("rewrite with -update if this is right (-want +got):\n%s", diff)
			}
		})
	}
}

// conversation is one run of the binary.
type conversation struct {
	t        *testing.T
	in       io.WriteCloser
	messages chan string
	stderr   bytes.Buffer
	wait     func() error
	kill     func() error
	storage  string
	ids      map[string]string // the sidecar's id → «n»
	sent     strings.Builder
}

// play runs a case, and returns it with the messages that arrived instead of the expected ones.
func play(t *testing.T, text string) string {
	c := start(t)
	var out []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "-->":
			c.send(rest)
		case "==>":
			raw, err := strconv.Unquote(rest)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			c.write(raw)
		case "<--":
			first := i
			for i < len(lines) && strings.HasPrefix(lines[i], "<--") {
				i++
			}
			out = append(out, c.receive(lines[first:i])...)
			continue
		case "restart":
			c.again(func() {
				c.stop()
				if err := endKeeper(c.storage); err != nil {
					t.Error(err)
				}
			})
		case "kill":
			c.again(func() {
				_ = c.kill()
				killKeeper(c.storage)
				_ = c.wait() // it returns that the process was killed
			})
		case "exit":
			out = append(out, c.exit())
			i++
			continue
		}
		out = append(out, line)
		i++
	}
	if c.in != nil {
		c.stop()
	}
	return strings.Join(out, "\n")
}

func start(t *testing.T) *conversation {
	c := &conversation{t: t, ids: map[string]string{}, storage: storageDir(t)}
	c.begin()
	return c
}

// begin starts a process.
func (c *conversation) begin() {
	t := c.t
	c.messages = make(chan string, 1000)
	command := exec.Command(binary, "serve") // no time limit, however slow the test is
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = &c.stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	c.in, c.wait, c.kill = in, command.Wait, command.Process.Kill
	go read(bufio.NewReader(out), c.messages)
}

// inJSON returns a text as it appears within a JSON string.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return strings.Trim(string(quoted), `"`)
}

// again ends the process in some way, and starts a new one.
func (c *conversation) again(end func()) {
	end()
	c.begin()
}

// stop closes the process's input, like an editor that is closed.
func (c *conversation) stop() {
	if status := c.exit(); status != "exit 0" {
		c.t.Errorf("%s; its log:\n%s", status, c.stderr.String())
	}
}

// read parses the sidecar's messages with the standard library, not with the code under test.
func read(out *bufio.Reader, messages chan<- string) {
	defer close(messages)
	for {
		header, err := textproto.NewReader(out).ReadMIMEHeader()
		if err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(out, body); err != nil {
			return
		}
		messages <- string(body)
	}
}

func (c *conversation) write(raw string) {
	if _, err := io.WriteString(c.in, raw); err != nil {
		c.t.Errorf("the sidecar no longer reads: %v; its log:\n%s", err, c.stderr.String())
	}
}

func (c *conversation) send(message string) {
	for id, name := range c.ids {
		message = strings.ReplaceAll(message, name, id)
	}
	message = strings.ReplaceAll(message, "«storage»", inJSON(c.storage))
	c.sent.WriteString(message)
	body := `{"jsonrpc":"2.0",` + strings.TrimPrefix(message, "{")
	c.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

// receive reads as many messages as are expected, and returns their lines: the expected ones if they are the same in some order.
func (c *conversation) receive(want []string) []string {
	var raw []string
	for *update || len(raw) < len(want) {
		limit := waits.Patience
		if *update { // the number of messages is unknown
			limit = 300 * time.Millisecond
		}
		var message string
		var open bool
		select {
		case message, open = <-c.messages:
		case <-time.After(limit):
		}
		if message == "" && !open {
			break
		}
		raw = append(raw, message)
	}
	var got []string
	for _, message := range raw {
		got = append(got, "<-- "+c.normal(message))
	}
	if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		return want
	}
	return got
}

var (
	uuidPattern    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	timePattern    = regexp.MustCompile(`"(askedAt|at|left|pid|undoUntil)(\\?":)\d+`)
	keyPattern     = regexp.MustCompile(`("next":")(\d+)"`)
	versionPattern = regexp.MustCompile(`("name":"followup","pid":0,"version":")[^"]*`)
)

// normal writes a message in the same way in every run.
func (c *conversation) normal(message string) string {
	var value map[string]any
	if err := json.Unmarshal([]byte(message), &value); err != nil {
		c.t.Errorf("not JSON: %s", message)
	}
	if value["jsonrpc"] != "2.0" {
		c.t.Errorf("not JSON-RPC 2.0: %s", message)
	}
	delete(value, "jsonrpc")
	var sorted bytes.Buffer
	encoder := json.NewEncoder(&sorted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	text := timePattern.ReplaceAllString(strings.TrimSpace(sorted.String()), `"${1}${2}0`)
	text = versionPattern.ReplaceAllString(text, "${1}V")
	version, err := builtVersion()
	if err != nil {
		c.t.Fatal(err)
	}
	text = strings.ReplaceAll(text, version, development)
	text = strings.ReplaceAll(text, inJSON(c.storage), "«storage»")
	for _, key := range keyPattern.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, `"`+key[2]+`"`, `"`+c.name(key[2])+`"`)
	}
	return uuidPattern.ReplaceAllStringFunc(text, func(id string) string {
		if strings.Contains(c.sent.String(), id) && c.ids[id] == "" {
			return id // the editor's own id
		}
		return c.name(id)
	})
}

// name returns the placeholder for an id that the sidecar has created.
func (c *conversation) name(id string) string {
	if c.ids[id] == "" {
		c.ids[id] = fmt.Sprintf("«%d»", len(c.ids)+1)
	}
	return c.ids[id]
}

// exit ends the input and returns the exit status. It reports unexpected messages.
func (c *conversation) exit() string {
	_ = c.in.Close()
	c.in = nil
	for message := range c.messages {
		c.t.Errorf("nobody expected %s", c.normal(message))
	}
	err := c.wait()
	var status *exec.ExitError
	if errors.As(err, &status) {
		return fmt.Sprintf("exit %d", status.ExitCode())
	}
	if err != nil {
		c.t.Error(err)
	}
	return "exit 0"
}
