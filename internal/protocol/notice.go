package protocol

// A question that the user cannot see is told of once, over all windows and processes that share the store. The sidecar decides in which
// of them, when, and when that ends; the window shows it.
var (
	// NoticeAttend tells how it stands with the window, at first and whenever that changes. Where it does not come, nothing is told.
	NoticeAttend = Notification[NoticeAttendParams]{"notice/attend"}
	// NoticeConfigure tells how the user wants to be told. Until it comes, by the window alone.
	NoticeConfigure = Notification[NoticeConfigureParams]{"notice/configure"}
	// NoticeDidChange tells the window what to show the user beside its page, from the sidecar. Apply Ended, then Told.
	NoticeDidChange = Notification[NoticeChange]{"notice/didChange"}
)

// NoticeAttendParams is how it stands with a window.
type NoticeAttendParams struct {
	// Tells tells whether it can tell the user of a question at the moment.
	Tells bool `json:"tells"`
	// Focused tells that the window has the focus.
	Focused bool `json:"focused"`
	// Visible tells that the questions are on its screen.
	Visible bool `json:"visible"`
	// Questions are the ids of those that are on its screen by themselves, in tabs of their own.
	Questions []string `json:"questions,omitempty"`
	// Telling are the ids of questions that it still tells of since a sidecar before this one: this one tells when that ends.
	Telling []string `json:"telling,omitempty"`
	// WorkspaceFolders are those of an editor's window, in place of those of the handshake. If they are there, the window is sent Waiting,
	// Reveals and Wide.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitzero"`
}

// NoticeConfigureParams is how the user wants to be told of a question that they cannot see.
type NoticeConfigureParams struct {
	// Editor: by NoticeDidChange.
	Editor bool `json:"editor"`
	// Desktop: by the desktop of the machine that the sidecar runs on, where the window does not have the focus.
	Desktop bool `json:"desktop"`
	// Sound: by a short sound there, likewise.
	Sound bool `json:"sound"`
}

// NoticeChange is what a window has to show beside its page.
type NoticeChange struct {
	// Told are new.
	Told []Notice `json:"told,omitempty"`
	// Ended are the ids of questions of which nothing is to be told any more: they do not wait, or the user sees them.
	Ended []string `json:"ended,omitempty"`
	// Waiting is there when it has changed.
	Waiting *Waiting `json:"waiting,omitempty"`
	// Reveals are open questions of this window for which the page appears by itself, once for each: some may come again.
	Reveals []string `json:"reveals,omitempty"`
	// Wide are new questions of this window with previews, likewise.
	Wide []InboxEntry `json:"wide,omitempty"`
}

// Waiting is what waits for the user.
type Waiting struct {
	// Count is how many questions of this window wait, those that wait for another one too.
	Count int `json:"count"`
	// Answerable means that some question can be answered, be it another window's.
	Answerable bool `json:"answerable"`
}

// Notice is what the user is told of a question. Its texts are plain, short and in one line; what an agent wrote in them is not trusted.
type Notice struct {
	QuestionID string `json:"questionId"`
	// Title tells who asks, in the user's language.
	Title string `json:"title"`
	// Text is the question, or the first of a questionnaire.
	Text string `json:"text"`
	// Ask tells how a choice is given: as the suggestion of QuestionAnswer, or as the only pick.
	Ask Ask `json:"ask"`
	// Choices are the first suggestions, or options, in order; absent where one click cannot answer.
	Choices []string `json:"choices,omitempty"`
}
