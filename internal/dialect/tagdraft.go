package dialect

import (
	"strings"

	"followup/internal/toolcall"
)

// tagDraft shows a call while it arrives: the first question until its closing tag, and each suggestion of the first follow_up.
type tagDraft struct {
	draft
	scanner *toolcall.Scanner
	name    string // of the parameter that is open; empty where none is

	asked  bool // the first question was opened
	text   growing
	grows  bool // no tag has come yet at which it may end
	asking bool // another closing tag may follow, if the last one stood in inline code

	follow   param // the first follow_up; it has no end before it was read as elements
	listing  bool  // it is open, and may be elements
	elements elements
	list     suggestionList
}

func (d *tagDraft) next(call string, t *toolcall.Tag) {
	switch {
	case t.Name == tagAsk:
	case t.Closing && t.Name == tagQuestion && d.asking:
		d.name, d.grows = "", false
		d.show(call, t.Start, true)
	case t.Closing && t.Name == d.name:
		if d.name = ""; d.listing && d.list.readable {
			d.elements.close(call, t.Start)
			d.follow.to = t.Start
		}
		d.listing = false
	case d.name == "" && !t.Closing:
		d.parameter(t)
	case d.grows && !t.Closing && t.Name != tagQuestion:
		d.show(call, t.Start, false)
		d.grows = false
	case d.listing:
		if d.elements.list == nil {
			before := trim(call[d.follow.from:t.Start])
			d.listing, d.elements.list = before == "" || before[0] == '<', &d.list
		}
		if d.listing {
			d.elements.Tag(call, t)
		}
	}
}

func (d *tagDraft) parameter(t *toolcall.Tag) {
	d.begin()
	d.asking = false
	switch d.name = t.Name; {
	case t.Empty:
		d.name = ""
	case t.Name == tagQuestion && !d.asked:
		d.asked, d.grows, d.asking = true, true, true
		d.text = growing{from: t.End, read: t.End}
	case t.Name != tagQuestion && !isSuggestion(t.Name) && d.follow.from == 0:
		d.follow.from, d.listing = t.End, true
		d.elements.from = t.End
		d.list.shown = &d.draft
	}
}

// show shows the question up to a place, which ends it if whole. If a CDATA section is not closed, too much may have been shown.
func (d *tagDraft) show(call string, to int, whole bool) {
	if !d.scanner.Unclosed {
		d.text.grow(call, to, whole, &d.draft)
	}
}

// growing is the text of a question that is being read.
type growing struct {
	grower
	decoder toolcall.Decoder
	from    int             // where the content begins
	read    int             // up to here it was read
	decodes bool            // it does not stand for itself
	decoded strings.Builder // what it stands for then
}

// grow shows what is new up to the given place. Whole says that the text ends there.
func (g *growing) grow(call string, to int, whole bool, d *draft) {
	for g.read < to {
		text, n := g.decoder.Next(call[g.read:to], whole)
		if n == 0 {
			break
		}
		if len(text) != n && !g.decodes {
			g.decodes = true
			g.decoded.WriteString(call[g.from:g.read])
		}
		if g.read += n; g.decodes {
			g.decoded.WriteString(text)
		}
	}
	shown := call[g.from:g.read]
	if g.decodes {
		shown = g.decoded.String()
	}
	d.grow(0, g.next(shown))
}
