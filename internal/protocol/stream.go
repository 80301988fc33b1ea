package protocol

// A stream is one message of an agent, read while it is written. The first append opens it. Each piece has an offset, so the
// receiver drops repeated pieces and detects missing ones. A stream belongs to one connection: after a reconnect, resume it and
// send it from its start.
var (
	// StreamResume announces that a stream which another connection or process began to read follows from offset 0. Calls that were
	// already read keep their ids, answers and counts. It comes before the first piece.
	StreamResume = Notification[StreamParams]{"stream/resume"}
	// StreamAppend sends a piece of the assistant's text, in order.
	StreamAppend = Notification[StreamAppendParams]{"stream/append"}
	// StreamAppendToolInput sends a fragment of a native tool call's JSON arguments, in order.
	StreamAppendToolInput = Notification[StreamAppendToolInputParams]{"stream/appendToolInput"}
	// StreamEnd ends a stream and returns the calls in it. It never waits for the user.
	StreamEnd = Request[StreamEndParams, StreamEndResult]{"stream/end"}
	// StreamDidPassText, from the sidecar, passes on text outside calls, in order.
	StreamDidPassText = Notification[StreamDidPassTextParams]{"stream/didPassText"}
)

// StreamParams name a stream of a session.
type StreamParams struct {
	Session string `json:"session"`
	// StreamID is the caller's id: a UUID, new for each message.
	StreamID string `json:"streamId"`
}

// StreamAppendParams is a piece of the assistant's text: characters in Text, or bytes in Data.
type StreamAppendParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
	// Offset is the number of bytes of UTF-8 in the previous pieces of the text.
	Offset int `json:"offset"`
	// Text may end between any two characters.
	Text string `json:"text,omitempty"`
	// Data is base64 (RFC 4648, section 4) of UTF-8 bytes that may end in the middle of a character.
	Data string `json:"data,omitempty"`
}

// StreamAppendToolInputParams is a fragment of a native call's arguments: characters in Fragment, or bytes in Data.
type StreamAppendToolInputParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
	// CallID distinguishes the calls of one message.
	CallID string `json:"callId"`
	Tool   string `json:"tool"`
	// Offset is the number of bytes of UTF-8 in the previous fragments of this call.
	Offset int `json:"offset"`
	// Fragment may end between any two characters.
	Fragment string `json:"fragment,omitempty"`
	// Data is as for StreamAppend.
	Data string `json:"data,omitempty"`
}

// StreamEndParams ends a stream.
type StreamEndParams struct {
	// Session is the stream's session, so that a stream without text can be ended too.
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
	// StreamAborted is an interruption. The open call and the stream's unanswered questions are withdrawn, and nothing is counted.
	StreamAborted StreamEndReason = "aborted"
)

// StreamEndResult is the calls in a stream.
type StreamEndResult struct {
	Calls []StreamCall `json:"calls"`
	// ConsecutiveMistakes is the session's count after these calls.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// Hidden counts the complete calls that were not run because of what contained them. Absent if there were none.
	Hidden *HiddenCalls `json:"hidden,omitempty"`
	// Truncated means that the stream crashed its reader repeatedly and was not read to its end.
	Truncated bool `json:"truncated,omitempty"`
}

// CallStatus reports whether a call is valid.
type CallStatus string

// The statuses.
const (
	CallValid   CallStatus = "valid"
	CallInvalid CallStatus = "invalid"
)

// StreamCall is one call in a stream.
type StreamCall struct {
	// QuestionID is the question's id; wait for it with QuestionAwait.
	QuestionID string     `json:"questionId"`
	Tool       string     `json:"tool"`
	Status     CallStatus `json:"status"`
	Payload    *Payload   `json:"payload,omitempty"`
	// Repairs are sorted codes of repairs to the call.
	Repairs []string `json:"repairs,omitempty"`
	// Notices are sorted codes of advice.
	Notices []string `json:"notices,omitempty"`
	// Error is why the call is invalid.
	Error *CallError `json:"error,omitempty"`
	// CallID is the caller's id of a native call.
	CallID string `json:"callId,omitempty"`
}

// StreamDidPassTextParams is text outside calls.
type StreamDidPassTextParams struct {
	Session  string `json:"session"`
	StreamID string `json:"streamId"`
	// Offset is the number of bytes of UTF-8 of such text before this one. Drop text that you already have: a resumed stream
	// passes on all of its text again.
	Offset int    `json:"offset"`
	Text   string `json:"text"`
}
