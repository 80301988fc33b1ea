package protocol

import "testing"

// The URIs are those of VS Code's Uri.file(path).toString() on the system that has such paths. A verbatim path has the same URI
// as without its prefix.
func TestFolderOf(t *testing.T) {
	for path, want := range map[string]WorkspaceFolder{
		"/project":                     {URI: "file:///project", Name: "project"},
		"/home/me/":                    {URI: "file:///home/me", Name: "me"},
		"/":                            {URI: "file:///", Name: "/"},
		"/a b/c++ (1)/d@e,f;g=h&i'j!*": {URI: "file:///a%20b/c%2B%2B%20%281%29/d%40e%2Cf%3Bg%3Dh%26i%27j%21%2A", Name: "d@e,f;g=h&i'j!*"},
		"/100%/é/中-_.~":                {URI: "file:///100%25/%C3%A9/%E4%B8%AD-_.~", Name: "中-_.~"},
		`/a\b:c`:                       {URI: "file:///a%5Cb%3Ac", Name: `a\b:c`},
		`C:\Users\R&D\it's`:            {URI: "file:///c%3A/Users/R%26D/it%27s", Name: "it's"},
		"d:/x":                         {URI: "file:///d%3A/x", Name: "x"},
		`C:\`:                          {URI: "file:///c%3A/", Name: "c:"},
		`\\Server\Share\a b`:           {URI: "file://server/Share/a%20b", Name: "a b"},
		`\\wsl$\Ubuntu\home`:           {URI: "file://wsl%24/Ubuntu/home", Name: "home"},
		`\\?\C:\a`:                     {URI: "file:///c%3A/a", Name: "a"},
		`\\?\UNC\Server\Share`:         {URI: "file://server/Share", Name: "Share"},
		`\\?x\a`:                       {URI: "file://%3Fx/a", Name: "a"},
	} {
		if got := FolderOf(path); got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
		if back := PathOf(string(want.URI)); FolderOf(back) != want {
			t.Errorf("%s: its path is %s", want.URI, back)
		}
	}
}

// The path has the form of the system that wrote the URI, on every system.
func TestPathOf(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///home/a%20b":             "/home/a b",
		"file:///c%3A/Users/a%20b":       `c:\Users\a b`,
		"file:///C:/Users":               `C:\Users`,
		"file:///c%3A":                   `c:`,
		"file://server/Share/a":          `\\server\Share\a`,
		"file:///%zz":                    "file:///%zz",
		"vscode-remote://wsl%2Bdebian/w": "vscode-remote://wsl%2Bdebian/w",
		"/already/a path%20":             "/already/a path%20",
		"":                               "",
	} {
		if got := PathOf(uri); got != want {
			t.Errorf("%s: got %s, want %s", uri, got, want)
		}
	}
}
