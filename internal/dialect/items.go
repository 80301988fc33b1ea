package dialect

import (
	"cmp"

	"followup/internal/toolcall"
)

// itemPlace is what in an array of suggestions a reader is inside of.
type itemPlace uint8

const (
	amongItems itemPlace = iota
	inItem               // in an object
	inMode               // in the object that names its mode
)

// items reads a JSON array of suggestions, from behind its opening bracket: strings, or objects with text, answer or
// label, and mode.
type items struct {
	list  *suggestionList
	place itemPlace
	skip  int // containers that are open and ignored
	key   string
	texts [3]*trimmed // what text, answer and label hold
	mode  *trimmed
	into  *trimmed   // takes the string that is open
	plain bool       // that string is an item
	room  [4]trimmed // for the texts, or the string, and the mode of one item
}

// modeRoom is the place in the room of an item's mode.
const modeRoom = 3

// fresh returns a place in the room, without what was there.
func (r *items) fresh(place int) *trimmed {
	r.room[place] = trimmed{}
	return &r.room[place]
}

var knownKeys = [...]string{tagQuestion, tagFollowUp, "options", "text", "mode", "answer", "label", "mode_slug"}

// keyName returns the name of a key. Most are known, so that they need no allocation.
func keyName(name []byte) string {
	for _, key := range knownKeys {
		if string(name) == key {
			return key
		}
	}
	return string(name)
}

var textKeys = [3]string{"text", "answer", "label"}

func (r *items) Key(name []byte) {
	if r.skip == 0 {
		r.key = keyName(name)
	}
}

func (r *items) Value(k toolcall.Kind) {
	container := k == toolcall.Array || k == toolcall.Object
	r.into = nil
	switch {
	case r.skip > 0:
	case r.place == amongItems && k == toolcall.String:
		r.into, r.plain = r.fresh(0), true
		return
	case r.place == amongItems && k == toolcall.Object:
		r.place, r.texts, r.mode = inItem, [3]*trimmed{}, nil
		return
	case r.place == amongItems:
		r.list.bad()
	case r.place == inItem && r.key == "mode":
		r.mode = nil // a mode of another type is none
		if k == toolcall.Object {
			r.place = inMode
			return
		}
		if k == toolcall.String {
			r.mode = r.fresh(modeRoom)
			r.into = r.mode
		}
	case r.place == inItem && k == toolcall.String:
		for i, key := range textKeys {
			if r.key == key {
				r.texts[i] = r.fresh(i)
				r.into = r.texts[i]
			}
		}
	case r.place == inMode && r.key == "mode_slug" && k == toolcall.String:
		r.mode = r.fresh(modeRoom)
		r.into = r.mode
	}
	if container {
		r.skip++
	}
}

func (r *items) StringPart(b []byte) {
	if r.into != nil {
		r.into.write(b)
	}
}

func (r *items) EndString() {
	if r.plain {
		r.list.add(r.into.String(), "")
	}
	r.into, r.plain = nil, false
}

func (r *items) EndContainer() {
	switch {
	case r.skip > 0:
		r.skip--
	case r.place == inMode:
		r.place = inItem
	case r.place == inItem:
		r.place = amongItems
		r.endItem()
	}
}

// endItem takes the first of its texts that is not blank.
func (r *items) endItem() {
	mode, answer, any := "", "", false
	if r.mode != nil {
		mode = r.mode.String()
	}
	for _, text := range r.texts {
		if text != nil {
			any = true
			if answer == "" {
				answer = text.String()
			}
		}
	}
	if !any {
		r.list.bad()
		return
	}
	r.list.add(answer, mode)
}

// wholeArray reads a JSON text that is an array of suggestions, or a string that holds one.
type wholeArray struct {
	items
	tokens *toolcall.JSON
	depth  int
	array  bool
	text   *trimmed // a string instead
}

// readArray reads text as JSON. It reports whether it is an array of suggestions, what was let pass, and, where the array
// stood in a string, that it was encoded twice.
func readArray(text string, list *suggestionList) (lenient toolcall.Fault, doubly, ok bool) {
	r := &wholeArray{items: items{list: list}}
	r.tokens = toolcall.NewJSON(r)
	r.tokens.Append([]byte(text))
	if whole := r.tokens.End(); !whole {
		return "", false, false
	}
	lenient = r.tokens.Mended
	if r.text != nil {
		if inner := r.text.String(); len(inner) > 0 && inner[0] != '"' {
			more, _, ok := readArray(inner, list)
			return cmp.Or(lenient, more), true, ok
		}
	}
	return lenient, false, r.array
}

func (r *wholeArray) Value(k toolcall.Kind) {
	if r.depth == 0 {
		r.array = k == toolcall.Array
		if k == toolcall.String {
			r.text = &trimmed{}
			r.into = r.text
		}
	} else if r.array {
		r.items.Value(k)
	}
	if k == toolcall.Array || k == toolcall.Object {
		r.depth++
	}
}

func (r *wholeArray) EndContainer() {
	if r.depth--; r.depth > 0 && r.array {
		r.items.EndContainer()
	}
}
