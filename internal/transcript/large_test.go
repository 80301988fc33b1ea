package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The size of TestLargeLog's log, and the limit of the memory for reading it.
const (
	memoryCap   = 32 << 20
	largeChild  = "FOLLOWUP_TRANSCRIPT_LARGE"
	largeRepeat = 12 // exchanges that each request repeats
)

// largeBytes is the length of the log: 1 GiB if FOLLOWUP_SOAK is set, which the child process inherits.
var largeBytes = func() int {
	if os.Getenv("FOLLOWUP_SOAK") != "" {
		return 1 << 30
	}
	return 256 << 20
}()

func TestMain(m *testing.M) {
	if os.Getenv(largeChild) != "" {
		if err := readLarge(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// largeReport is the child process's result.
type largeReport struct {
	Report   Report
	Requests int
	Longest  int   // request, in bytes
	FromOS   int64 // bytes that the Go runtime has allocated from the system
	Resident int64 // the peak of resident memory in bytes; 0 if the system does not report it
	Mismatch string
}

// A process of its own reads a large log in little memory. The log is generated while it is read; its requests are tens of
// MiB long and repeat the history. Each exchange is found once, and a request that is cut off loses nothing else.
func TestLargeLog(t *testing.T) {
	// The child is built without the race detector, which takes memory of its own, and otherwise as `make test` builds it.
	program := filepath.Join(t.TempDir(), "child.exe")
	build := exec.Command("go", "test", "-c", "-trimpath", "-vet=off", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	child := exec.Command(program)
	child.Env = append(os.Environ(), largeChild+"=1")
	var out, complaint bytes.Buffer
	child.Stdout, child.Stderr = &out, &complaint
	if err := child.Run(); err != nil {
		t.Fatalf("%v: %s", err, &complaint)
	}
	var got largeReport
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, &out)
	}
	t.Logf("%d requests, the longest of %d MiB; from the OS %d MiB, resident %d MiB",
		got.Requests, got.Longest>>20, got.FromOS>>20, got.Resident>>20)
	r := got.Report
	if r.Bytes < int64(largeBytes) || r.Files != 1 || got.Longest < 16<<20 {
		t.Errorf("read %d bytes of %d files, the longest request %d bytes", r.Bytes, r.Files, got.Longest)
	}
	if r.Found != got.Requests-1 || r.Unanswered != 1 || r.Found < 30 || got.Mismatch != "" { // the last is never answered
		t.Errorf("%d exchanges in %d requests, %d unanswered, %s", r.Found, got.Requests, r.Unanswered, got.Mismatch)
	}
	if r.Damaged.Total != 1 || r.Damaged.First[0].Reason != ReasonTruncated {
		t.Errorf("damaged: %v", r.Damaged)
	}
	if got.FromOS > memoryCap {
		t.Errorf("the runtime took %d MiB, more than %d", got.FromOS>>20, memoryCap>>20)
	}
	if got.Resident > memoryCap {
		t.Errorf("%d MiB were resident, more than %d", got.Resident>>20, memoryCap>>20)
	}
}

func readLarge(out io.Writer) error {
	log := &largeLog{filler: largeFiller()}
	var got largeReport
	report, err := ReadFrom(context.Background(), "large.jsonl", log, options, func(x Exchange) error {
		want := "Answer at " + x.AnsweredAt.Format(time.RFC3339)
		if len(x.Picks) != 1 || x.Picks[0].Other != want || x.AskedAt.IsZero() {
			got.Mismatch = fmt.Sprintf("%v, not %q", x, want)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	got.Report, got.Requests, got.Longest = report, log.requests, log.longest
	got.FromOS, got.Resident = int64(memory.Sys), resident()
	return json.NewEncoder(out).Encode(got)
}

// resident returns the peak of this process's resident memory, or 0 if the system does not report it.
func resident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return 0
	}
	kib, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10
}

// largeLog generates a log of cc-viewer while it is read. Each request repeats earlier exchanges, and has large results of
// other tools and the answer to the previous response's question.
type largeLog struct {
	filler   []byte
	parts    [][]byte // of the request that is being read
	read     int
	requests int
	longest  int // request, in bytes
	cut      bool
}

// largeFiller returns a message with a large result of another tool, full of escapes and of text that looks like an answer.
func largeFiller() []byte {
	text := strings.Repeat("line\tof \"text\" with \\ and \"Which?\"=\"This\" and é\n", 5000)
	content, _ := json.Marshal(text)
	return fmt.Appendf(nil, `{"role":"user","content":[{"type":"tool_result","content":%s,"tool_use_id":"toolu_01Read0000000000000000"},`+
		`{"type":"text","text":%s}]},`, content, content)
}

func (l *largeLog) Read(b []byte) (int, error) {
	for len(l.parts) == 0 {
		if l.read >= largeBytes {
			return 0, io.EOF
		}
		l.next()
	}
	n := copy(b, l.parts[0])
	if l.parts[0] = l.parts[0][n:]; len(l.parts[0]) == 0 {
		l.parts = l.parts[1:]
	}
	l.read += n
	return n, nil
}

func largeTime(n int) string {
	return time.Date(2026, 5, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
}

func largeID(n int) string { return fmt.Sprintf("toolu_01L%017d", n) }

func largeCall(n int) string {
	return fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"AskUserQuestion","input":{"questions":[{"question":"Which %d?",`+
		`"header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}]}}`, largeID(n), n)
}

// next generates the next request. The eighth is cut off before its exchanges, and then generated again.
func (l *largeLog) next() {
	n := l.requests
	add := func(format string, args ...any) { l.parts = append(l.parts, fmt.Appendf(nil, format, args...)) }
	add(`{"timestamp":"%s","project":"p","body":{"model":"m","messages":[`, largeTime(n))
	for range n {
		l.parts = append(l.parts, l.filler)
	}
	if n == 7 && !l.cut {
		l.cut = true
		add(`{"role":"assistant","content":[{"type":"text","text":"cut` + "\n---\n")
		return
	}
	for i := max(0, n-largeRepeat); i < n; i++ {
		add(`{"role":"assistant","content":[%s]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s",`+
			`"content":"The user answered: \"Which %d?\"=\"Answer at %s\". Read the answers carefully"}]},`,
			largeCall(i), largeID(i), i, largeTime(i+1))
	}
	last := &l.parts[len(l.parts)-1]
	*last = bytes.TrimSuffix(*last, []byte(","))
	add(`]},"response":{"status":200,"body":{"content":[%s]}},"duration":5,"mainAgent":true}`+"\n---\n", largeCall(n))
	size := 0
	for _, part := range l.parts {
		size += len(part)
	}
	l.requests, l.longest = n+1, max(l.longest, size)
}
