// Package places finds places in files that a text names, such as src/main.ts:12, if the files are in given folders. It accesses
// nothing outside of these.
package places

import (
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
		for w := range scan(text) {
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

// scan finds places in a text, in time linear to its length. A path does not begin within a word or after a colon, where it would
// be part of an address.
func scan(text string) iter.Seq[written] {
	return func(yield func(written) bool) {
		units, counted := 0, 0 // UTF-16 units before a byte
		unit := func(at int) int {
			for _, r := range text[counted:at] {
				units += utf16.RuneLen(r)
			}
			counted = at
			return units
		}
		w := window{text: text}
		last := rune(' ')
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRuneInString(text[at:])
			if isPathRune(r) && !isPathRune(last) && last != ':' {
				if end, place, ok := w.longest(at); ok {
					path := text[at:end]
					end += place.End
					if begin, named := unglued(at, path); isPath(named) {
						place.Start, place.End = unit(begin), unit(end)
						if !yield(written{named, place}) {
							return
						}
					}
					last, _ = utf8.DecodeLastRuneInString(text[:end])
					at = end
					continue
				}
			}
			last = r
			at += size
		}
	}
}

// window is the part of a text in which a path from a beginning may end. It only moves forward, so each rune is read once.
type window struct {
	text     string
	from, to int
	runes    int            // between from and to, at most maxPath
	end      int            // of the longest path with a line
	place    protocol.Place // of that line; End is its length
}

// longest returns the end of the longest path from a beginning that has a line, and the line; its End is its length.
func (w *window) longest(from int) (end int, place protocol.Place, ok bool) {
	drive := w.text[from:min(from+3, len(w.text))]
	if len(drive) == 3 && isLetter(drive[0]) && drive[1] == ':' && (drive[2] == '/' || drive[2] == '\\') {
		from += 2
	}
	if from >= w.to {
		w.from, w.to, w.runes, w.end = from, from, 0, 0
	}
	w.runes -= utf8.RuneCountInString(w.text[w.from:from])
	for w.from = from; w.runes < maxPath && w.to < len(w.text); w.runes++ {
		r, size := utf8.DecodeRuneInString(w.text[w.to:])
		if !isPathRune(r) && !strings.ContainsRune("()[]", r) {
			break
		}
		w.to += size
		if place, ok := lineAt(w.text[w.to:]); ok {
			w.end, w.place = w.to, place
		}
	}
	return w.end, w.place, w.end > from
}

// lineAt parses a line number after a path in the forms that people and compilers write: :12, :12:5, :12-20, #L12-L20, (12,5). The
// place's End is its length in bytes.
func lineAt(text string) (p protocol.Place, ok bool) {
	first, column, until := 0, 0, 0 // the lengths of the parts
	if p.Line, first = number(text, 7, ":"); first > 0 {
		p.Column, column = number(text[first:], 6, ":")
		p.EndLine, until = number(text[first+column:], 7, "-", "–")
	} else if p.Line, first = number(text, 7, "#L"); first > 0 {
		p.EndLine, until = number(text[first:], 7, "-L", "-")
	} else if p.Line, first = number(text, 7, "("); first > 0 {
		p.Column, column = number(text[first:], 6, ", ", ",\t", ",\n", ",")
		if !strings.HasPrefix(text[first+column:], ")") {
			return p, false
		}
		column++
	}
	isEnd := func(at int) bool { return at == len(text) || !isWord(text[at]) }
	if !isEnd(first + column + until) {
		p.EndLine, until = 0, 0
	}
	if text[:first] != "" && text[0] == ':' && !isEnd(first+column) {
		p.Column, column = 0, 0
	}
	if p.EndLine < p.Line {
		p.EndLine = 0
	}
	p.End = first + column + until
	return p, first > 0 && isEnd(p.End)
}

// number parses a number after one of the marks, of at most that many digits. size is the length of both, or 0.
func number(text string, most int, marks ...string) (n, size int) {
	for _, mark := range marks {
		digits, ok := strings.CutPrefix(text, mark)
		for ok && size < len(digits) && size <= most && '0' <= digits[size] && digits[size] <= '9' {
			n = n*10 + int(digits[size]-'0')
			size++
		}
		if size > 0 && size <= most {
			return n, len(mark) + size
		}
		n, size = 0, 0
	}
	return 0, 0
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

func isWord(b byte) bool { return isLetter(b) || '0' <= b && b <= '9' || b == '_' }

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
