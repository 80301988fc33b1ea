package toolcall

import "bytes"

// checkState is what a Checker is inside of.
type checkState uint8

const (
	checkText checkState = iota
	checkTag
	checkBang    // after <!
	checkComment // in <!-- … -->
	checkPI      // in <? … ?>
)

// Checker tells whether content is well-formed, as XML 1.0 has it: tags, comments, processing instructions and the nesting
// of elements. It is fed a character at a time where there is markup, and only told of each < where there is none.
// Duplicate attributes, and -- in a comment, are let through.
type Checker struct {
	// Fault is the first fault that was found, and Name the element that it is about, where it is about one.
	Fault Fault
	Name  string
	// Tags counts the complete tags that were seen.
	Tags int

	state   checkState
	machine tagMachine
	name    []byte // of the tag that is being read
	last    [2]byte
	open    []byte // names of the open elements, one after the other
	marks   []int  // where each of them begins
}

// Reset makes c ready for other content. What is known of a tag or a comment begins anew with each.
func (c *Checker) Reset() {
	c.Fault, c.Name, c.Tags, c.state = NoFault, "", 0, checkText
	c.open, c.marks = c.open[:0], c.marks[:0]
}

// Busy reports whether the next character belongs to markup, so that it must be given to Step.
func (c *Checker) Busy() bool { return c.state != checkText }

// InComment reports whether an & is only a character here.
func (c *Checker) InComment() bool { return c.state == checkComment || c.state == checkPI }

// Report notes a fault, unless one was found before.
func (c *Checker) Report(f Fault, name string) {
	if c.Fault == NoFault {
		c.Fault, c.Name = f, name
	}
}

// Less tells of a < outside markup.
func (c *Checker) Less() {
	c.state, c.machine, c.name = checkTag, tagMachine{}, c.name[:0]
}

// Step takes the next character of markup. It returns false when the character turns out not to belong to it: Busy is
// false then, and the character is to be read as text.
func (c *Checker) Step(b byte) bool {
	switch c.state {
	case checkTag:
		return c.stepTag(b)
	case checkBang:
		if b != '-' {
			return c.bare()
		}
		if c.last[0] == '-' {
			c.state, b = checkComment, 0 // the - of <!-- do not count for -->
		}
		c.last[0], c.last[1] = b, 0
	case checkComment:
		if b == '>' && c.last == [2]byte{'-', '-'} {
			c.state = checkText
		}
		c.last[0], c.last[1] = c.last[1], b
	case checkPI:
		if b == '>' && c.last[1] == '?' {
			c.state = checkText
		}
		c.last[1] = b
	}
	return true
}

func (c *Checker) stepTag(b byte) bool {
	if c.machine.state == tagStart && !c.machine.end && (b == '!' || b == '?') {
		c.last = [2]byte{}
		if c.state = checkBang; b == '?' {
			c.state = checkPI
		}
		return true
	}
	before := c.machine.state
	v := c.machine.step(b)
	switch v {
	case fail:
		return c.bare()
	case done:
		c.state = checkText
		c.element()
		return true
	}
	if c.machine.state == tagName && (before == tagName || before == tagStart) {
		c.name = append(c.name, b)
	}
	return true
}

// bare finds that the < began nothing.
func (c *Checker) bare() bool {
	c.Report(BareLess, "")
	c.state = checkText
	return false
}

// element takes the complete tag into account.
func (c *Checker) element() {
	c.Tags++
	if c.machine.loose {
		c.Report(BadAttribute, string(c.name))
	}
	switch {
	case c.machine.empty:
	case !c.machine.end:
		c.marks = append(c.marks, len(c.open))
		c.open = append(c.open, c.name...)
	case c.Innermost(c.name):
		n := len(c.marks) - 1
		c.open, c.marks = c.open[:c.marks[n]], c.marks[:n]
	default:
		c.Report(StrayEndTag, string(c.name))
	}
}

// Innermost reports whether the innermost open element has the name.
func (c *Checker) Innermost(name []byte) bool {
	n := len(c.marks)
	return n > 0 && bytes.Equal(c.open[c.marks[n-1]:], name)
}

// Interrupt tells that something else begins here, so that a tag which is not complete never will be. A comment goes on
// behind it.
func (c *Checker) Interrupt() {
	if c.state == checkTag || c.state == checkBang {
		c.bare()
	}
}

// Close ends the content. Elements, and a comment, that are open in it are not closed.
func (c *Checker) Close() {
	c.Interrupt()
	if c.Busy() {
		c.Report(UnclosedTag, "!--")
		c.state = checkText
	}
	if n := len(c.marks); n > 0 {
		c.Report(UnclosedTag, string(c.open[c.marks[n-1]:]))
		c.open, c.marks = c.open[:0], c.marks[:0]
	}
}

// Write takes characters in which entities do not matter.
func (c *Checker) Write(b []byte) {
	for len(b) > 0 {
		if !c.Busy() {
			i := bytes.IndexByte(b, '<')
			if i < 0 {
				return
			}
			c.Less()
			b = b[i+1:]
			continue
		}
		if c.Step(b[0]) {
			b = b[1:]
		}
	}
}
