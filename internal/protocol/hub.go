package protocol

import "slices"

// Role is what the holder of a token does at a hub.
type Role string

// The roles.
const (
	// RoleAgent asks, and reads what became of its own questions.
	RoleAgent Role = "agent"
	// RolePerson answers, and reads the history.
	RolePerson Role = "person"
)

// Hub tells a client of a hub where it is, and as whom.
type Hub struct {
	// Name is the hub's, as people know it.
	Name string `json:"name"`
	// Account is whose token was shown.
	Account string `json:"account"`
	Role    Role   `json:"role"`
}

// RoleRefused is the data of an error with CodeForbidden where the whole method is not the role's.
type RoleRefused struct {
	Role Role `json:"role"`
}

// lifecycleMethods are everybody's.
var lifecycleMethods = []string{Initialize.Method, Initialized.Method, Shutdown.Method, Exit.Method, CancelRequest.Method}

// hubMethods are what each role may send to a hub. What is in neither list is nobody's there: what names a file, changes or deletes what
// all share, reaches the process, or streams, since nobody would see a call arrive.
var hubMethods = map[Role][]string{
	RoleAgent: slices.Concat(lifecycleMethods, []string{
		SessionOpen.Method, SessionGet.Method, SessionClose.Method,
		QuestionAsk.Method, QuestionAwait.Method, QuestionWithdraw.Method,
		InboxStatus.Method,
	}),
	RolePerson: slices.Concat(lifecycleMethods, []string{
		InboxSubscribe.Method, InboxDidShow.Method, InboxStatus.Method,
		QuestionAnswer.Method, QuestionReply.Method, QuestionDecide.Method, QuestionDismiss.Method, QuestionSaveDraft.Method, QuestionTouch.Method,
		NoticeAttend.Method,
		HistoryList.Method, HistorySearch.Method, HistoryFacets.Method, HistoryGet.Method, HistoryText.Method,
		PushList.Method, PushSubscribe.Method, PushUnsubscribe.Method, PushTest.Method, PushDismiss.Method,
	}),
}

// May tells whether the role may send a method to a hub.
func (r Role) May(method string) bool { return slices.Contains(hubMethods[r], method) }
