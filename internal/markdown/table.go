package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	tableast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables finds tables in paragraphs: a row, a line of dashes with as many cells, and the rows below. Unlike in GitHub's version,
// long rows lose no cells, and short rows get none: a thousand columns in the first row and ten thousand rows below would be more
// than a page can hold.
type tables struct{}

func (tables) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines := node.Lines().Sliced(0, node.Lines().Len())
	source := reader.Source()
	head, alignments := tableStart(len(lines), func(i int) []byte { return lines[i].Value(source) })
	if head < 0 {
		return
	}
	for _, line := range lines[head:] {
		if marks(line.Value(source)) > maxMarks {
			return
		}
	}
	table := tableast.NewTable()
	table.SetBlankPreviousLines(node.HasBlankPreviousLines())
	table.AppendChild(table, tableast.NewTableHeader(tableRow(lines[head], source, alignments)))
	for _, line := range lines[head+2:] {
		table.AppendChild(table, tableRow(line, source, alignments))
	}
	parent := node.Parent()
	parent.InsertAfter(parent, node, table)
	if head == 0 {
		parent.RemoveChild(parent, node)
		return
	}
	node.Lines().SetSliced(0, head)
}

// tableStart returns the first line of a table among count lines, or -1, and the alignments of its columns.
func tableStart(count int, line func(int) []byte) (int, []tableast.Alignment) {
	for i := 1; i < count; i++ {
		alignments := delimiters(line(i))
		if alignments == nil {
			continue
		}
		above := line(i - 1)
		if bytes.IndexByte(above, '|') >= 0 && len(cells(above)) == len(alignments) {
			return i - 1, alignments
		}
	}
	return -1, nil
}

// delimiters parses the line between a table's head and its body, such as |---|:-:|, or returns nil.
func delimiters(line []byte) []tableast.Alignment {
	if bytes.IndexByte(line, '|') < 0 || len(bytes.Trim(line, "|:- \t\n")) > 0 {
		return nil
	}
	var alignments []tableast.Alignment
	for _, cell := range cells(line) {
		dashes := line[cell[0]:cell[1]]
		left, right := bytes.HasPrefix(dashes, []byte(":")), bytes.HasSuffix(dashes, []byte(":"))
		dashes = bytes.TrimPrefix(bytes.TrimSuffix(dashes, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		alignment := tableast.AlignNone
		switch {
		case left && right:
			alignment = tableast.AlignCenter
		case right:
			alignment = tableast.AlignRight
		}
		alignments = append(alignments, alignment)
	}
	return alignments
}

// cells returns where the cells of a row begin and end, without the spaces around them.
func cells(line []byte) [][2]int {
	start, stop := trimmed(line, 0, len(line))
	if start < stop && line[start] == '|' {
		start++
	}
	if stop > start && line[stop-1] == '|' && (stop < 2 || line[stop-2] != '\\') {
		stop--
	}
	var found [][2]int
	from := start
	for i := start; i <= stop; i++ {
		switch {
		case i == stop || line[i] == '|':
			a, b := trimmed(line, from, i)
			found = append(found, [2]int{a, b})
			from = i + 1
		case line[i] == '\\' && i+1 < stop && line[i+1] == '|':
			i++
		}
	}
	return found
}

// trimmed narrows line[start:stop] by the spaces at both ends.
func trimmed(line []byte, start, stop int) (int, int) {
	for start < stop && isSpace(line[start]) {
		start++
	}
	for stop > start && isSpace(line[stop-1]) {
		stop--
	}
	return start, stop
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n'
}

func tableRow(line text.Segment, source []byte, alignments []tableast.Alignment) *tableast.TableRow {
	row := tableast.NewTableRow(alignments)
	for i, at := range cells(source[line.Start:line.Stop]) {
		cell := tableast.NewTableCell()
		if i < len(alignments) {
			cell.Alignment = alignments[i]
		}
		cell.Lines().Append(text.NewSegment(line.Start+at[0], line.Start+at[1]))
		row.AppendChild(row, cell)
	}
	return row
}
