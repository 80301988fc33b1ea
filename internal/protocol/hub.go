package protocol

import "slices"

// Role is the role of a token at a hub.
type Role string

// The roles.
const (
	// RoleAgent asks, and reads the outcomes of its own questions.
	RoleAgent Role = "agent"
	// RolePerson answers and reads the history.
	RolePerson Role = "person"
)

// Hub identifies the hub and the client's account.
type Hub struct {
	// Name is the hub's display name.
	Name string `json:"name"`
	// Account is the token's account.
	Account string `json:"account"`
	Role    Role   `json:"role"`
}

// RoleRefused is the data of an error with CodeForbidden if the role may not send the method at all.
type RoleRefused struct {
	Role Role `json:"role"`
}

// lifecycleMethods are allowed for every role.
var lifecycleMethods = []string{Initialize.Method, Initialized.Method, Shutdown.Method, Exit.Method, CancelRequest.Method}

// hubMethods are the methods that each role may send to a hub. The others name files, change or delete shared data, affect the
// process, or stream, which is pointless since nobody would see a call arrive.
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

// May reports whether the role may send a method to a hub.
func (r Role) May(method string) bool { return slices.Contains(hubMethods[r], method) }
