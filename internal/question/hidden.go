package question

// Hider is what a call can stand in so that it is not run: a Hider of package toolcall.
type Hider string

// Hidden counts the whole calls of a message that were not run, by what they stood in. Its JSON holds those that are not 0.
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
