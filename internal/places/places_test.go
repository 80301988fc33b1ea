package places

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
)

// named returns the words of the places in a text.
func named(text string) (words []string) {
	units := utf16.Encode([]rune(text))
	for w := range scan(text) {
		words = append(words, string(utf16.Decode(units[w.place.Start:w.place.End])))
	}
	return words
}

func TestScan(t *testing.T) {
	for text, want := range map[string][]string{
		"see src/a.ts:12":                  {"src/a.ts:12"},
		"src/a.ts:12:5, then b.go:3-7.":    {"src/a.ts:12:5", "b.go:3-7"},
		"(in ./a/b.ts#L12-L20)":            {"./a/b.ts#L12-L20"},
		"a/b.ts#L7":                        {"a/b.ts#L7"},
		"src/x.ts(12,5): error TS2322":     {"src/x.ts(12,5)"},
		"app/(group)/[id]/page.tsx:4":      {"app/(group)/[id]/page.tsx:4"},
		"app/(1)/page.tsx:4":               {"app/(1)/page.tsx:4"},
		`C:\src\a.ts:9 and .\b.ts:1`:       {`C:\src\a.ts:9`, `.\b.ts:1`},
		"/home/me/x.c:1":                   {"/home/me/x.c:1"},
		"请看src/主页.ts:12。还有 主页/甲.ts:3处":     {"src/主页.ts:12", "主页/甲.ts:3"},
		"😀 a.ts:1 𝒳/b.ts:2":                {"a.ts:1", "𝒳/b.ts:2"},
		"Dockerfile:3 no; ./Dockerfile:3":  {"./Dockerfile:3"},
		"at 10:30, localhost:8080, 1.5:1":  {"1.5:1"},
		"https://a.example/b.ts:12 ftp":    nil,
		`//host/a.ts:1 and \\host\a.ts:1`:  nil,
		"a.ts:12abc a.ts:x a.ts: 12":       nil,
		"a.ts:12345678":                    nil,
		"a.ts:12:5x":                       {"a.ts:12"},
		"..:1 /:2 .ts:3":                   {".ts:3"},
		"":                                 nil,
		strings.Repeat("a", 300) + ".ts:1": nil,
	} {
		if diff := cmp.Diff(want, named(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]protocol.Place{
		"a.ts:3:7-9": {End: 10, Line: 3, Column: 7, EndLine: 9},
		"a.ts:9-3":   {End: 8, Line: 9},
		"a.ts(4,2)":  {End: 9, Line: 4, Column: 2},
		"a.ts#L4-L6": {End: 10, Line: 4, EndLine: 6},
	} {
		if diff := cmp.Diff(want, slices.Collect(scan(text))[0].place); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Places are parts of the text, in order, whatever the text is.
func TestScanAnything(t *testing.T) {
	pieces := []string{"a", "/", `\`, ".", ":", "1", "(", ")", "[", " ", "#L", "-", "主", "é", "C:", "..", "\n", "\u202e", "😀", "\xff"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(40) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		at, units := 0, len(utf16.Encode([]rune(text.String())))
		for w := range scan(text.String()) {
			if w.place.Start < at || w.place.End <= w.place.Start || w.place.End > units || w.path == "" || isShare(w.path) {
				t.Fatalf("%q: %+v", text.String(), w)
			}
			at = w.place.End
		}
	}
	for _, hostile := range []string{"a(", "a", "/", "a.", ":", "主", "(1"} {
		if found := slices.Collect(scan(strings.Repeat(hostile, 20_000))); found != nil {
			t.Errorf("%s: %d places", hostile, len(found))
		}
	}
}

func TestPathIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	const folder = "/home/me/project"
	for written, want := range map[string]string{
		"src/a.ts":                "/home/me/project/src/a.ts",
		"/home/me/project/a.ts":   "/home/me/project/a.ts",
		"src/../a.ts":             "/home/me/project/a.ts",
		"../other/a.ts":           "",
		"/etc/passwd":             "",
		"/home/me/project-old/a":  "",
		"..a.ts":                  "/home/me/project/..a.ts",
		".":                       "",
		"//host/share/a.ts":       "",
		"a.ts\x00.png":            "",
		`\\host\share\home\a.txt`: "",
	} {
		if got := pathIn(folder, written); got != want {
			t.Errorf("%q leads to %q, want %q", written, got, want)
		}
	}
}

// Find resolves symbolic links, and only finds files.
func TestFind(t *testing.T) {
	scratch := t.TempDir()
	project, other, linked := filepath.Join(scratch, "project"), filepath.Join(scratch, "other"), filepath.Join(scratch, "linked")
	for _, folder := range []string{filepath.Join(project, "src"), other} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(project, "src", "a.ts"), filepath.Join(other, "secret.ts")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for to, name := range map[string]string{
		other: filepath.Join(project, "out"), filepath.Join(other, "secret.ts"): filepath.Join(project, "secret.ts"),
		filepath.Join(project, "src"): filepath.Join(project, "in"), "loop": filepath.Join(project, "loop.ts"), project: linked,
	} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct {
		folder, written, want string
	}{
		{project, "src/a.ts:1", filepath.Join(project, "src", "a.ts")},
		{project, "in/a.ts:1", filepath.Join(project, "in", "a.ts")},
		{linked, "src/a.ts:1", filepath.Join(linked, "src", "a.ts")},
		{project, "out/secret.ts:1", ""}, {project, "secret.ts:1", ""}, {project, "./src:1", ""}, {project, "loop.ts:1", ""},
		{project, "none.ts:1", ""}, {project, "../other/secret.ts:1", ""},
	} {
		got := ""
		for _, place := range Find([]string{"none", test.written}, []string{test.folder}) {
			got = place.File
			if place.Text != 1 {
				t.Errorf("it is in text %d", place.Text)
			}
		}
		if got != test.want {
			t.Errorf("%s in %s is %q, want %q", test.written, test.folder, got, test.want)
		}
	}
	if found := Find([]string{"src/a.ts:1"}, []string{other, project}); len(found) != 1 {
		t.Errorf("in the second folder: %+v", found)
	}
	if found := Find([]string{strings.Repeat("src/a.ts:1 ", 1000)}, []string{project}); len(found) != maxPlaces {
		t.Errorf("found %d", len(found))
	}
	if found := Find([]string{"src/a.ts:1"}, nil); len(found) != 0 {
		t.Errorf("without a folder: %+v", found)
	}
}

// Each rune of a text is read once, however many paths may begin before it, and a text without places takes no memory.
func TestCost(t *testing.T) {
	for _, hostile := range []string{"@()", "a(", "(1)", "(1,2)", "a:", "C:\\", "(@[", "a(1"} {
		text := "(1,2)" + strings.Repeat(hostile, maxText/len(hostile))
		w, read := window{text: text}, 0
		for at := range text {
			if isPathRune(rune(text[at])) {
				w.longest(at)
				if w.to < read {
					t.Fatalf("%s: at %d it reads from %d again, after %d", hostile, at, w.to, read)
				}
				read = w.to
			}
		}
		if allocations := testing.AllocsPerRun(1, func() {
			for range scan(text) {
				break
			}
		}); allocations > 20 {
			t.Errorf("%s: %v allocations", hostile, allocations)
		}
	}
	if found := Find([]string{strings.Repeat("a.ts:1 ", 2*maxPlaces), "b.ts:1"}, nil); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}
