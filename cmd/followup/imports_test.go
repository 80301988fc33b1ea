package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
)

// rooms lists the module's packages that each package may import, as in docs/architecture.md.
var rooms = map[string][]string{
	"cmd/followup":                    {"internal/server", "internal/dialect", "internal/locale", "internal/question", "internal/session", "internal/archive", "internal/bounded", "internal/connect", "internal/desktop", "internal/hook", "internal/httpapi", "internal/hub", "internal/hubclient", "internal/imagefile", "internal/importing", "internal/inboxclient", "internal/keeper", "internal/manpage", "internal/mcp", "internal/notice", "internal/person", "internal/protocol", "internal/push", "internal/reach", "internal/relay", "internal/rpc", "internal/secretfile", "internal/store", "internal/store/postgres", "internal/store/sqlite", "internal/subject", "internal/terminal", "internal/transcript", "internal/web", "internal/webhook", "internal/program"},
	"internal/bench":                  {"internal/dialect", "internal/hub", "internal/hubclient", "internal/keeper", "internal/locale", "internal/persistence", "internal/protocol", "internal/question", "internal/rpc", "internal/server", "internal/store", "internal/store/sqlstore", "internal/store/postgres", "internal/store/postgres/cluster", "internal/store/sqlite"},
	"internal/bench/echo":             {},
	"internal/bench/hello":            {},
	"internal/archive":                {"internal/atomicfile", "internal/dialect", "internal/locale", "internal/markdown", "internal/protocol", "internal/question", "internal/store", "internal/subject"},
	"internal/importing":              {"internal/archive", "internal/dialect", "internal/locale", "internal/protocol", "internal/question", "internal/store", "internal/transcript"},
	"internal/server":                 {"internal/archive", "internal/background", "internal/conversation", "internal/history", "internal/hubclient", "internal/importing", "internal/inbox", "internal/locale", "internal/notice", "internal/persistence", "internal/places", "internal/protocol", "internal/push", "internal/question", "internal/relay", "internal/rpc", "internal/session", "internal/store", "internal/webhook"},
	"internal/conversation":           {"internal/background", "internal/bounded", "internal/dialect", "internal/locale", "internal/protocol", "internal/question", "internal/session"},
	"internal/persistence":            {"internal/archive", "internal/background", "internal/conversation", "internal/locale", "internal/protocol", "internal/question", "internal/session", "internal/store"},
	"internal/inbox":                  {"internal/archive", "internal/conversation", "internal/protocol", "internal/render"},
	"internal/notice":                 {"internal/markdown", "internal/protocol", "internal/subject"},
	"internal/desktop":                {},
	"internal/history":                {"internal/archive", "internal/importing", "internal/locale", "internal/markdown", "internal/protocol", "internal/render", "internal/store", "internal/store/words", "internal/transcript"},
	"internal/render":                 {"internal/markdown", "internal/protocol", "internal/subject"},
	"internal/background":             {},
	"internal/bounded":                {},
	"internal/imagefile":              {},
	"internal/manpage":                {},
	"internal/mcp":                    {"internal/imagefile", "internal/locale", "internal/protocol", "internal/rpc"},
	"internal/hook":                   {"internal/dialect", "internal/imagefile", "internal/locale", "internal/protocol", "internal/question", "internal/rpc", "internal/subject"},
	"internal/person":                 {},
	"internal/places":                 {"internal/protocol"},
	"internal/rpc":                    {"internal/bounded", "internal/protocol"},
	"internal/rpctest":                {"internal/relay", "internal/rpc", "internal/server", "internal/protocol", "internal/store", "internal/store/sqlite", "internal/waits"},
	"internal/waits":                  {},
	"internal/inboxclient":            {"internal/protocol", "internal/rpc"},
	"internal/form":                   {"internal/archive", "internal/locale", "internal/protocol", "internal/subject"},
	"internal/terminal":               {"internal/archive", "internal/form", "internal/inboxclient", "internal/locale", "internal/markdown", "internal/protocol", "internal/rpc", "internal/subject"},
	"internal/connect":                {"internal/atomicfile", "internal/locale", "internal/program"},
	"internal/program":                {"internal/atomicfile"},
	"internal/atomicfile":             {},
	"internal/dialect":                {"internal/question", "internal/toolcall", "internal/locale"},
	"internal/subject":                {"internal/protocol"},
	"internal/session":                {"internal/question", "internal/toolcall"},
	"internal/store":                  {"internal/question"},
	"internal/store/sqlstore":         {"internal/question", "internal/store", "internal/store/words"},
	"internal/store/sqlite":           {"internal/store", "internal/store/sqlstore"},
	"internal/store/words":            {},
	"internal/store/postgres":         {"internal/store", "internal/store/sqlstore"},
	"internal/store/postgres/cluster": {},
	"internal/store/storetest":        {"internal/question", "internal/store"},
	"internal/transcript":             {"internal/dialect", "internal/locale", "internal/protocol", "internal/question"},
	"internal/protocol":               {"internal/question"},
	"internal/protocol/gen":           {},
	"internal/toolcall":               {},
	"internal/question":               {},
	"internal/locale":                 {},
	"internal/markdown":               {"internal/protocol"},
	"internal/relay":                  {"internal/protocol", "internal/rpc"},
	"internal/reach":                  {"internal/program", "internal/hubclient", "internal/importing", "internal/keeper", "internal/locale", "internal/person", "internal/protocol", "internal/relay", "internal/rpc", "internal/server", "internal/store"},
	"internal/keeper":                 {"internal/atomicfile", "internal/program", "internal/protocol", "internal/relay", "internal/rpc", "internal/server"},
	"internal/hubclient":              {"internal/archive", "internal/locale", "internal/protocol", "internal/relay", "internal/rpc", "internal/secretfile"},
	"internal/hub":                    {"internal/hubclient", "internal/locale", "internal/protocol", "internal/push", "internal/rpc", "internal/server", "internal/store", "internal/web", "internal/webhook"},
	"internal/web":                    {"internal/atomicfile", "internal/locale", "internal/protocol", "internal/rpc"},
	"internal/httpapi":                {"internal/archive", "internal/bounded", "internal/protocol", "internal/question", "internal/rpc", "internal/secretfile", "internal/web", "internal/webhook"},
	"internal/secretfile":             {},
	"internal/webhook":                {},
	"internal/push":                   {"internal/background", "internal/bounded", "internal/locale", "internal/notice", "internal/protocol", "internal/store", "internal/webhook"},
	"internal/push/pushtest":          {},
}

