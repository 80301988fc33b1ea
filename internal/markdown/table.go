package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	tableast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables finds tables in paragraphs: a row, a line of dashes with as many cells, and the rows below. Unlike in GitHub's version,
// long rows lose no cells, and short rows get no additional ones: a thousand columns in the first row and ten thousand rows below
// would be more than a page can hold.
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
		if bytes.IndexByte(above, '|') >= 0 && len(cells(whole(above), above)) == len(alignments) {
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
	for _, cell := range cells(whole(line), line) {
		dashes := cell.Value(line)
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

// cells returns the cells of a row, without the spaces around them.
func cells(line text.Segment, source []byte) []text.Segment {
	line = trimmed(line, source)
	if !line.IsEmpty() && source[line.Start] == '|' {
		line.Start++
	}
	if !line.IsEmpty() && source[line.Stop-1] == '|' && (line.Len() < 2 || source[line.Stop-2] != '\\') {
		line.Stop--
	}
	found := make([]text.Segment, 0, 1+bytes.Count(source[line.Start:line.Stop], []byte("|")))
	from := line.Start
	for i := from; i <= line.Stop; i++ {
		switch {
		case i == line.Stop || source[i] == '|':
			found = append(found, trimmed(text.NewSegment(from, i), source))
			from = i + 1
		case source[i] == '\\' && i+1 < line.Stop && source[i+1] == '|':
			i++
		}
	}
	return found
}

// whole returns the segment of the complete line.
func whole(line []byte) text.Segment { return text.NewSegment(0, len(line)) }

func trimmed(s text.Segment, source []byte) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}

func tableRow(line text.Segment, source []byte, alignments []tableast.Alignment) *tableast.TableRow {
	row := tableast.NewTableRow(alignments)
	for i, at := range cells(line, source) {
		cell := tableast.NewTableCell()
		if i < len(alignments) {
			cell.Alignment = alignments[i]
		}
		cell.Lines().Append(at)
		row.AppendChild(row, cell)
	}
	return row
}
