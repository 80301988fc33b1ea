package protocol

// The inbox is the open questions of all sessions, for the user's interface.
var (
	// InboxSubscribe returns a snapshot of the open questions. InboxDidChange sends every later change.
	InboxSubscribe = Request[None, Inbox]{"inbox/subscribe"}
	// InboxDidChange, from the sidecar, has the changes. Changes that a slow reader has not received yet are merged. Apply Removed,
	// then Items, then Grown.
	InboxDidChange = Notification[InboxChange]{"inbox/didChange"}
	// InboxDidShow reports whether the user can see the inbox here. Until it arrives, a subscriber counts as showing it.
	InboxDidShow = Notification[InboxDidShowParams]{"inbox/didShow"}
	// InboxList lists summaries of the open questions.
	InboxList = Request[None, InboxListResult]{"inbox/list"}
	// InboxStatus reports whether anybody could see a question, for clients that do not show the inbox.
	InboxStatus = Request[None, InboxStatusResult]{"inbox/status"}
)

// InboxDidShowParams report whether the user would notice a question.
type InboxDidShowParams struct {
	Shown bool `json:"shown"`
}

// InboxListResult are the open questions, oldest first.
type InboxListResult struct {
	Questions []InboxEntry `json:"questions"`
}

// InboxEntry is a summary of a question.
type InboxEntry struct {
	QuestionID string `json:"questionId"`
	Agent      string `json:"agent"`
	// Title is the question in one short line of plain text.
	Title string `json:"title"`
	// Answerable means that the user can answer it now. Other windows' questions are only answerable if this window has none.
	Answerable bool `json:"answerable"`
}

// InboxStatusResult is the state of the inbox in all processes that share the store.
type InboxStatusResult struct {
	// Shown means that some process shows it to the user.
	Shown bool `json:"shown"`
	// Storage is Inbox.Storage. Only this process shows questions that are not saved.
	Storage *Storage `json:"storage,omitempty"`
	// NotOpened is why the store cannot be opened; absent while it is open.
	NotOpened *StoreFailure `json:"notOpened,omitempty"`
}

// StoreFailure is the reason why a store cannot be opened.
type StoreFailure struct {
	Reason StoreReason `json:"reason"`
	// Cause is the error in English, from the system or the store.
	Cause string `json:"cause"`
}

// StoreReason is the kind of a StoreFailure, which decides what the user can do.
type StoreReason string

// The reasons.
const (
	// StoreNewer is a store of a newer version of Followup.
	StoreNewer StoreReason = "newer"
	// StoreNotFolder is a path that is a file.
	StoreNotFolder StoreReason = "notFolder"
	// StoreNotWritable is a folder without write permission.
	StoreNotWritable StoreReason = "notWritable"
	// StoreFull is a full disk.
	StoreFull StoreReason = "full"
	// StoreInUse is a store that another program uses, or that cannot be reached at the moment.
	StoreInUse StoreReason = "inUse"
	// StoreOther is any other reason.
	StoreOther StoreReason = "other"
)

// Inbox is a snapshot.
type Inbox struct {
	// Items are the open questions, oldest first.
	Items []InboxItem `json:"items"`
	// More is the number of open questions that did not fit into the message. InboxDidChange sends them next.
	More int `json:"more,omitempty"`
	// Storage reports whether everything is saved on disk; absent without a storage folder.
	Storage *Storage `json:"storage,omitempty"`
	// Hub is the team's hub whose questions are included; absent if none was ever set.
	Hub *HubState `json:"hub,omitempty"`
}

// Storage reports whether questions and answers are saved on disk.
type Storage struct {
	// Saved is false while they are only in memory. The sidecar keeps trying and then saves them.
	Saved bool `json:"saved"`
	// Problem says in the user's language what is wrong, or what was wrong if Saved is true; absent if there is nothing to report.
	Problem string `json:"problem,omitempty"`
	// Hung means that the keeper does not respond. The user can restart it.
	Hung bool `json:"hung,omitempty"`
}

// InboxChange is the changes since the snapshot or the previous change. Apply Removed, then Items, then Grown.
type InboxChange struct {
	// Removed are ids of questions that were never complete: invalid, truncated, or withdrawn while they arrived.
	Removed []string `json:"removed,omitempty"`
	// Items are new, or replace those with the same id. A closed one has its outcome and is not sent again.
	Items []InboxItem `json:"items,omitempty"`
	// Grown are the new parts of streaming questions.
	Grown []InboxGrowth `json:"grown,omitempty"`
	// More is the number of questions of the snapshot that follow; absent when it is complete.
	More int `json:"more,omitempty"`
	// Storage is present if it changed.
	Storage *Storage `json:"storage,omitempty"`
	// Hub is present if it changed.
	Hub *HubState `json:"hub,omitempty"`
}

