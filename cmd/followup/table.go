package main

import (
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// The columns of a list: the question's id, when, who asked, what, and what was said. Their widths are in cells of a terminal. What does
// not fit is cut, but for an id, which is there to be copied.
const (
	columnID = iota
	columnWhen
	columnAgent
	columnAsked
	columnSaid
)

var (
	widest    = []int{math.MaxInt, len(minutes), 20, 60, 50}
	narrowest = []int{columnAsked: 12, columnSaid: 10}
)

// columnGap is what stands between two columns.
const columnGap = "  "

// terminalWidth is how many cells a line of the terminal has that is written to; 0 where it is none, or does not tell.
func terminalWidth(to io.Writer) int {
	if file, ok := to.(*os.File); ok {
		if cells, _, err := term.GetSize(int(file.Fd())); err == nil {
			return cells
		}
	}
	return 0
}

// columnWidths are those that the rows need, within the bounds. Where the terminal is narrow the question and the answer give way to
// each other, and then the time to both.
func columnWidths(rows [][]string, terminal int) []int {
	widths := make([]int, len(widest))
	for i := range widths {
		for _, row := range rows {
			widths[i] = min(max(widths[i], cells(row[i])), widest[i])
		}
	}
	if terminal > 0 && lineWidth(widths) > terminal {
		least := slices.Clone(widths)
		for _, i := range []int{columnAsked, columnSaid} {
			least[i] = min(least[i], narrowest[i])
		}
		if lineWidth(least) > terminal {
			widths[columnWhen] = 0
		}
	}
	for terminal > 0 && lineWidth(widths) > terminal {
		longest := columnAsked
		if widths[columnSaid]-narrowest[columnSaid] > widths[columnAsked]-narrowest[columnAsked] {
			longest = columnSaid
		}
		if widths[longest] <= narrowest[longest] {
			break
		}
		widths[longest]--
	}
	return widths
}

// lineWidth is how many cells a line with columns of those widths takes; a column without a width is left out.
func lineWidth(widths []int) (cells int) {
	for _, width := range widths {
		if width > 0 {
			cells += width + len(columnGap)
		}
	}
	return cells - len(columnGap)
}

// aligned are the lines of a table, the last column as long as it is.
func aligned(rows [][]string, widths []int, colours bool) (lines []string) {
	paints := []string{columnID: dim, columnWhen: dim, columnAgent: cyan, columnAsked: "", columnSaid: bold}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if widths[i] == 0 {
				continue
			}
			text = cut(text, widths[i])
			fill := strings.Repeat(" ", widths[i]-cells(text))
			if colours && paints[i] != "" && text != "" {
				text = paint(text, paints[i])
			}
			if line.WriteString(text); i < len(row)-1 {
				line.WriteString(fill + columnGap)
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// cut is a text that fits; what is left out is shown by an ellipsis.
func cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	taken := 0
	for i, r := range text {
		if taken += cellsOf(r); taken > width-1 {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// cells is how many cells of a terminal a text takes.
func cells(text string) (n int) {
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf): // they stand on what is before them, or are not seen
		return 0
	case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}
