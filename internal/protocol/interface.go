package protocol

// The user's interface is a page that shows what an agent wrote. It runs in a webview of the editor or in a browser, and speaks
// this protocol itself: what stands between it and the sidecar is a pipe. The pipe is where the page's rights end. It passes
// what is named here and refuses everything else, so that a page that was taken over can do what its user can, and no more: it
// cannot ask in an agent's name, read or write a file, change a setting, or end the sidecar.
//
// The pipe is the one that shakes hands, before the page is heard. Where several pages share a connection, or a page and the
// editor, it gives every request an id of its own, also in CancelRequest.
var (
	// InterfaceMethods are what the page may send: every other request is refused with MethodNotFound, every other
	// notification is dropped, and either is logged.
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
	// InterfaceNotifications are what the page is told, besides the answers to its own requests. No other notification of
	// the sidecar's is meant for it.
	InterfaceNotifications = []string{
		InboxDidChange.Method,
		NoticeDidChange.Method,
		HistoryDidChange.Method,
	}
)
