package protocol

// A stream is one message of an agent's, read as it is written. The first append opens it. Each piece has an offset, so the receiver drops what it
// has already, and notices what is missing. A stream belongs to one connection: after a reconnect, resume it and send it from its start.
var (
	// StreamResume announces that a stream which another connection or process has begun to read follows from offset 0. Calls that were kept
	// are found in it with their ids, answers and counts. It comes before the first piece.
	StreamResume = Notification[StreamResumeParams]{"stream/resume"}
	// StreamAppend hands on the assistant's text. Order is kept.
	StreamAppend = Notification[StreamAppendParams]{"stream/append"}
	// StreamAppendToolInput hands on a fragment of a native tool call's JSON arguments. Order is kept.
	StreamAppendToolInput = Notification[StreamAppendToolInputParams]{"stream/appendToolInput"}
	// StreamEnd ends a stream and tells the calls that were found in it. It never waits for the user.
	StreamEnd = Request[StreamEndParams, StreamEndResult]{"stream/end"}
	// StreamDidPassText hands back text that stood outside calls, from the sidecar, in order.
	StreamDidPassText = Notification[StreamDidPassTextParams]{"stream/didPassText"}
)

// StreamResumeParams names the stream.
type StreamResumeParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
}

// StreamAppendParams is a piece of the assistant's text: characters in Text, or bytes in Data.
type StreamAppendParams struct {
	Session string `json:"session"`
	// StreamID is the caller's: a UUID, new for each message.
	StreamID string `json:"streamId"`
	// Offset is how many bytes of UTF-8 the pieces of the text before this one hold.
	Offset int `json:"offset"`
	// Text may end anywhere between two characters.
	Text string `json:"text,omitempty"`
	// Data stands in base64 (RFC 4648, section 4) for bytes of UTF-8, which may end in the middle of a character.
	Data string `json:"data,omitempty"`
}

// StreamAppendToolInputParams is a fragment of a native call's arguments: characters in Fragment, or bytes in Data.
type StreamAppendToolInputParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
	// CallID tells the calls of one message apart.
	CallID string `json:"callId"`
	Tool   string `json:"tool"`
	// Offset is how many bytes of UTF-8 the fragments of this call before this one hold.
	Offset int `json:"offset"`
	// Fragment may end anywhere between two characters.
	Fragment string `json:"fragment,omitempty"`
	// Data is as in StreamAppendParams.
	Data string `json:"data,omitempty"`
}

// StreamEndParams ends a stream.
type StreamEndParams struct {
	// Session is where the stream belongs, so that a stream without any text can be ended too.
	Session  string          `json:"session"`
	StreamID string          `json:"streamId"`
	Reason   StreamEndReason `json:"reason"`
}

// StreamEndReason is why a stream ended.
type StreamEndReason string

// The reasons.
const (
	// StreamComplete is the end of the message. A call still open is invalid: truncated.
	StreamComplete StreamEndReason = "complete"
	// StreamAborted is an interruption. The open call and the stream's unanswered questions are withdrawn, and nothing
	// is counted.
	StreamAborted StreamEndReason = "aborted"
)

// StreamEndResult tells what was found in a stream.
type StreamEndResult struct {
	Calls []StreamCall `json:"calls"`
	// ConsecutiveMistakes is the session's count after these calls.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// Hidden counts the whole calls that stood where none is run, so that nothing was asked by them. Absent when there were none.
	Hidden *HiddenCalls `json:"hidden,omitempty"`
	// Truncated says that the stream crashed its reader again and again and was not read to its end.
	Truncated bool `json:"truncated,omitempty"`
}

// HiddenCalls counts calls that were not run, by what they stood in. What is absent is 0.
type HiddenCalls struct {
	// Fence is a fenced code block.
	Fence int `json:"fence,omitempty"`
	// Code is inline code.
	Code int `json:"code,omitempty"`
	// Thinking is an element in which the agent thinks.
	Thinking int `json:"thinking,omitempty"`
	// Element is an element of another tool.
	Element int `json:"element,omitempty"`
}

// CallStatus tells whether a call could be read.
type CallStatus string

// The statuses.
const (
	CallValid   CallStatus = "valid"
	CallInvalid CallStatus = "invalid"
)

// StreamCall is one call that was found in a stream.
type StreamCall struct {
	// QuestionID is the question's id; wait for it with question/await.
	QuestionID string     `json:"questionId"`
	Tool       string     `json:"tool"`
	Status     CallStatus `json:"status"`
	Payload    *Payload   `json:"payload,omitempty"`
	// Repairs are sorted codes of what was mended.
	Repairs []string `json:"repairs,omitempty"`
	// Notices are sorted codes of advice.
	Notices []string `json:"notices,omitempty"`
	// Error tells why the call is invalid.
	Error *CallError `json:"error,omitempty"`
	// CallID is the caller's id of a native call.
	CallID string `json:"callId,omitempty"`
}

// StreamDidPassTextParams is text that stood outside calls.
type StreamDidPassTextParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
	// Offset is how many bytes of UTF-8 of such text came before. What a client has already, it drops: a stream that is sent again from its
	// start hands back its text again.
	Offset int    `json:"offset"`
	Text   string `json:"text"`
}
