// Package places finds places in files that a text names, such as src/main.ts:12, if the files are in given folders. It accesses
// nothing outside of these.
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
	"unicode/utf16"
	"unicode/utf8"

	"followup/internal/protocol"
)

// Limits of the search. Longer texts or paths are ignored.
const (
	maxPlaces = 200
	maxPath   = 260       // in runes
	maxText   = 256 << 10 // in bytes
)

// Find returns the places that texts name, in order, in files in one of the folders.
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

// written is a place as a text names it.
type written struct {
	path  string
	place protocol.Place
}

// behind matches a line number after a path in the forms that people and compilers write: :12, :12:5, :12-20, #L12-L20, (12,5). It
// is compiled on first use, since every process contains this package.
var behind = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(:(\d{1,7})(?::(\d{1,6}))?(?:[-–](\d{1,7}))?` +
		`|#L(\d{1,7})(?:-L?(\d{1,7}))?` +
		`|\((\d{1,7})(?:,\s?(\d{1,6}))?\))(?:[^A-Za-z0-9_]|$)`)
})

// longestBehind is the maximum length of such a match in bytes.
const longestBehind = 32

// scan finds places in a text. A path does not begin within a word or after a colon, where it would be part of an address.
func scan(text string) (found []written) {
	units, counted := 0, 0 // UTF-16 units before a byte
	unit := func(at int) int {
		for _, r := range text[counted:at] {
			units += utf16.RuneLen(r)
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

// pathAt parses a path and the line after it: the longest path that has one. lines caches earlier searches by offset.
func pathAt(text string, at int, lines map[int][]string) (path string, line []string) {
	end := at
	drive := text[at:min(at+3, len(text))]
	if len(drive) == 3 && isLetter(drive[0]) && drive[1] == ':' && (drive[2] == '/' || drive[2] == '\\') {
		end += 2
	}
	var ends []int // longest path last
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

// unglued removes words of scripts that have no space before a path. It returns where the path begins, and the path.
func unglued(at int, path string) (int, string) {
	rest := strings.TrimLeftFunc(path, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
	if rest == "" || !isLetter(rest[0]) && !strings.ContainsRune("0123456789_.~@", rune(rest[0])) {
		return at, path
	}
	return at + len(path) - len(rest), rest
}

// isPath reports whether a path has a folder or an extension. Shares of other machines are never accessed.
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

// number returns the first number that is present, or 0.
func number(written ...string) int {
	for _, digits := range written {
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
	}
	return 0
}

// fileIn returns the file that a path names in the first folder that has it, or "" if none has. Targets of symbolic links must
// be inside, too.
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

// pathIn returns the file that a path names in a folder, without accessing it; empty if it is outside. Shares of other
// machines, other drives and streams of files are never accessed, since that alone would reveal something to others.
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
