package question

// Hider is the kind of text that hides a call, so that it is not run: a Hider of package toolcall.
type Hider string

// Hidden counts the complete calls of a message that were not run, by the kind of text that hid them. Its JSON omits zeros.
type Hidden struct {
	Fence    int `json:"fence,omitempty"`
	Code     int `json:"code,omitempty"`
	Thinking int `json:"thinking,omitempty"`
	Element  int `json:"element,omitempty"`
}

// Count adds one call.
func (h *Hidden) Count(by Hider) {
	switch by {
	case "fence":
		h.Fence++
	case "code":
		h.Code++
	case "thinking":
		h.Thinking++
	case "element":
		h.Element++
	}
}