// pure packages only compute values from bytes or events, without access to the outside world.
var pure = []string{"internal/toolcall", "internal/question", "internal/session"}

// impure lists what a pure package must not import.
var impure = []string{"os", "io/fs", "net", "net/http", "log", "time", "go.uber.org/zap", "github.com/sourcegraph/jsonrpc2", "github.com/sourcegraph/go-lsp"}

// testOnly packages are imported by tests and benchmarks only.
var testOnly = []string{"internal/rpctest", "internal/store/postgres/cluster", "internal/store/storetest", "internal/push/pushtest"}

// ours is the prefix of the module's own packages, whatever the module's path is.
var ours = strings.TrimSuffix(reflect.TypeFor[protocol.None]().PkgPath(), "internal/protocol")

func TestImportsRunOneWay(t *testing.T) {
	command := exec.Command("go", "list", "-json=ImportPath,Imports", ours+"...")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var found struct {
			ImportPath string
			Imports    []string
		}
		err := decoder.Decode(&found)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		seen++
		name := strings.TrimPrefix(found.ImportPath, ours)
		for _, problem := range broken(name, found.Imports) {
			t.Error(problem)
		}
	}
	if seen < len(rooms)-1 {
		t.Errorf("go list found only %d packages", seen)
	}
}

// broken returns the violations in a package's imports.
func broken(name string, imports []string) []string {
	allowed, known := rooms[name]
	if !known {
		return []string{name + " is a new room: say in this test, and in docs/architecture.md, what it may import"}
	}
	var problems []string
	for _, path := range imports {
		room, isOurs := strings.CutPrefix(path, ours)
		switch {
		case isOurs && !slices.Contains(allowed, room):
			problems = append(problems, name+" imports "+room+", which it must not")
		case isOurs && slices.Contains(testOnly, room) && name != "internal/bench":
			problems = append(problems, name+" imports "+room+" outside a test")
		case slices.Contains(pure, name) && slices.Contains(impure, path):
			problems = append(problems, name+" is pure and must not import "+path)
		}
	}
	return problems
}

// The check itself detects violations.
func TestBrokenImportsAreFound(t *testing.T) {
	tests := []struct {
		name, path string
		want       int
	}{
		{"internal/protocol", ours + "internal/server", 1},
		{"internal/session", ours + "internal/protocol", 1},
		{"internal/session", "go.uber.org/zap", 1},
		{"internal/question", "os", 1},
		{"internal/unheard", "fmt", 1},
		{"internal/server", ours + "internal/rpc", 0},
		{"internal/session", "fmt", 0},
	}
	for _, test := range tests {
		if got := broken(test.name, []string{test.path}); len(got) != test.want {
			t.Errorf("%s → %s: got %q, want %d problems", test.name, test.path, got, test.want)
		}
	}
}
