package connect

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"followup/internal/locale"
)

var update = flag.Bool("update", false, "rewrite testdata")

var someObject = object{"command": `C:\a`, "args": []any{"mcp"}, "n": int64(1)}

func TestSetAndRemove(t *testing.T) {
	for name, test := range map[string]struct {
		at           path
		before, want string
	}{
		"nothing":              {path{"a"}, "", "{\n  \"a\": 1\n}\n"},
		"white space":          {path{"a"}, "\n", "{\n  \"a\": 1\n}\n"},
		"an empty object":      {path{"a"}, "{}", "{\n  \"a\": 1\n}"},
		"with a comment":       {path{"a"}, "{\n  // mine\n}", "{\n  // mine\n  \"a\": 1\n}"},
		"dense":                {path{"a"}, `{"b":2}`, `{"b":2,"a": 1}`},
		"in one line":          {path{"a"}, `{ "b": 2 }`, `{ "b": 2, "a": 1 }`},
		"tabs":                 {path{"x", "a"}, "{\n\t\"x\": {\n\t\t\"b\": 2\n\t}\n}", "{\n\t\"x\": {\n\t\t\"b\": 2,\n\t\t\"a\": 1\n\t}\n}"},
		"a trailing comma":     {path{"a"}, "{\n    \"b\": 2, // two\n}", "{\n    \"b\": 2, // two\n    \"a\": 1,\n}"},
		"a comment at the end": {path{"a"}, "{\n  \"b\": 2 // two\n  // last\n}", "{\n  \"b\": 2, // two\n  // last\n  \"a\": 1\n}"},
		"CRLF":                 {path{"x", "a"}, "{\r\n  \"b\": 2\r\n}\r\n", "{\r\n  \"b\": 2,\r\n  \"x\": {\r\n    \"a\": 1\r\n  }\r\n}\r\n"},
		"a byte order mark":    {path{"a"}, "\ufeff{\"b\": 2}", "\ufeff{\"b\": 2, \"a\": 1}"},
		"a list":               {path{"l"}, "{\"l\": [\n  {\"x\": 1}\n]}", "{\"l\": [\n  {\"x\": 1},\n  1\n]}"},
		"an empty list":        {path{"l"}, "{\n  \"l\": []\n}", "{\n  \"l\": [\n    1\n  ]\n}"},
		"null":                 {path{"x", "a"}, "{\"x\": null}", ""},
		"a duplicate member":   {path{"x", "a"}, "{\"x\": {}, \"x\": {\"b\": 2}}", "{\"x\": {}, \"x\": {\"b\": 2, \"a\": 1}}"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := parse("a.json", []byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			list, isList := test.at.in(d.values)
			if elements, _ := list.([]any); isList {
				test.at.set(d.values, append(elements, int64(1)))
			} else {
				test.at.set(d.values, int64(1))
			}
			text, err := d.text()
			if err != nil {
				t.Fatal(err)
			}
			if test.want != "" {
				equal(t, "set", string(text), test.want)
			}
			again, err := parse("a.json", text)
			if err != nil || !same(again.values, d.values) {
				t.Errorf("%v: it means %v, not %v", err, again.values, d.values)
			}
			test.at.restore(again.values, nil)
			removed, err := again.text()
			if err != nil {
				t.Fatal(err)
			}
			if last, err := parse("a.json", removed); err != nil || !same(last.values, again.values) {
				t.Errorf("%v: left is %s", err, removed)
			}
		})
	}
}

// The comments before and after a removed member are kept, and the text keeps its meaning.
func TestRemoveAmongComments(t *testing.T) {
	for before, want := range map[string]string{
		"{ // c\n \"x\": 1, \"y\": 2}":                "{ // c\n  \"y\": 2}",
		"{\"x\": 1 /* one */, \"y\": 2}":              "{ /* one */ \"y\": 2}",
		"{\n  \"y\": 2, // two\n  \"x\": 1 // one\n}": "{\n  \"y\": 2 // two\n   // one\n}",
		"{\n  \"y\": 2,\n  \"x\": 1,\n}":              "{\n  \"y\": 2,\n}",
		"{\"x\":1}":                                   "{}",
		"{\n  // mine\n  \"x\": 1\n}":                 "{\n  // mine\n}",
	} {
		d, err := parse("a.json", []byte(before))
		if err != nil {
			t.Fatal(err)
		}
		delete(d.values, "x")
		text, err := d.text()
		if err != nil {
			t.Errorf("%q: %v", before, err)
		}
		equal(t, before, string(text), want)
	}
}

