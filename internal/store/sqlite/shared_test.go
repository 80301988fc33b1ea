package sqlite

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"followup/internal/question"
	"followup/internal/store"
)

// secondEnv holds the folder, in the second process of TestTwoProcesses.
const secondEnv = "FOLLOWUP_STORE_TEST_DIR"

// Two processes ask and answer concurrently. Each sees the other's changes, and neither gets an error that the file is locked.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	const n = 60
	run := func(s testStore, me, other string) {
		for i := range n {
			id := fmt.Sprintf("%s%d", me, i)
			ask(t, s, id, "common "+me)
			if i%2 == 1 {
				closeQuestion(t, s, answered(fmt.Sprintf("%s%d", me, i-1), me)) // or the other process was first
			}
			if i%16 == 0 {
				ok(t, s.Idle(t.Context()))
			}
			// The first process to see a question answers it.
			for _, q := range must(s.OpenQuestions(t.Context(), 0, 999))(t) {
				if strings.HasPrefix(q.ID, other) && i%3 == 0 {
					closeQuestion(t, s, answered(q.ID, me))
				}
			}
		}
	}
	if dir := os.Getenv(secondEnv); dir != "" {
		s, _, err := openTest(t, dir, store.Options{})
		ok(t, err)
		must(os.Stdout.WriteString("ready\n"))(t)
		run(s, "c", "p")
		ok(t, s.Close())
		return
	}
	dir := t.TempDir()
	s, _, err := openTest(t, dir, store.Options{})
	ok(t, err)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
	child.Env = append(os.Environ(), secondEnv+"="+dir)
	out := must(child.StdoutPipe())(t)
	child.Stderr = os.Stderr
	ok(t, child.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the other process printed %q", lines.Text())
	}
	run(s, "p", "c")
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, "FAIL") || strings.Contains(line, "_test.go") {
			t.Error(line)
		}
	}
	ok(t, child.Wait())
	open := must(s.OpenQuestions(t.Context(), 0, 999))(t)
	closed := must(s.History(t.Context(), store.Filter{Text: "common"}, 0, 3*n))(t).Entries
	if len(open)+len(closed) != 2*n || len(closed) < n {
		t.Errorf("%d open, %d closed", len(open), len(closed))
	}
	for _, q := range closed {
		if q.Outcome.Outcome != question.Answered {
			t.Errorf("%+v", q)
		}
	}
	integrity(t, s)
	ok(t, s.Close())
}
