package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// The widths of a list's columns, in cells of a terminal: when, who asked, what, and what was said. What does not fit is cut.
var (
	widest    = []int{len(minutes), 20, 60, 50}
	narrowest = []int{len(minutes), 20, 12, 10}
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

// columnWidths are those that the rows need, within the bounds; the question and the answer give way to each other where the terminal
// is narrow.
func columnWidths(rows [][]string, terminal int) []int {
	widths := make([]int, len(widest))
	whole := len(columnGap) * (len(widest) - 1)
	for i := range widths {
		for _, row := range rows {
			widths[i] = min(max(widths[i], cells(row[i])), widest[i])
		}
		whole += widths[i]
	}
	for terminal > 0 && whole > terminal {
		longest := 2 // the question, or the answer
		if widths[3]-narrowest[3] > widths[2]-narrowest[2] {
			longest = 3
		}
		if widths[longest] <= narrowest[longest] {
			break
		}
		widths[longest]--
		whole--
	}
	return widths
}

// aligned are the lines of a table, the last column as long as it is.
func aligned(rows [][]string, widths []int, colours bool) (lines []string) {
	paints := []string{dim, cyan, "", bold}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			text = cut(text, widths[i])
			fill := strings.Repeat(" ", widths[i]-cells(text))
			if colours && paints[i] != "" {
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
