package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Results in the log from before the hook started belong to other calls. The newest call with the same questions is the hook's.
func TestTheNewestCall(t *testing.T) {
	t.Parallel()
	use := func(id string) string {
		return `{"message":{"content":[{"type":"tool_use","id":"` + id + `","name":"AskUserQuestion","input":` + colour + `}]}}` + "\n"
	}
	result := func(id, answer string) string {
		return `{"toolUseResult":{"answers":{"Which colour?":"` + answer + `"}},"message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `"}]}}` + "\n"
	}
	unreadable := strings.Replace(use("2"), `"questions":[`, `"questions":5,"x":[`, 1)
	questions := (&Call{input: []byte(colour)}).questions()
	for name, test := range map[string]struct {
		before, after string
		asked         []asked
		want          string // the answer; "" while it is open
	}{
		"an earlier one never got its result":       {use("1") + use("2"), result("2", "Blue"), questions, "Blue"},
		"an earlier one, and ours is late":          {use("1"), use("2") + result("2", "Blue"), questions, "Blue"},
		"an earlier one's result":                   {use("1") + result("1", "Red"), "", questions, ""},
		"an earlier one's result, and ours is open": {use("1") + result("1", "Red"), use("2"), questions, ""},
		"an earlier one's result, and then ours":    {use("1") + result("1", "Red"), use("2") + result("2", "Blue"), questions, "Blue"},
		"the same is asked again after ours":        {use("1"), result("1", "Red") + use("2"), questions, "Red"},
		"the call and the log are invalid":          {unreadable, result("2", "Blue"), nil, ""},
	} {
		for _, looked := range []bool{false, true} { // before the other lines were written
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(path, []byte(test.before), 0o600); err != nil {
				t.Fatal(err)
			}
			log := followQuestions(path, test.asked)
			if looked && log.over() {
				t.Errorf("%s: the call has a result at once: %q", name, log.answers)
			}
			if err := os.WriteFile(path, []byte(test.before+test.after), 0o600); err != nil {
				t.Fatal(err)
			}
			var want [][]string
			if test.want != "" {
				want = [][]string{{test.want}}
			}
			if over := log.over(); over != (want != nil) || !cmp.Equal(want, log.answers) {
				t.Errorf("%s: got %v, %q, want %q", name, over, log.answers, test.want)
			}
		}
	}
}

// A request for permission is closed once the log has the result of its call. The log may have fewer arguments than the hook.
func TestTheCallOfARequest(t *testing.T) {
	t.Parallel()
	const input = `{"command":"ls","description":"List"}`
	result := `{"message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}` + "\n"
	for logged, want := range map[string]bool{
		`"Bash","input":{"command":"ls","description":"List"}`: true,
		`"Bash","input":{}`:                true,
		`"Bash","input":{"command":"pwd"}`: false,
		`"Bash","input":5`:                 false,
		`"Edit","input":{"command":"ls"}`:  false,
	} {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		use := `{"message":{"content":[{"type":"tool_use","id":"1","name":` + logged + `}]}}` + "\n"
		if err := os.WriteFile(path, []byte(use), 0o600); err != nil {
			t.Fatal(err)
		}
		log := followCall(path, "Bash", []byte(input))
		if log.over() {
			t.Errorf("%s: the call has a result at once", logged)
		}
		if err := os.WriteFile(path, []byte(use+result), 0o600); err != nil {
			t.Fatal(err)
		}
		if log.over() != want {
			t.Errorf("%s: over %v", logged, !want)
		}
	}
}

// The lines of 2.1.330 for calls that ran, were denied, or were ended by the user, and those of an earlier version.
func TestClaudeEffect(t *testing.T) {
	for name, test := range map[string]struct{ failed, more, want string }{
		"allowed in the terminal":   {"false", `,"permissionDecision":{"decision":"accept","source":"user_temporary"}`, "allowed"},
		"allowed, and it failed":    {"true", `,"permissionDecision":{"decision":"accept","source":"hook"}`, "allowed"},
		"denied by the hook":        {"true", `,"permissionDecision":{"decision":"reject","source":"hook"},"toolDenialKind":"permission-rule"`, "denied"},
		"Esc before it ran":         {"true", `,"toolDenialKind":"user-rejected","toolDenialBeforeRun":true`, "denied"},
		"Esc while it ran":          {"true", `,"toolDenialKind":"user-rejected"`, "allowed"},
		"an earlier version":        {"false", ``, "allowed"},
		"unknown in an earlier one": {"true", ``, ""},
	} {
		line := `{"message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":` + test.failed + `}]}` + test.more + `}`
		if got := claudeEffect([]byte(line), "1"); string(got) != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if got := claudeEffect([]byte(line), "2"); got != "" {
			t.Errorf("%s: another call: %q", name, got)
		}
	}
}

// Of equal calls without a result it is unknown which one a hook belongs to, so no result counts as its own.
func TestEqualCallsConfirmNothing(t *testing.T) {
	use := func(id string) string {
		return `{"message":{"content":[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"ls"}}]}}` + "\n"
	}
	result := func(id string) string {
		return `{"message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `"}]}}` + "\n"
	}
	for name, test := range map[string]struct{ text, want string }{
		"one":           {use("1"), "1"},
		"two":           {use("1") + use("2"), ""},
		"one is closed": {use("1") + result("1") + use("2"), "2"},
		"none":          {"", ""},
	} {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &asking{call: &Call{approves: true, beside: true, log: followCall(path, "Bash", []byte(`{"command":"ls"}`))}}
		if a.send("q", nil); a.call.sent.Call != test.want {
			t.Errorf("%s: got %q, want %q", name, a.call.sent.Call, test.want)
		}
	}
}
