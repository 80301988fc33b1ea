package protocol

// The user's interface is a page that shows untrusted text from agents. It runs in a webview of the editor or in a browser and
// speaks this protocol. A pipe connects it to the sidecar and limits its rights: it passes the methods listed here and rejects all
// others. So a compromised page can only do what its user can: it cannot ask in an agent's name, read or write files, change
// settings, or end the sidecar.
//
// The pipe completes the handshake before the page may send. If several pages, or a page and the editor, share a connection, the
// pipe gives every request its own id, also in CancelRequest.
var (
	// InterfaceMethods are the methods that a page may send. The pipe rejects other requests with MethodNotFound, drops other
	// notifications, and logs both.
	InterfaceMethods = []string{
		CancelRequest.Method,
		InboxSubscribe.Method,
		InboxDidShow.Method,
		NoticeAttend.Method,
		QuestionAnswer.Method,
		QuestionReply.Method,
		QuestionDecide.Method,
		QuestionDismiss.Method,
		QuestionSaveDraft.Method,
		QuestionTouch.Method,
		HistoryList.Method,
		HistorySearch.Method,
		HistoryFacets.Method,
		HistoryGet.Method,
		HistoryDelete.Method,
		HistoryRestore.Method,
		HistoryText.Method,
		PushList.Method,
		PushSubscribe.Method,
		PushUnsubscribe.Method,
		PushTest.Method,
		PushDismiss.Method,
	}
	// InterfaceNotifications are the sidecar's notifications that a page receives.
	InterfaceNotifications = []string{
		InboxDidChange.Method,
		NoticeDidChange.Method,
		HistoryDidChange.Method,
	}
)
