package question

// Hider is the kind of text that hides a call, so that it is not run: a Hider of package toolcall.
type Hider string

// Hidden counts the complete calls of a message that were not run, by what contained them. Absent fields are 0.
type Hidden struct {
	// Fence is a fenced code block.
	Fence int `json:"fence,omitempty"`
	// Code is inline code.
	Code int `json:"code,omitempty"`
	// Thinking is an element with the agent's thoughts.
	Thinking int `json:"thinking,omitempty"`
	// Element is an element of another tool.
	Element int `json:"element,omitempty"`
	// Text is a text that only mentions a call in another format.
	Text int `json:"text,omitempty"`
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
	case "text":
		h.Text++
	}
}
