package dialect

import "followup/internal/toolcall"

// tokenKind is what a token of a recording is.
type tokenKind uint8

const (
	charsToken tokenKind = iota
	cdataBegin
	cdataToken
	cdataEnd
	tagToken
)

type token struct {
	kind       tokenKind
	start, end int // of its bytes
	tag        toolcall.Tag
}

// recording keeps what a lexer told, so that it can be told again once it is known what it belongs to.
type recording struct {
	raw    []byte
	tokens []token
}

func (r *recording) add(kind tokenKind, b []byte) {
	start := len(r.raw)
	r.raw = append(r.raw, b...)
	if n := len(r.tokens); n > 0 && r.tokens[n-1].kind == kind && (kind == charsToken || kind == cdataToken) {
		r.tokens[n-1].end = len(r.raw)
		return
	}
	r.tokens = append(r.tokens, token{kind: kind, start: start, end: len(r.raw)})
}

func (r *recording) Chars(b []byte) { r.add(charsToken, b) }
func (r *recording) CDataBegin()    { r.add(cdataBegin, nil) }
func (r *recording) CData(b []byte) { r.add(cdataToken, b) }
func (r *recording) CDataEnd()      { r.add(cdataEnd, nil) }

func (r *recording) Tag(t *toolcall.Tag) bool {
	r.add(tagToken, t.Raw)
	r.tokens[len(r.tokens)-1].tag = *t
	return false
}

// play tells s what was recorded, until s stops.
func (r *recording) play(s toolcall.LexSink) {
	for i, t := range r.tokens {
		b := r.raw[t.start:t.end]
		switch t.kind {
		case charsToken:
			s.Chars(b)
		case cdataBegin:
			s.CDataBegin()
		case cdataToken:
			s.CData(b)
		case cdataEnd:
			s.CDataEnd()
		case tagToken:
			tag := &r.tokens[i].tag
			tag.Raw = b
			if s.Tag(tag) {
				return
			}
		}
	}
}