func TestTOML(t *testing.T) {
	const block = tomlBegin + "\n[mcp_servers.followup]\ncommand = 'C:\\a'\nargs = ['mcp']\nn = 1\n" + tomlEnd + "\n"
	for name, test := range map[string]struct{ before, want, after string }{
		"nothing":           {"", block, ""},
		"a line":            {"model = \"a\" # mine\n", "model = \"a\" # mine\n\n" + block, "model = \"a\" # mine\n"},
		"no end of line":    {"model = 1", "model = 1\n\n" + block, "model = 1\n"},
		"another server":    {"[mcp_servers.x]\ncommand = \"x\"\n", "[mcp_servers.x]\ncommand = \"x\"\n\n" + block, "[mcp_servers.x]\ncommand = \"x\"\n"},
		"dotted":            {"mcp_servers.x.command = \"x\"\n", "mcp_servers.x.command = \"x\"\n\n" + block, "mcp_servers.x.command = \"x\"\n"},
		"not a number":      {"a = nan\n", "a = nan\n\n" + block, "a = nan\n"},
		"CRLF":              {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(block, "\n", "\r\n"), "a = 1\r\n"},
		"a byte order mark": {"\ufeffa = 1\n", "\ufeffa = 1\n\n" + block, "\ufeffa = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			set := edited(t, test.before, someObject)
			equal(t, "set", set, test.want)
			equal(t, "removed", edited(t, set, nil), test.after)
		})
	}
}

