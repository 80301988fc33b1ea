package connect

import (
	"bytes"
	"errors"
	"flag"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

var someObject = object{{"command", `C:\a`}, {"args", []any{"mcp"}}, {"n", 1}}

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
		"a list":               {path{"l", 1}, "{\"l\": [\n  {\"x\": 1}\n]}", "{\"l\": [\n  {\"x\": 1},\n  1\n]}"},
		"an empty list":        {path{"l", 0}, "{\n  \"l\": []\n}", "{\n  \"l\": [\n    1\n  ]\n}"},
		"null":                 {path{"x", "a"}, "{\"x\": null}", ""},
		"the last of its name": {path{"x", "a"}, "{\"x\": {}, \"x\": {\"b\": 2}}", "{\"x\": {}, \"x\": {\"b\": 2, \"a\": 1}}"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := parseJSON([]byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.put(test.at, 1); err != nil {
				t.Fatal(err)
			}
			if test.want != "" {
				equal(t, "set", string(d.text()), test.want)
			}
			if err := d.take(test.at); err != nil {
				t.Fatal(err)
			}
			if got, _ := d.get(test.at); got != nil {
				t.Errorf("it is still there: %s", d.text())
			}
		})
	}
}

// What is before and behind what is removed stays, and means the same.
func TestRemoveAmongComments(t *testing.T) {
	for before, want := range map[string]string{
		"{ // c\n \"x\": 1, \"y\": 2}":                "{ // c\n  \"y\": 2}",
		"{\"x\": 1 /* one */, \"y\": 2}":              "{ /* one */ \"y\": 2}",
		"{\n  \"y\": 2, // two\n  \"x\": 1 // one\n}": "{\n  \"y\": 2 // two\n   // one\n}",
		"{\n  \"y\": 2,\n  \"x\": 1,\n}":              "{\n  \"y\": 2,\n}",
		"{\"x\":1}":                                   "{}",
		"{\n  // mine\n  \"x\": 1\n}":                 "{\n  // mine\n}",
	} {
		d, err := parseJSON([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.take(path{"x"}); err != nil {
			t.Errorf("%q: %v", before, err)
		}
		equal(t, before, string(d.text()), want)
	}
}

func TestTOML(t *testing.T) {
	at := path{"mcp_servers", "followup"}
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
			d, err := parseTOML([]byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.put(at, someObject); err != nil {
				t.Fatal(err)
			}
			equal(t, "set", string(d.text()), test.want)
			if err := d.take(at); err != nil {
				t.Fatal(err)
			}
			equal(t, "removed", string(d.text()), test.after)
		})
	}
}

