package dialect

import "followup/internal/toolcall"

// maybe is another parameter's opening tag in a parameter, and what follows it, until the first closing tag of a parameter
// or of the call decides whether it was content or where the parameter ended.
type maybe struct {
	open   bool
	opener string
	kept   recording
	closer *toolcall.Tag // what decided, while what was kept is read
}

// owns reports whether an end tag of the name closes the open parameter.
func (c *tagCall) owns(name string) bool {
	switch c.place {
	case inQuestion:
		return name == tagQuestion
	case inFollowUp:
		return name == tagFollowUp || isWrapper(name) && isWrapper(c.name)
	case inDirect:
		return isSuggestion(name) && c.follow.ends(name)
	}
	return false
}

// otherOpens reports whether t opens the other parameter.
func (c *tagCall) otherOpens(t *toolcall.Tag) bool {
	if c.place == inQuestion {
		return !t.End && t.Name != tagQuestion && t.Name != tagAsk
	}
	return !t.End && t.Name == tagQuestion
}

// provisional takes the other parameter's opening tag, of which it is not clear yet what it is.
func (c *tagCall) provisional(t *toolcall.Tag) (stop bool) {
	switch closer := c.maybe.closer; {
	case closer == nil:
		c.maybe.open, c.maybe.opener = true, t.Name
		c.maybe.kept.Tag(t)
		return false
	case c.owns(closer.Name):
		c.inside(t)
		return false
	default:
		c.unclosed()
		return c.Tag(t)
	}
}

// decide takes a tag while it is not clear whether a parameter goes on.
func (c *tagCall) decide(t *toolcall.Tag) (stop bool) {
	m := &c.maybe
	if !t.End || !c.decides(t.Name) {
		m.kept.Tag(t)
		c.bound()
		return false
	}
	kept := m.kept
	m.open, m.kept, m.closer = false, recording{}, t
	kept.play(c)
	c.maybe.closer = nil
	return c.Tag(t)
}

// decides reports whether the name is that of a parameter, or of what is read in place of one here.
func (c *tagCall) decides(name string) bool {
	opener := c.maybe.opener
	return name == tagQuestion || name == tagFollowUp || name == tagAsk || c.owns(name) ||
		isWrapper(name) && (isWrapper(opener) || isSuggestion(opener)) ||
		isSuggestion(name) && isSuggestion(opener)
}
