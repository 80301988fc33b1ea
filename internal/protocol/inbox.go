package protocol

// The inbox is what a user's interface shows: the open questions of all sessions.
var (
	// InboxSubscribe gives a snapshot; InboxDidChange tells every change after it.
	InboxSubscribe = Request[None, Inbox]{"inbox/subscribe"}
	// InboxDidChange tells what changed, from the sidecar. Changes that a slow reader has not taken are joined.
	InboxDidChange = Notification[InboxChange]{"inbox/didChange"}
	// InboxDidShow tells whether the user can see the inbox here. Until it comes, whoever has subscribed shows it.
	InboxDidShow = Notification[InboxDidShowParams]{"inbox/didShow"}
	// InboxList lists the open questions in short.
	InboxList = Request[None, InboxListResult]{"inbox/list"}
	// InboxStatus tells whether somebody could see a question, for whoever asks without showing an inbox.
	InboxStatus = Request[None, InboxStatusResult]{"inbox/status"}
)

// InboxDidShowParams tells whether the user would notice a question.
type InboxDidShowParams struct {
	Shown bool `json:"shown"`
}

// InboxListResult are the open questions, oldest first.
type InboxListResult struct {
	Questions []InboxEntry `json:"questions"`
}

// InboxEntry is a question in short.
type InboxEntry struct {
	QuestionID string `json:"questionId"`
	Agent      string `json:"agent"`
	// Title is the question as plain text, short and in one line.
	Title string `json:"title"`
	// Answerable means that the user can answer it now. Those of other windows only are if there are no others.
	Answerable bool `json:"answerable"`
}

// InboxStatusResult tells how it stands with the inbox, in all processes that share the store.
type InboxStatusResult struct {
	// Shown tells that some process shows it where the user can see it.
	Shown bool `json:"shown"`
	// Storage is as in Inbox: what is not kept on disk is shown by this process alone.
	Storage *Storage `json:"storage,omitempty"`
	// NotOpened says why the store cannot be opened; absent while it is open.
	NotOpened *StoreFailure `json:"notOpened,omitempty"`
}

// StoreFailure is why a store cannot be opened.
type StoreFailure struct {
	Reason StoreReason `json:"reason"`
	// Cause is the error in English, as the system or the store words it.
	Cause string `json:"cause"`
}

// StoreReason is a kind of StoreFailure, by which a client says what the user can do.
type StoreReason string

// The reasons.
const (
	// StoreNewer is a store of a newer version of Followup.
	StoreNewer StoreReason = "newer"
	// StoreNotFolder is a place that is a file.
	StoreNotFolder StoreReason = "notFolder"
	// StoreNotWritable is a folder that the process may not write to.
	StoreNotWritable StoreReason = "notWritable"
	// StoreFull is a disk without room.
	StoreFull StoreReason = "full"
	// StoreInUse is a store that another program has, or that cannot be reached at the moment.
	StoreInUse StoreReason = "inUse"
	// StoreOther is anything else.
	StoreOther StoreReason = "other"
)

// Inbox is a snapshot.
type Inbox struct {
	// Items are the open questions, oldest first.
	Items []InboxItem `json:"items"`
	// More is how many others are open, where there are too many for one message: InboxDidChange tells them next.
	More int `json:"more,omitempty"`
	// Storage tells whether all this is kept on disk; absent where no storage folder was given.
	Storage *Storage `json:"storage,omitempty"`
	// Hub is the team's hub whose questions stand among the others; absent where none was ever set.
	Hub *HubState `json:"hub,omitempty"`
}

// Storage tells whether what is asked and answered is kept on disk.
type Storage struct {
	// Saved is false while it is kept in memory alone. The sidecar goes on trying, and saves then what was not saved.
	Saved bool `json:"saved"`
	// Problem tells the user what is wrong, or, where Saved is true, what was wrong; absent when there is nothing to tell.
	Problem string `json:"problem,omitempty"`
	// Hung says that the keeper does not answer. The user can restart it.
	Hung bool `json:"hung,omitempty"`
}

// InboxChange is what changed since the snapshot or the change before. Apply Removed, then Items, then Grown.
type InboxChange struct {
	// Removed are the ids of questions that never became whole: invalid, cut off, or taken back while they arrived.
	Removed []string `json:"removed,omitempty"`
	// Items are new, or take the place of those with the same id. One that is closed tells its outcome and is not
	// mentioned again.
	Items []InboxItem `json:"items,omitempty"`
	// Grown tells what has newly arrived of streaming questions.
	Grown []InboxGrowth `json:"grown,omitempty"`
	// More is how many questions of the snapshot are still to come; absent when it is complete.
	More int `json:"more,omitempty"`
	// Storage is there when it has changed, and so is Hub.
	Storage *Storage  `json:"storage,omitempty"`
	Hub     *HubState `json:"hub,omitempty"`
}

// ItemState is where a question stands.
type ItemState string

// The states.
const (
	// ItemStreaming is a question that is still arriving; it cannot be answered.
	ItemStreaming ItemState = "streaming"
	// ItemPending is a question that can be answered: at most one in a session.
	ItemPending ItemState = "pending"
	// ItemQueued is a question that waits for the one before it.
	ItemQueued ItemState = "queued"
	// ItemHeld is an invalid call that is not answered before the user has given guidance. It is not in the inbox.
	ItemHeld ItemState = "held"
	// ItemClosed is a question that has an outcome.
	ItemClosed ItemState = "closed"
)

// Ask names what an item asks.
type Ask string