// edited returns Codex's configuration with another table of Followup's, or without one.
func edited(t *testing.T, before string, fields object) string {
	t.Helper()
	d, err := parse("config.toml", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if fields == nil {
		codexServer.restore(d.values, nil)
	} else {
		codexServer.set(d.values, fields)
	}
	text, err := d.text()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Lines that the user and Codex add to the block and below its table are kept while connect changes its own keys, and are removed
// with the table. Other tables between its comments are kept.
func TestTOMLInTheMiddle(t *testing.T) {
	const before = "[a]\nx = 1\n\n# mine\n" + tomlBegin + "\n[mcp_servers.followup] # here\ncommand = \"old\"\nenabled = true # yes\n\n" +
		"[mcp_servers.followup.env]\ncommand = \"1\"\n\n[c]\nz = 3\n" + tomlEnd + "\n\n[mcp_servers.followup.tools.ask]\napproval_mode = \"approve\"\n\n# of b\n[b]\ny = 2\n"
	d, err := parse("config.toml", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	value, _ := codexServer.in(d.values)
	fields := maps.Clone(value.(object))
	maps.Copy(fields, someObject)
	want := strings.Replace(strings.Replace(before, "\"old\"", "'C:\\a'", 1), "# here\n", "# here\nargs = ['mcp']\nn = 1\n", 1)
	equal(t, "set", edited(t, before, fields), want)
	equal(t, "removed", edited(t, want, nil), "[a]\nx = 1\n\n# mine\n\n[c]\nz = 3\n\n# of b\n[b]\ny = 2\n")
}

// A server of the same name that does not start Followup is the user's own. Unless it is a table of its own, only the user can change it.
func TestTOMLForeign(t *testing.T) {
	for text, want := range map[string]struct {
		foreign int // the line of the user's entry
		shape   int
	}{
		"": {},
		"a = 1\n[mcp_servers.other]\ncommand = 1":                                                {},
		"a = 1\n[mcp_servers.followup]\nx = 1":                                                   {foreign: 2},
		"a = 1\n\n[ mcp_servers . 'followup'.env ]\nx = 1":                                       {foreign: 3},
		"a = 1\n[mcp_servers]\nb.c = 1\nfollowup = { x = 1 }":                                    {4, 4},
		"mcp_servers.followup.x = 1\n":                                                           {1, 1},
		"a = 1\nmcp_servers = { followup = { x = 1 } }":                                          {2, 2},
		"a = 1\nmcp_servers = { other = { x = 1 } }":                                             {shape: 2},
		"[mcp_servers.followup.x]\na = 1\n" + tomlBegin + "\n[mcp_servers.followup]\n" + tomlEnd: {foreign: 1},
	} {
		m, a := machine(t), agent(t, "codex")
		name := filepath.Join(m.Home, ".codex", "config.toml")
		write(t, name, text)
		shape := locale.Refuse(notShaped, fmt.Sprintf("%s:%d", name, want.shape), codexServer)
		_, err := m.Plan(a, false)
		switch {
		case want.foreign > 0:
			refused(t, err, locale.Refuse(notOurs, fmt.Sprintf("%s:%d", name, want.foreign), codexServer))
		case want.shape > 0:
			refused(t, err, shape)
		case err != nil:
			t.Errorf("%q: got %v", text, err)
		}
		if _, err = m.Plan(a, true); want.shape > 0 {
			refused(t, err, shape)
		} else if err != nil {
			t.Errorf("%q: replaced, got %v", text, err)
		}
	}
}

// hollow is an object or a list that contains only white space, which an insertion replaces.
var hollow = regexp.MustCompile(`([\[{])\s+([}\]])`)

// contains reports whether a text has all bytes of another one, in order.
func contains(text, part []byte) bool {
	for _, b := range text {
		if len(part) > 0 && b == part[0] {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// Foreign content is kept byte for byte: adding only adds, and removing restores the text except for white space.
func FuzzKept(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\n\t\"mcpServers\": {\n\t\t\"x\": {}, // x\n\t},\n}", "{\"mcpServers\":{\"x\":{}}}", "{/*a*/\"hooks\"/*b*/:/*c*/[1,2,]/*d*/}//e",
		"{\"a\":\"\\u00e9\",\r\n\"mcpServers\":{}\r\n}", "\ufeff{ }", "{\"mcpServers\":{},\"mcpServers\":{\"y\":1}}", "{\"hooks\":[{\"a\":[]} // x\n]}",
		"{\"hooks\":[ // none\n]}", "{\"hooks\": [1 /* one */ , /* two */ 2 /* three */]}",
	} {
		f.Add([]byte(seed), false)
	}
	for _, seed := range []string{
		"", "a = 1", "[mcp_servers]\n", "[mcp_servers.x]\na = 1\n[[b]]\nc = 2", "mcp_servers = {}\n", "mcp_servers = { x = { a = 1 } } # y\n", "mcp_servers.x.y = '''\n[z]\n'''\n",
		"# c\r\n[ \"a b\" . c ]\r\nd = [\r\n1, # e\r\n]\r\n", "hooks = [1]\n", "\"mcp_servers\".x = {a.b = 1}\n",
	} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, isTOML bool) {
		name, places := "a.json", []path{{"mcpServers", "followup"}, {"hooks", "PreToolUse"}, {"hooks"}}
		if isTOML {
			name, places = "a.toml", []path{codexServer}
		}
		for _, at := range places {
			d, err := parse(name, text)
			if err != nil {
				return
			}
			before, _ := parse(name, text)
			unchanged, err := d.text()
			if equal(t, "unchanged", string(unchanged), string(text)); err != nil || t.Failed() {
				t.Fatal(err)
			}
			there, _ := at.in(d.values)
			elements, isList := there.([]any)
			switch parent, _ := at[:len(at)-1].in(d.values); {
			case isList:
				at.set(d.values, append(slices.Clone(elements), someObject))
			case there != nil || parent != nil && !isComposite(parent):
				continue
			default:
				if _, isList := parent.([]any); isList {
					continue
				}
				at.set(d.values, someObject)
			}
			set, err := d.text()
			if err != nil {
				if !strings.Contains(err.Error(), "has an unexpected type") {
					t.Fatalf("it cannot be set: %v\n%q", err, text)
				}
				continue
			}
			if !contains(set, hollow.ReplaceAll(bytes.TrimSpace(text), []byte("$1$2"))) && !bytes.Contains(text, []byte("null")) {
				t.Fatalf("something was lost:\n%q\n%q", text, set)
			}
			again, err := parse(name, set)
			if err != nil {
				t.Fatalf("invalid after adding: %v\n%q", err, set)
			}
			if !same(again.values, d.values) && !bytes.Contains(text, []byte("nan")) {
				t.Fatalf("it is not there: %q", set)
			}
			again.values = before.values
			removed, err := again.text()
			if err != nil {
				t.Fatalf("cannot remove it: %v\n%q", err, set)
			}
			want := unspaced(text)
			if mark, ok := bytes.CutSuffix(want, []byte("\ufeff")); !isTOML && (ok || len(want) == 0) && len(mark) == 0 {
				want = append(want, "{}"...) // as an empty text becomes
			}
			if got := unspaced(removed); !bytes.Equal(got, want) {
				t.Fatalf("it is not as before:\n%q\n%q", text, removed)
			}
		}
	})
}

func unspaced(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, text)
}
