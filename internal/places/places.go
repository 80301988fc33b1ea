// Package places finds the places in files that a text names, such as src/main.ts:12, and tells which of them are in some folders. Outside
// of these nothing is looked at.
package places

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"followup/internal/protocol"
)

// Bounds of what is looked for. A longer text, or path, names none.
const (
	maxPlaces = 200
	maxPath   = 260       // in runes
	maxText   = 256 << 10 // in bytes
)

// Find returns the places that texts name, in their order, of files that are in one of the folders.
func Find(texts, folders []string) []protocol.Place {
	found := []protocol.Place{}
	files, looked := map[string]string{}, 0
	for i, text := range texts {
		if len(text) > maxText {
			continue
		}
		for _, w := range scan(text) {
			if looked++; looked > maxPlaces {
				return found
			}
			file, known := files[w.path]
			if !known {
				file = fileIn(folders, w.path)
				files[w.path] = file
			}
			if file != "" {
				w.place.Text, w.place.File = i, file
				found = append(found, w.place)
			}
		}
	}
	return found
}

// written is a place as a text has it.
type written struct {
	path  string
	place protocol.Place
}

// behind is a line behind a path in the forms that people and compilers write: :12, :12:5, :12-20, #L12-L20, (12,5). It is compiled when it
// is first needed: every process starts with this package.
var behind = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(:(\d{1,7})(?::(\d{1,6}))?(?:[-–](\d{1,7}))?` +
		`|#L(\d{1,7})(?:-L?(\d{1,7}))?` +
		`|\((\d{1,7})(?:,\s?(\d{1,6}))?\))(?:[^A-Za-z0-9_]|$)`)
})

// longestBehind is how many bytes behind may match.
const longestBehind = 32

// scan finds places in a text. A path does not begin within a word or behind a colon, where it would be a piece of an address.
func scan(text string) (found []written) {
	units, counted := 0, 0 // in UTF-16, up to a byte
	unit := func(at int) int {
		for _, r := range text[counted:at] {
			units += utf16Len(r)
		}
		counted = at
		return units
	}
	lines := map[int][]string{}
	last := rune(' ')
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		begins := isPathRune(r) && !isPathRune(last) && last != ':'
		path, line := "", []string(nil)
		if begins {
			path, line = pathAt(text, at, lines)
		}
		if line != nil {
			end := at + len(path) + len(line[0])
			if begin, named := unglued(at, path); isPath(named) {
				place := protocol.Place{Start: unit(begin), End: unit(end)}
				place.Line = number(line[1], line[4], line[6])
				place.Column, place.EndLine = number(line[2], line[7]), number(line[3], line[5])
				if place.EndLine < place.Line {
					place.EndLine = 0
				}
				found = append(found, written{named, place})
			}
			last, _ = utf8.DecodeLastRuneInString(text[:end])
			at = end
			continue
		}
		last = r
		at += size
	}
	return found
}

// pathAt reads a path and the line behind it: the longest path that has one. lines are those that were looked for before, by where they
// begin.
func pathAt(text string, at int, lines map[int][]string) (path string, line []string) {
	end := at
	drive := text[at:min(at+3, len(text))]
	if len(drive) == 3 && isLetter(drive[0]) && drive[1] == ':' && (drive[2] == '/' || drive[2] == '\\') {
		end += 2
	}
	var ends []int // the longest path last
	for runes := 0; end < len(text) && runes < maxPath; runes++ {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isPathRune(r) && (runes == 0 || !strings.ContainsRune("()[]", r)) {
			break
		}
		if r == '(' {
			ends = append(ends, end)
		}
		end += size
	}
	for _, end := range slices.Backward(append(ends, end)) {
		line, looked := lines[end]
		if !looked {
			if m := behind().FindStringSubmatch(text[end:min(end+longestBehind, len(text))]); m != nil {
				line = m[1:]
			}
			lines[end] = line
		}
		if line != nil {
			return text[at:end], line
		}
	}
	return "", nil
}

// unglued takes away words in scripts that put no space before a path. It returns where the path begins, and the path.
func unglued(at int, path string) (int, string) {
	rest := strings.TrimLeftFunc(path, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
	if rest == "" || !isLetter(rest[0]) && !strings.ContainsRune("0123456789_.~@", rune(rest[0])) {
		return at, path
	}
	return at + len(path) - len(rest), rest
}

// isPath reports whether a path has a folder or an ending. A share of another machine is never looked at.
func isPath(path string) bool {
	return strings.ContainsAny(path, `./\`) && !isShare(path) &&
		strings.ContainsFunc(path, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

func isShare(path string) bool {
	return len(path) > 1 && strings.ContainsRune(`/\`, rune(path[0])) && strings.ContainsRune(`/\`, rune(path[1]))
}

func isPathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(`_.~@+$%-/\`, r)
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func utf16Len(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// number is the first that was written; 0 where none was.
func number(written ...string) int {
	for _, digits := range written {
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
	}
	return 0
}

// fileIn is the file that a path names in the first of the folders that has it; empty where none has it. Where it leads by symbolic links
// must be inside, too.
func fileIn(folders []string, written string) string {
	for _, folder := range folders {
		named := pathIn(folder, written)
		if named == "" {
			continue
		}
		root, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		leads, err := filepath.EvalSymlinks(named)
		if err != nil || !isWithin(root, leads) {
			continue
		}
		if info, err := os.Stat(leads); err == nil && info.Mode().IsRegular() {
			return named
		}
	}
	return ""
}

// pathIn is what a path names in a folder, by its words alone; empty where that is not inside. No share of another machine, no other drive
// and no stream of a file is ever asked for: to ask for one is to tell somebody else of it.
func pathIn(folder, written string) string {
	if strings.ContainsFunc(written, unicode.IsControl) || isShare(written) {
		return ""
	}
	if runtime.GOOS == "windows" && strings.Contains(strings.TrimPrefix(written, filepath.VolumeName(written)), ":") {
		return ""
	}
	named := written
	if !filepath.IsAbs(written) {
		named = filepath.Join(folder, written)
	}
	if !isWithin(folder, named) {
		return ""
	}
	return filepath.Clean(named)
}

func isWithin(folder, path string) bool {
	way, err := filepath.Rel(folder, path)
	return err == nil && way != "." && filepath.IsLocal(way)
}
