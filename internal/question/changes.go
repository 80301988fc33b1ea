package question

import "strings"

// Limits of an edit that a user can review: the lines and the bytes of what it changes.
const (
	MaxChangedLines = 5000
	MaxChangedBytes = 256 << 10
)

// contextLines is how many equal lines are kept beside a change.
const contextLines = 3

// Changes is the part of an edit that differs.
type Changes struct {
	// Before and After are whole lines, with up to three equal lines at each end.
	Before, After string
	// Skipped is how many equal lines precede them.
	Skipped int
	// LeftBefore and LeftAfter are how many lines were left out, since the change is too large to be reviewed.
	LeftBefore, LeftAfter int
}

// ChangesOf compares two texts by lines from both ends, in linear time.
func ChangesOf(before, after string) (c Changes) {
	begin := equalLines(before, after)
	rest, other := before[begin:], after[begin:]
	end := equalEnd(rest, other)
	from, to := begin, end
	for range contextLines {
		from = lineBefore(before, from)
		to = lineAfter(rest, to)
	}
	c.Skipped = strings.Count(before[:from], "\n")
	c.Before, c.LeftBefore = firstLines(before[from : len(before)-to])
	c.After, c.LeftAfter = firstLines(after[from : len(after)-to])
	return c
}

// equalLines returns the length of the equal lines at the beginning of both texts.
func equalLines(a, b string) int {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return strings.LastIndexByte(a[:at], '\n') + 1
}

// equalEnd returns the length of the equal lines at the end of both texts.
func equalEnd(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	startsLine := func(text string) bool { return n == len(text) || text[len(text)-1-n] == '\n' }
	if startsLine(a) && startsLine(b) {
		return n
	}
	_, whole, found := strings.Cut(a[len(a)-n:], "\n")
	if !found {
		return 0
	}
	return len(whole)
}

// lineBefore returns the beginning of the line before a position.
func lineBefore(text string, at int) int {
	return strings.LastIndexByte(text[:max(0, at-1)], '\n') + 1
}

// lineAfter returns the length of an end of a text without its first line.
func lineAfter(text string, length int) int {
	end := text[len(text)-length:]
	_, rest, _ := strings.Cut(end, "\n")
	return len(rest)
}

// firstLines returns the lines of a text that can be reviewed, and how many are left out.
func firstLines(text string) (first string, left int) {
	at := 0
	for range MaxChangedLines / 2 {
		size := strings.IndexByte(text[at:], '\n') + 1
		if size == 0 {
			size = len(text) - at
		}
		if at+size > MaxChangedBytes/2 {
			break
		}
		at += size
	}
	rest := text[at:]
	left = strings.Count(rest, "\n")
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		left++
	}
	return text[:at], left
}
