package dialect

import "followup/internal/toolcall"

// tagDraft shows a call in tags while it arrives: the first question up to its closing tag, and each suggestion of
// the first follow_up.
type tagDraft struct {
	draft
	scanner *toolcall.Scanner
	name    string // name of the open parameter; empty if none

	read      int // end of the part of the first question that was shown; 0 before it
	decoder   toolcall.Decoder
	text      trimmer
	grows     bool // no tag has ended the question yet
	mayReopen bool // a later closing tag may end the question instead, if this one is in inline code

	firstFollowUp param // to is unset until the content was read as elements
	inFollowUp    bool  // firstFollowUp is open and may contain elements
	elements      elements
	list          suggestionList
}

func (d *tagDraft) next(call string, t *toolcall.Tag) {
	switch {
	case t.Name == tagAsk:
	case t.Closing && t.Name == tagQuestion && d.mayReopen:
		d.name, d.grows = "", false
		d.show(call, t.Start, true)
	case t.Closing && t.Name == d.name:
		if d.name = ""; d.inFollowUp && d.list.readable {
			d.elements.close(call, t.Start)
			d.firstFollowUp.to = t.Start
		}
		d.inFollowUp = false
	case d.name == "" && !t.Closing:
		d.parameter(t)
	case d.grows && !t.Closing && t.Name != tagQuestion:
		d.show(call, t.Start, false)
		d.grows = false
	case d.inFollowUp:
		if d.elements.list == nil {
			before := trim(call[d.firstFollowUp.from:t.Start])
			d.inFollowUp, d.elements.list = before == "" || before[0] == '<', &d.list
		}
		if d.inFollowUp {
			d.elements.Tag(call, t)
		}
	}
}

func (d *tagDraft) parameter(t *toolcall.Tag) {
	d.begin()
	d.mayReopen = false
	switch d.name = t.Name; {
	case t.Empty:
		d.name = ""
	case t.Name == tagQuestion && d.read == 0:
		d.read, d.grows, d.mayReopen = t.End, true, true
	case t.Name != tagQuestion && !isSuggestion(t.Name) && d.firstFollowUp.from == 0:
		d.firstFollowUp.from, d.inFollowUp = t.End, true
		d.elements.from = t.End
		d.list.notify = &d.draft
	}
}

// show emits the question up to the given offset; whole means that it ends there. If a CDATA section is never closed,
// too much may have been shown.
func (d *tagDraft) show(call string, to int, whole bool) {
	if !d.scanner.Unclosed {
		text, n := d.decoder.Next(call[d.read:max(d.read, to)], whole)
		from := 0
		if len(text) == n { // nothing was decoded
			text, from = call[:d.read+n], d.read
		}
		d.read += n
		d.grow(0, d.text.next(text, from))
	}
}
