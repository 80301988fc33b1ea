package main

import (
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// The columns of a list: id, time, asker, question and answer. Widths are in terminal cells. Longer texts are cut, except ids,
// which users copy.
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

// columnGap separates two columns.
const columnGap = "  "

// terminalWidth returns the width of a terminal in cells; 0 if to is not a terminal or its width is unknown.
func terminalWidth(to io.Writer) int {
	if file, ok := to.(*os.File); ok {
		if cells, _, err := term.GetSize(int(file.Fd())); err == nil {
			return cells
		}
	}
	return 0
}

// printTable prints the rows of a list.
func printTable(to io.Writer, rows [][]string, colours bool) error {
	var text strings.Builder
	for _, line := range aligned(rows, columnWidths(rows, terminalWidth(to)), colours) {
		text.WriteString(line + "\n")
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// columnWidths returns the widths that the rows need, within bounds. On a narrow terminal the question and the answer shrink first,
// then the time.
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

// lineWidth returns the width of a line with these columns. Columns of width 0 are omitted.
func lineWidth(widths []int) (cells int) {
	for _, width := range widths {
		if width > 0 {
			cells += width + len(columnGap)
		}
	}
	return cells - len(columnGap)
}

// aligned returns the lines of a table. The last column is not padded.
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

// cut shortens a text to width cells, with an ellipsis.
func cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	return strings.TrimSpace(ansi.Truncate(text, width-1, "")) + "…"
}

// cells returns the width of a text in terminal cells.
func cells(text string) int { return ansi.StringWidth(text) }
