package protocol

import (
	"slices"
)

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
		QuestionAsk.Method, QuestionAwait.Method, QuestionWithdraw.Method, QuestionConfirm.Method, QuestionList.Method,
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

// A team's hub in addition to the user's own inbox. The editor names it, and the keeper has one link to it for all windows. The
// inbox includes its open questions.
var (
	// HubConnect sets the hub, replacing the previous one. It returns when the link's state is known, or after 10 s; the keeper
	// keeps trying.
	HubConnect = Request[HubConnectParams, HubState]{"hub/connect"}
)

// HubConnectParams name a hub.
type HubConnectParams struct {
	// URL is the hub's address; empty for no hub.
	URL string `json:"url,omitempty"`
	// Token is the user's token. It is only kept in memory.
	Token string `json:"token,omitempty"`
	// Certificates is a PEM file of certificates to trust in addition to the system's.
	Certificates string `json:"certificates,omitempty"`
}

// HubLink is the state of a link to a hub.
type HubLink string

// The states of a link.
const (
	// HubOff means that no hub is set.
	HubOff HubLink = "off"
	// HubConnecting means that the keeper is trying to connect. Known questions remain readable.
	HubConnecting HubLink = "connecting"
	// HubConnected means that the link works.
	HubConnected HubLink = "connected"
	// HubRefused means that only the user can fix the problem.
	HubRefused HubLink = "refused"
)

// HubState is the hub's state for the user.
type HubState struct {
	State HubLink `json:"state"`
	URL   string  `json:"url,omitempty"`
	// Name is the hub's own name; absent before the first link.
	Name string `json:"name,omitempty"`
	// Account is the user's account; absent without a link.
	Account string `json:"account,omitempty"`
	// Problem is why there is no link, in the user's language; absent if not known yet.
	Problem string `json:"problem,omitempty"`
}
