package mcp

import (
	"bytes"
	"encoding/json"
)

// maxToken limits the keys and ids that an outline keeps, in bytes.
const maxToken = 1 << 10

// outline has the parts of a message that can be recognised while it is scanned in pieces, in constant memory. The message may be
// invalid JSON. The zero outline is ready to scan.
type outline struct {
	// id is the last member named id, as JSON; nil if it is neither a string nor a number.
	id json.RawMessage
	// method reports whether there is a member named method. Responses have none.
	method bool
	// deepest is the maximum nesting of objects and arrays.
	deepest int

	depth            int
	inArray          bool // the outermost value is an array
	ended, more      bool // the outermost value has ended, and more follows it
	quoted, escaped  bool
	key, token       []byte // at depth 1; the token is the text after the last comma or colon
	tokenIsTruncated bool
}

// scan scans the next part of the text.
func (o *outline) scan(part []byte) {
	for _, b := range part {
		o.more = o.more || o.ended && !isSpace(b)
		switch {
		case o.quoted:
			switch {
			case o.escaped:
				o.escaped = false
			case b == '\\':
				o.escaped = true
			case b == '"':
				o.quoted = false
			}
			o.keep(b)
		case b == '"':
			o.quoted = true
			o.keep(b)
		case b == '{' || b == '[':
			o.keep(b) // so that it does not count as a scalar
			o.inArray = o.inArray || o.depth == 0 && b == '['
			o.depth++
			o.deepest = max(o.deepest, o.depth)
			if o.depth == 1 {
				o.token = o.token[:0]
			}
		case b == '}' || b == ']':
			if o.depth == 1 {
				o.member()
				o.ended = true
			}
			o.depth = max(o.depth-1, 0)
		case b == ':' && o.depth == 1:
			o.key = append(o.key[:0], bytes.TrimSpace(o.token)...)
			o.method = o.method || o.is("method")
			o.next()
		case b == ',' && o.depth == 1:
			o.member()
		default:
			o.keep(b)
		}
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func (o *outline) is(key string) bool { return !o.inArray && string(o.key) == `"`+key+`"` }

// keep appends to the token, at depth 1.
func (o *outline) keep(b byte) {
	switch {
	case o.depth != 1:
	case len(o.token) == maxToken:
		o.tokenIsTruncated = true
	default:
		o.token = append(o.token, b)
	}
}

func (o *outline) next() {
	o.token, o.tokenIsTruncated = o.token[:0], false
}

// member handles the end of a member of the message.
func (o *outline) member() {
	if o.is("id") {
		o.id = nil
		value := bytes.TrimSpace(o.token)
		var scalar any
		if !o.tokenIsTruncated && json.Unmarshal(value, &scalar) == nil {
			switch scalar.(type) {
			case string, float64:
				o.id = bytes.Clone(value)
			}
		}
	}
	o.key = o.key[:0]
	o.next()
}

// callID returns the id of a call. It returns nil for two messages on a line, since the client would wait for one of them
// forever, and for a response, whose id belongs to one of our own calls.
func (o *outline) callID() json.RawMessage {
	if !o.method || o.more {
		return nil
	}
	return o.id
}
