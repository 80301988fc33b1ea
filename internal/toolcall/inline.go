package toolcall

import "strings"

// codeLine caches positions for deciding whether a tag is in inline code. Offsets are of the current line, and those after the last tag.
type codeLine struct {
	end     int // the end of the line, if it was needed
	lastRun int // its last backtick
	param   int // the next backtick or parameter's opening tag
	callEnd int // the next closing tag of a call
}

// inCode reports whether a tag that ends at an offset is in inline code: whether another backtick run follows on its line. The number
// of runs before the tag must be odd. Runs inside a call do not count if it opens a parameter first and ends on the line.
func (s *Scanner) inCode(at int, call bool) bool {
	c := &s.line
	if c.end < at {
		end := s.find("\n", at)
		if s.starved {
			return false
		}
		c.end, c.lastRun = end, at+strings.LastIndexByte(s.raw[at:end], '`')
	}
	if c.lastRun < at || !call {
		return c.lastRun >= at
	}
	s.advance(&c.param, at, "<`", s.config.param)
	if s.codedCall = s.raw[c.param] == '<'; !s.codedCall {
		return true
	}
	s.advance(&c.callEnd, at, "<", func(t *Tag) bool { return t.Closing && t.Name == s.config.Call })
	s.codedCall = c.callEnd == c.end || c.callEnd < c.lastRun
	return s.codedCall
}

// advance moves a mark to the next backtick or wanted tag on the line, from an offset on.
func (s *Scanner) advance(mark *int, from int, stops string, wanted func(*Tag) bool) {
	line := s.raw[:s.line.end]
	for at := from; *mark < from; at++ {
		i := strings.IndexAny(line[at:], stops)
		if i < 0 {
			*mark = len(line)
			return
		}
		at += i
		tag, ok := Tag{End: at}, line[at] == '`'
		if !ok {
			tag, ok = readTag(s.config.Known, line, at)
			ok = ok && wanted(&tag)
		}
		if s.scanned += i + 1 + tag.End - at; ok {
			*mark = at
		}
	}
}