// What the user and Codex write into the block and below its table stays while connect changes its own keys, and goes with the table.
func TestTOMLInTheMiddle(t *testing.T) {
	const before = "[a]\nx = 1\n\n# mine\n" + tomlBegin + "\n[mcp_servers.followup] # here\ncommand = \"old\"\nenabled = true # yes\n\n" +
		"[mcp_servers.followup.env]\nA = \"1\"\n" + tomlEnd + "\n\n[mcp_servers.followup.tools.ask]\napproval_mode = \"approve\"\n\n# of b\n[b]\ny = 2\n"
	d, err := parseTOML([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.foreign(path{"mcp_servers", "followup"}); err != nil {
		t.Errorf("it is taken for the user's own: %v", err)
	}
	for _, field := range someObject {
		if err := d.put(path{"mcp_servers", "followup", field.name}, field.value); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "set", string(d.text()), strings.Replace(strings.Replace(before, "\"old\"", "'C:\\a'", 1), "# here\n", "# here\nn = 1\nargs = ['mcp']\n", 1))
	if err := d.take(path{"mcp_servers", "followup"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "removed", string(d.text()), "[a]\nx = 1\n\n# mine\n\n# of b\n[b]\ny = 2\n")
}

// A key of the user's below connect's table is not taken for connect's own.
func TestTOMLKeyOfAnotherTable(t *testing.T) {
	d, err := parseTOML([]byte(tomlBegin + "\n[mcp_servers.followup]\n[mcp_servers.followup.env]\ncommand = \"mine\"\n" + tomlEnd + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.put(path{"mcp_servers", "followup", "command"}, "ours"); !errors.As(err, new(*ShapeError)) {
		t.Errorf("got %v, and %s", err, d.text())
	}
}

// A server of the same name that is not in connect's block is the user's own. One that is not a table of its own can only be changed by hand.
func TestTOMLForeign(t *testing.T) {
	const name = "mcp_servers.followup"
	for text, want := range map[string]error{
		"": nil,
		"a = 1\n[mcp_servers.other]\ncommand = 1":                                                nil,
		"a = 1\n[mcp_servers.followup]\nx = 1":                                                   &ForeignError{name, 2},
		"a = 1\n\n[ mcp_servers . 'followup'.env ]\nx = 1":                                       &ForeignError{name, 3},
		"a = 1\n[mcp_servers]\nb.c = 1\nfollowup = { x = 1 }":                                    &ShapeError{name, 4},
		"mcp_servers.followup.x = 1\n":                                                           &ShapeError{name, 1},
		"a = 1\nmcp_servers = { followup = { x = 1 } }":                                          &ShapeError{name, 2},
		"a = 1\nmcp_servers = { other = { x = 1 } }":                                             &ShapeError{name, 2},
		tomlBegin + "\n[mcp_servers.followup]\n" + tomlEnd + "\n[mcp_servers.followup.x]\na = 1": nil,
		"[mcp_servers.followup.x]\na = 1\n" + tomlBegin + "\n[mcp_servers.followup]\n" + tomlEnd: &ForeignError{name, 1},
	} {
		d, err := parseTOML([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := d.foreign(path{"mcp_servers", "followup"}); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, want %#v", text, got, want)
		}
	}
}

// hollow is an object or a list with nothing in it but white space, which gives way to what is put there.
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

// What is not ours is kept byte for byte: adding only adds, and removing what was added leaves the same but for white space.
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
		in, places := parseJSON, []path{{"mcpServers", "followup"}, {"hooks", "PreToolUse", 0}, {"hooks", 0}}
		if isTOML {
			in, places = parseTOML, []path{{"mcp_servers", "followup"}}
		}
		for _, at := range places {
			d, err := in(text)
			if err != nil {
				return
			}
			if equal(t, "unchanged", string(d.text()), string(text)); t.Failed() {
				return
			}
			before, _ := in(text)
			if list, ok := d.get(at[:len(at)-1]); ok && at[len(at)-1] == 0 {
				elements, _ := list.([]any)
				at[len(at)-1] = len(elements)
			}
			if _, there := d.get(at); there || d.foreign(at) != nil {
				continue
			}
			if err := d.put(at, someObject); err != nil {
				continue
			}
			if !contains(d.text(), hollow.ReplaceAll(bytes.TrimSpace(text), []byte("$1$2"))) && !bytes.Contains(text, []byte("null")) {
				t.Fatalf("something was lost:\n%q\n%q", text, d.text())
			}
			if again, err := in(d.text()); err != nil {
				t.Fatalf("it cannot be read any more: %v\n%q", err, d.text())
			} else if got, _ := again.get(at.to("command")); got != `C:\a` {
				t.Fatalf("it is not there: %q", d.text())
			}
			if err := d.take(at); err != nil {
				t.Fatalf("it cannot be taken out: %v\n%q", err, d.text())
			}
			if err := (Machine{}).takeEmpty(d, part{pieces: []piece{{at: at[:len(at)-1]}}}, before); err != nil {
				t.Fatalf("its containers cannot be taken out: %v\n%q", err, d.text())
			}
			if got, want := unspaced(d.text()), unspaced(text); !bytes.Equal(got, want) {
				t.Fatalf("it is not as before:\n%q\n%q", text, d.text())
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
