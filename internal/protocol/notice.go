package protocol

// The sidecar notifies the user once of a question that they cannot see, across all windows and processes that share the store. It
// decides which window notifies, when, and when the notification ends.
var (
	// NoticeAttend reports the state of a window, at first and after each change. Without it, the window gets no notifications.
	NoticeAttend = Notification[NoticeAttendParams]{"notice/attend"}
	// NoticeConfigure sets how the user wants to be notified. Until then, only the window does.
	NoticeConfigure = Notification[NoticeConfigureParams]{"notice/configure"}
	// NoticeDidChange, from the sidecar, has what the window shows outside its page. Apply Ended, then Notices.
	NoticeDidChange = Notification[NoticeChange]{"notice/didChange"}
)

// NoticeAttendParams is the state of a window.
type NoticeAttendParams struct {
	// CanNotify reports whether the window can show a notification at the moment.
	CanNotify bool `json:"canNotify"`
	// Focused reports whether the window has the focus.
	Focused bool `json:"focused"`
	// Visible reports whether the questions are on its screen.
	Visible bool `json:"visible"`
	// Questions are the ids of questions shown in their own tabs.
	Questions []string `json:"questions,omitempty"`
	// Shown are the ids of questions with a notification from before the sidecar restarted. The sidecar reports when these end.
	Shown []string `json:"shown,omitempty"`
	// WorkspaceFolders are the window's folders, which replace those of the handshake. If present, NoticeDidChange
	// also has waiting, reveals and wide.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitzero"`
}

// NoticeConfigureParams is how the user wants to be notified of a question that they cannot see.
type NoticeConfigureParams struct {
	// Editor enables notifications in the window, by NoticeDidChange.
	Editor bool `json:"editor"`
	// Desktop enables desktop notifications on the sidecar's machine while no window has the focus.
	Desktop bool `json:"desktop"`
	// Sound enables a short sound on that machine while no window has the focus.
	Sound bool `json:"sound"`
}

// NoticeChange is what a window shows outside its page.
type NoticeChange struct {
	// Notices are the new notifications.
	Notices []Notice `json:"notices,omitempty"`
	// Ended are ids of questions whose notification ends: they are closed, or the user sees them.
	Ended []string `json:"ended,omitempty"`
	// Waiting is present if it changed.
	Waiting *Waiting `json:"waiting,omitempty"`
	// Reveals are open questions of this window for which the page opens by itself, once each. Some may be repeated.
	Reveals []string `json:"reveals,omitempty"`
	// Wide are new questions of this window with previews, to open in tabs. Some may be repeated.
	Wide []InboxEntry `json:"wide,omitempty"`
}

// Waiting is what waits for the user.
type Waiting struct {
	// Count is the number of open questions of this window, queued ones included.
	Count int `json:"count"`
	// Answerable means that the user can answer some question, also one of another window.
	Answerable bool `json:"answerable"`
}

// Notice is a notification of a question. Its texts are one short line of plain text; those from an agent are untrusted.
type Notice struct {
	QuestionID string `json:"questionId"`
	// Title names the asker, in the user's language.
	Title string `json:"title"`
	// Text is the question, or the first of a questionnaire.
	Text string `json:"text"`
	// Ask determines how a choice is sent: as the suggestion of QuestionAnswer, or as the only pick.
	Ask Ask `json:"ask"`
	// Choices are the first suggestions or options, in order; absent if one click cannot answer.
	Choices []string `json:"choices,omitempty"`
}