// ItemState is the state of a question.
type ItemState string

// The states.
const (
	// ItemStreaming is a question that is still arriving and cannot be answered.
	ItemStreaming ItemState = "streaming"
	// ItemPending is a question that can be answered. Each session has at most one.
	ItemPending ItemState = "pending"
	// ItemQueued is a question that waits for the previous one.
	ItemQueued ItemState = "queued"
	// ItemHeld is an invalid call that waits for the user's guidance. The inbox does not contain it.
	ItemHeld ItemState = "held"
	// ItemClosed is a question with an outcome.
	ItemClosed ItemState = "closed"
)

// Ask is the form of an item's payload.
type Ask string

// The forms.
const (
	// AskFollowup is one question, a Followup.
	AskFollowup Ask = "followup"
	// AskQuestions is a Questionnaire.
	AskQuestions Ask = "questions"
	// AskApproval is an Approval.
	AskApproval Ask = "approval"
)

// InboxItem is a question in the inbox.
type InboxItem struct {
	Envelope
	QuestionID string `json:"questionId"`
	Session    string `json:"session"`
	Agent      string `json:"agent"`
	Tool       string `json:"tool"`
	// StreamID is the stream that contained the question, if any.
	StreamID string    `json:"streamId,omitempty"`
	State    ItemState `json:"state"`
	// Ask names the form of Payload.
	Ask Ask `json:"ask"`
	// Payload is the question: complete, unless it is streaming.
	Payload Payload `json:"payload"`
	// Rendered is the payload's Markdown; absent while the question is streaming.
	Rendered *Rendered `json:"rendered,omitempty"`
	// Guidance marks a request for guidance. It is answered and dismissed like a question.
	Guidance *Guidance `json:"guidance,omitempty"`
	// AskedAt is when the question began to arrive, in milliseconds since 1970.
	AskedAt int64 `json:"askedAt"`
	// Order is a global sequence number, assigned when the question is asked.
	Order int `json:"order"`
	// ReadOnly is present if the user may not decide this approval.
	ReadOnly *ReadOnly `json:"readOnly,omitempty"`
	// Draft is the last saved draft; only on an open item.
	Draft *Draft `json:"draft,omitempty"`
	// Workspaces are the conversation's folders. Interfaces show their own window's questions first.
	Workspaces []WorkspaceFolder `json:"workspaces,omitempty"`
	// Orphaned reports that no agent waits for the question. An answer is kept until an agent collects it.
	Orphaned bool `json:"orphaned,omitempty"`
	// Timer is present while a timed choice is running; see TimerConfigure.
	Timer *ItemTimer `json:"timer,omitempty"`
	// Outcome is how the question ended; only on a closed item.
	Outcome *ItemOutcome `json:"outcome,omitempty"`
	// Hub is the name of the team's hub that keeps the question; absent for the user's own.
	Hub string `json:"hub,omitempty"`
}

// ReadOnly names the people who may decide an approval at a hub when the user may not.
type ReadOnly struct {
	// Approvers are the names of people who see the approval and may decide it.
	Approvers []string `json:"approvers"`
}

// ItemTimer is the state of a timed choice. The sidecar runs the clock; interfaces count down from when they received this.
type ItemTimer struct {
	// Left is the number of milliseconds until the first suggestion is chosen.
	Left int64 `json:"left"`
}

// Guidance is why the user is asked to help an agent.
type Guidance struct {
	// ConsecutiveMistakes is the number of invalid calls in a row.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// Error is the error of the last one.
	Error CallError `json:"error"`
}

// InboxGrowth is the new part of a streaming question.
type InboxGrowth struct {
	QuestionID string `json:"questionId"`
	// Text continues the question's text.
	Text string `json:"text,omitempty"`
	// Suggest continues the suggestions; each is complete.
	Suggest []Suggestion `json:"suggest,omitempty"`
	// Parts are the new parts of a questionnaire, in order.
	Parts []PartGrowth `json:"parts,omitempty"`
}

// PartGrowth is the new part of one question of a questionnaire.
type PartGrowth struct {
	// Index is the question's index from 0. The first growth with an index begins the question.
	Index int `json:"index"`
	// Text continues the question's text.
	Text string `json:"text,omitempty"`
	// Header is the question's header, once it is complete.
	Header string `json:"header,omitempty"`
	// Options continue the options; each is complete.
	Options []Option `json:"options,omitempty"`
	// MultiSelect is true as soon as it is known that several options may be chosen.
	MultiSelect bool `json:"multiSelect,omitempty"`
}