// What is asked.
const (
	// AskFollowup is one question, a Followup.
	AskFollowup Ask = "followup"
	// AskQuestions is a Questionnaire.
	AskQuestions Ask = "questions"
	// AskApproval is an Approval.
	AskApproval Ask = "approval"
)

// InboxItem is a question as the interface sees it.
type InboxItem struct {
	Envelope
	QuestionID string `json:"questionId"`
	Session    string `json:"session"`
	Agent      string `json:"agent"`
	Tool       string `json:"tool"`
	// StreamID is the stream that the question arrived in, if it did.
	StreamID string    `json:"streamId,omitempty"`
	State    ItemState `json:"state"`
	// Ask names the form of Payload: as the interface of the seeds has it, ask("followup", payload).
	Ask Ask `json:"ask"`
	// Payload is what is known of the question: all of it, unless it is streaming.
	Payload Payload `json:"payload"`
	// Rendered is the payload's Markdown; absent while the question is streaming.
	Rendered *Rendered `json:"rendered,omitempty"`
	// Guidance marks a request for guidance in place of a question. It is answered and dismissed like a question.
	Guidance *Guidance `json:"guidance,omitempty"`
	// AskedAt is when it began to arrive, in milliseconds since 1970.
	AskedAt int64 `json:"askedAt"`
	// Order stands the questions of all sessions in the order of their asking.
	Order int `json:"order"`
	// ReadOnly is there if the user may not decide this approval.
	ReadOnly *ReadOnly `json:"readOnly,omitempty"`
	// Draft is what the user has begun, as it was last saved; only on an open item.
	Draft *Draft `json:"draft,omitempty"`
	// Workspaces are the folders that the conversation is about; the interface shows its own window's questions first.
	Workspaces []WorkspaceFolder `json:"workspaces,omitempty"`
	// Orphaned reports that no agent waits for the question. An answer is kept until an agent collects it.
	Orphaned bool `json:"orphaned,omitempty"`
	// Timer is there while a choice will be made for the user; see TimerConfigure.
	Timer *ItemTimer `json:"timer,omitempty"`
	// Outcome tells how it ended; only on a closed item.
	Outcome *ItemOutcome `json:"outcome,omitempty"`
	// Hub is what the team's hub is called that keeps it; absent from the user's own.
	Hub string `json:"hub,omitempty"`
}

// ReadOnly says who may decide an approval at a hub in place of the user, who has not the right to.
type ReadOnly struct {
	// Approvers are the people who see the approval and may decide it, by name.
	Approvers []string `json:"approvers"`
}

// ItemTimer is the clock of a timed choice. It is the sidecar's: whoever shows it counts down from when this was told.
type ItemTimer struct {
	// Left is after how many milliseconds the first suggestion is taken.
	Left int64 `json:"left"`
}

// Guidance tells why the user is asked to help an agent.
type Guidance struct {
	// ConsecutiveMistakes is how many invalid calls came in a row.
	ConsecutiveMistakes int `json:"consecutiveMistakes"`
	// Error is what was wrong with the last of them.
	Error CallError `json:"error"`
}

// InboxGrowth is what has newly arrived of a streaming question.
type InboxGrowth struct {
	QuestionID string `json:"questionId"`
	// Text belongs behind the question's text so far.
	Text string `json:"text,omitempty"`
	// Suggest belongs behind the suggestions so far; each is complete.
	Suggest []Suggestion `json:"suggest,omitempty"`
	// Parts are what has newly arrived of a questionnaire, in order.
	Parts []PartGrowth `json:"parts,omitempty"`
}

// PartGrowth is what has newly arrived of one question of a questionnaire.
type PartGrowth struct {
	// Index is the question, from 0; the first growth with an index begins that question.
	Index int `json:"index"`
	// Text belongs behind the question's text so far.
	Text string `json:"text,omitempty"`
	// Header is the question's header, once it is complete.
	Header string `json:"header,omitempty"`
	// Options belong behind the options so far; each is complete.
	Options []Option `json:"options,omitempty"`
	// MultiSelect is true once it is known that several options may be chosen.
	MultiSelect bool `json:"multiSelect,omitempty"`
}

// ItemOutcome is how a question ended, as the user is told.
type ItemOutcome struct {
	Outcome    Outcome    `json:"outcome"`
	Provenance Provenance `json:"provenance,omitempty"`
	// Text is the answer's text, without tags; of a questionnaire, the user's reply.
	Text string `json:"text,omitempty"`
	Mode string `json:"mode,omitempty"`
	// Suggestion is the index of the suggestion that was clicked, chosen or edited.
	Suggestion *int `json:"suggestion,omitempty"`
	// Note is the user's words beside a chosen suggestion.
	Note string `json:"note,omitempty"`
	// Picks are what was chosen of a questionnaire, one for each question in order.
	Picks []Pick `json:"picks,omitempty"`
	// Images is how many images went along.
	Images int `json:"images,omitempty"`
	// Quotes are the labels of what was added from the editor.
	Quotes []string `json:"quotes,omitempty"`
	// Option is the id of the option of an approval that the user chose, Changed the command that they allowed in place of the agent's,
	// and Client the program that the decision came from, with its machine at a hub.
	Option  string `json:"option,omitempty"`
	Changed string `json:"changed,omitempty"`
	Client  string `json:"client,omitempty"`
	// Elsewhere tells, of a question that was withdrawn, that the user has seen to it in the agent's own dialog. Text and Picks are
	// what they answered there, where that is known.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// AnsweredBy is the person who ended it, at a hub.
	AnsweredBy string `json:"answeredBy,omitempty"`
	// At is when, in milliseconds since 1970; absent where an imported log does not tell.
	At int64 `json:"at,omitempty"`
}
