package connect

import (
	"bytes"
	"flag"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

var someObject = object{{"command", `C:\a`}, {"args", []any{"mcp"}}, {"n", 1}}

func TestSetAndRemove(t *testing.T) {
	for name, test := range map[string]struct {
		format
		at           path
		before, want string
	}{
		"nothing":              {jsonc{}, path{"a"}, "", "{\n  \"a\": 1\n}\n"},
		"white space":          {jsonc{}, path{"a"}, "\n", "{\n  \"a\": 1\n}\n"},
		"an empty object":      {jsonc{}, path{"a"}, "{}", "{\n  \"a\": 1\n}"},
		"with a comment":       {jsonc{}, path{"a"}, "{\n  // mine\n}", "{\n  // mine\n  \"a\": 1\n}"},
		"dense":                {jsonc{}, path{"a"}, `{"b":2}`, `{"b":2,"a": 1}`},
		"in one line":          {jsonc{}, path{"a"}, `{ "b": 2 }`, `{ "b": 2, "a": 1 }`},
		"tabs":                 {jsonc{}, path{"x", "a"}, "{\n\t\"x\": {\n\t\t\"b\": 2\n\t}\n}", "{\n\t\"x\": {\n\t\t\"b\": 2,\n\t\t\"a\": 1\n\t}\n}"},
		"a trailing comma":     {jsonc{}, path{"a"}, "{\n    \"b\": 2, // two\n}", "{\n    \"b\": 2, // two\n    \"a\": 1,\n}"},
		"a comment at the end": {jsonc{}, path{"a"}, "{\n  \"b\": 2 // two\n  // last\n}", "{\n  \"b\": 2, // two\n  // last\n  \"a\": 1\n}"},
		"CRLF":                 {jsonc{}, path{"x", "a"}, "{\r\n  \"b\": 2\r\n}\r\n", "{\r\n  \"b\": 2,\r\n  \"x\": {\r\n    \"a\": 1\r\n  }\r\n}\r\n"},
		"a byte order mark":    {jsonc{}, path{"a"}, "\ufeff{\"b\": 2}", "\ufeff{\"b\": 2, \"a\": 1}"},
		"a list":               {jsonc{}, path{"l", 1}, "{\"l\": [\n  {\"x\": 1}\n]}", "{\"l\": [\n  {\"x\": 1},\n  1\n]}"},
		"an empty list":        {jsonc{}, path{"l", 0}, "{\n  \"l\": []\n}", "{\n  \"l\": [\n    1\n  ]\n}"},
		"null":                 {jsonc{}, path{"x", "a"}, "{\"x\": null}", ""},
		"the last of its name": {jsonc{}, path{"x", "a"}, "{\"x\": {}, \"x\": {\"b\": 2}}", "{\"x\": {}, \"x\": {\"b\": 2, \"a\": 1}}"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := newDocument(test.format, []byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.put(test.at, 1); err != nil {
				t.Fatal(err)
			}
			if test.want != "" {
				equal(t, "set", string(d.text), test.want)
			}
			if err := d.take(test.at); err != nil {
				t.Fatal(err)
			}
			if got, _ := d.get(test.at); got != nil {
				t.Errorf("it is still there: %s", d.text)
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
		d, err := newDocument(jsonc{}, []byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.take(path{"x"}); err != nil {
			t.Errorf("%q: %v", before, err)
		}
		equal(t, before, string(d.text), want)
	}
}

func TestTOML(t *testing.T) {
	at := path{"mcp_servers", "followup"}
	const table = "[mcp_servers.followup]\ncommand = 'C:\\a'\nargs = [\"mcp\"]\nn = 1\n"
	for name, test := range map[string]struct{ before, want, after string }{
		"nothing":        {"", table, ""},
		"a line":         {"model = \"a\" # mine\n", "model = \"a\" # mine\n\n" + table, "model = \"a\" # mine\n"},
		"no end of line": {"model = 1", "model = 1\n\n" + table, "model = 1\n"},
		"another server": {"[mcp_servers.x]\ncommand = \"x\"\n", "[mcp_servers.x]\ncommand = \"x\"\n\n" + table, "[mcp_servers.x]\ncommand = \"x\"\n"},
		"an inline table": {
			"mcp_servers = { x = { command = \"x\" } } # all\n[a]\n",
			"mcp_servers = { x = { command = \"x\" }, followup = { command = 'C:\\a', args = [\"mcp\"], n = 1 } } # all\n[a]\n",
			"mcp_servers = { x = { command = \"x\" } } # all\n[a]\n",
		},
		"dotted":            {"mcp_servers.x.command = \"x\"\n", "mcp_servers.x.command = \"x\"\n\n" + table, "mcp_servers.x.command = \"x\"\n"},
		"not a number":      {"a = nan\n", "a = nan\n\n" + table, "a = nan\n"},
		"CRLF":              {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n"), "a = 1\r\n"},
		"a byte order mark": {"\ufeffa = 1\n", "\ufeffa = 1\n\n" + table, "\ufeffa = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := newDocument(tomlText{}, []byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.put(at, someObject); err != nil {
				t.Fatal(err)
			}
			equal(t, "set", string(d.text), test.want)
			if err := d.take(at); err != nil {
				t.Fatal(err)
			}
			equal(t, "removed", string(d.text), test.after)
		})
	}
}

func TestTOMLInTheMiddle(t *testing.T) {
	const before = "[a]\nx = 1\n\n# ours\n[mcp_servers.followup] # here\ncommand = \"old\" # c\nenabled = true\n\n" +
		"[mcp_servers.followup.env]\nA = \"1\"\n\n# of b\n[b]\ny = 2\n"
	d, err := newDocument(tomlText{}, []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range someObject {
		if err := d.put(path{"mcp_servers", "followup", field.name}, field.value); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "set", string(d.text), strings.Replace(strings.Replace(before, "\"old\"", "'C:\\a'", 1), "enabled = true\n", "enabled = true\nargs = [\"mcp\"]\nn = 1\n", 1))
	if err := d.take(path{"mcp_servers", "followup"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "removed", string(d.text), "[a]\nx = 1\n\n# ours\n\n# of b\n[b]\ny = 2\n")
}

// hollow is an object or a list with nothing in it but white space, which gives way to what is put there.
var hollow = regexp.MustCompile(`([\[{])\s+([}\]])`)

// contains tells whether all of a text stands in another one, in order.
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
		var in format = jsonc{}
		places := []path{{"mcpServers", "followup"}, {"hooks", "PreToolUse", 0}, {"hooks", 0}}
		if isTOML {
			in, places = tomlText{}, []path{{"mcp_servers", "followup"}}
		}
		for _, at := range places {
			d, err := newDocument(in, text)
			if err != nil {
				return
			}
			if list, ok := d.get(at[:len(at)-1]); ok && at[len(at)-1] == 0 {
				elements, _ := list.([]any)
				at[len(at)-1] = len(elements)
			}
			if _, there := d.get(at); there {
				continue
			}
			if err := d.put(at, someObject); err != nil {
				continue
			}
			if !contains(d.text, hollow.ReplaceAll(bytes.TrimSpace(text), []byte("$1$2"))) {
				t.Fatalf("something was lost:\n%q\n%q", text, d.text)
			}
			if err := d.take(at); err != nil {
				t.Fatalf("it cannot be taken out: %v\n%q", err, d.text)
			}
			for i := len(d.made) - 1; i >= 0; i-- {
				if err := d.take(d.made[i]); err != nil {
					t.Fatalf("what was made cannot be taken out: %v\n%q", err, d.text)
				}
			}
			got, want := unspaced(d.text), unspaced(text)
			wasEmpty := len(bytes.TrimPrefix(want, byteOrderMark)) == 0 && string(bytes.TrimPrefix(got, byteOrderMark)) == "{}"
			if !bytes.Equal(got, want) && !wasEmpty && !bytes.Contains(text, []byte("null")) {
				t.Fatalf("it is not as before:\n%q\n%q", text, d.text)
			}
		}
	})
}

func unspaced(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(spaces, r) {
			return -1
		}
		return r
	}, text)
}

// careless is a format that loses what stands beside what it sets.
type careless struct{ jsonc }

func (careless) set([]byte, path, any) ([]byte, error) { return []byte(`{"a": 1}`), nil }

func TestNothingElseMayChange(t *testing.T) {
	d, err := newDocument(careless{}, []byte(`{"b": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.put(path{"a"}, 1); err == nil || string(d.text) != `{"b": 2}` {
		t.Errorf("got %v, %s", err, d.text)
	}
}
