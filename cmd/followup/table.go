package main

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// The columns of a list: id, time, asker, question and answer.
const (
	columnID = iota
	columnWhen
	columnAgent
	columnAsked
	columnSaid
)

// The widths of columns in terminal cells: those that a list without a terminal pads to, and those that a narrow terminal leaves. An id
// has its whole width, since users copy it.
var (
	padded    = []int{columnID: 36, columnWhen: len(minutes), columnAgent: 20, columnAsked: 60, columnSaid: 50}
	narrowest = []int{columnAgent: 12, columnAsked: 12, columnSaid: 10}
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

// printTable prints the rows of a list, one line each. Only a terminal cuts them, so that other programs find each word.
func printTable(to io.Writer, rows [][]string, colours bool) error {
	var text strings.Builder
	terminal := terminalWidth(to)
	for _, line := range aligned(rows, columnWidths(rows, terminal), terminal > 0, colours) {
		text.WriteString(line + "\n")
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// columnWidths returns the widths that the rows need. Without a terminal, they are bounded, and longer texts pass them. On a terminal the
// texts are cut where they do not fit: first the question and the answer, then the asker. A very narrow one omits the time.
func columnWidths(rows [][]string, terminal int) []int {
	widths := make([]int, len(padded))
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], cells(row[i]))
		}
		if most := max(terminal, padded[i]); i != columnID {
			widths[i] = min(widths[i], most)
		}
	}
	if terminal == 0 || lineWidth(widths) <= terminal {
		return widths
	}
	widths[columnAgent] = min(widths[columnAgent], padded[columnAgent])
	least := slices.Clone(widths)
	for _, i := range []int{columnAgent, columnAsked, columnSaid} {
		least[i] = min(least[i], narrowest[i])
	}
	if lineWidth(least) > terminal {
		widths[columnWhen] = 0
	}
	for _, shrinking := range [][]int{{columnAsked, columnSaid}, {columnAgent}} {
		for lineWidth(widths) > terminal {
			longest := slices.MaxFunc(shrinking, func(a, b int) int { return cmp.Compare(widths[a]-narrowest[a], widths[b]-narrowest[b]) })
			if widths[longest] <= narrowest[longest] {
				break
			}
			widths[longest]--
		}
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

// aligned returns the lines of a table. The last column is not padded. If cuts is set, texts that are wider than their column are cut.
func aligned(rows [][]string, widths []int, cuts, colours bool) (lines []string) {
	paints := []string{columnID: dim, columnWhen: dim, columnAgent: cyan, columnAsked: "", columnSaid: bold}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if widths[i] == 0 {
				continue
			}
			if cuts {
				text = cut(text, widths[i])
			}
			fill := strings.Repeat(" ", max(0, widths[i]-cells(text)))
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
