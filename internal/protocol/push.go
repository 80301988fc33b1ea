package protocol

// Web Push notifies a browser without an open page. An address gets the same messages as a webhook or over ntfy. These methods
// are about one person's browsers and addresses.
var (
	// PushList lists the browsers and addresses to notify.
	PushList = Request[None, PushListResult]{"push/list"}
	// PushSubscribe adds a browser, or changes how it is notified.
	PushSubscribe = Request[PushSubscribeParams, PushListResult]{"push/subscribe"}
	// PushUnsubscribe removes a browser.
	PushUnsubscribe = Request[PushEndpoint, PushListResult]{"push/unsubscribe"}
	// PushTest sends a test message to a browser or an address, and returns when it was delivered or has failed.
	PushTest = Request[PushEndpoint, PushListResult]{"push/test"}
	// PushDismiss reports that a browser has removed a notification itself, so it needs no replacement when its question closes.
	PushDismiss = Notification[PushDismissParams]{"push/dismiss"}
	// PushNotify notifies an address until the request is cancelled. It only returns earlier if the address is refused.
	PushNotify = Request[PushNotifyParams, None]{"push/notify"}
)

// PushListResult is the data of a page's settings.
type PushListResult struct {
	// Key is the server's public key in base64url, for a browser's subscription.
	Key      string         `json:"key"`
	Browsers []PushReceiver `json:"browsers"`
	// Addresses are those that running programs or the hub named. Their endpoints are identifiers for PushTest.
	Addresses []PushReceiver `json:"addresses"`
}

// PushReceiver is a browser or an address that gets notifications.
type PushReceiver struct {
	PushEndpoint
	// Name is the receiver's display name.
	Name string `json:"name"`
	// After is how many milliseconds a question waits for an answer before the receiver is notified.
	After int `json:"after"`
	// Hidden omits the question: the notification only names the agent.
	Hidden bool `json:"hidden,omitempty"`
	// LastAt is when the last message was delivered or failed, in milliseconds since 1970. Absent if there was none.
	LastAt int64 `json:"lastAt,omitempty"`
	// Problem is why the last attempt failed, in English. Absent if it succeeded.
	Problem string `json:"problem,omitempty"`
}

// PushEndpoint names a receiver.
type PushEndpoint struct {
	// Endpoint is a browser's address at its push service.
	Endpoint string `json:"endpoint"`
}

// PushDismissParams name a notification.
type PushDismissParams struct {
	PushEndpoint
	Tag string `json:"tag"`
}

// PushSubscribeParams are a browser's subscription.
type PushSubscribeParams struct {
	PushEndpoint
	// P256dh is the browser's public key, in base64url.
	P256dh string `json:"p256dh"`
	// Auth is the browser's secret, in base64url.
	Auth   string `json:"auth"`
	Name   string `json:"name"`
	After  int    `json:"after"`
	Hidden bool   `json:"hidden,omitempty"`
	// Silent means that the browser can show a notification without a sound, so that a replacement for a closed question disturbs
	// nobody.
	Silent bool `json:"silent,omitempty"`
}

// PushNotifyParams name an address.
type PushNotifyParams struct {
	// URL is a webhook's address, or ntfy://HOST/TOPIC.
	URL string `json:"url"`
	// Secret signs a webhook's requests (whsec_…), or is an access token of ntfy.
	Secret string `json:"secret,omitempty"`
	// Private permits addresses of this machine and of private networks, and plain HTTP.
	Private bool `json:"private,omitempty"`
	// Page is the address of the user's page, for links in notifications.
	Page   string `json:"page,omitempty"`
	After  int    `json:"after"`
	Hidden bool   `json:"hidden,omitempty"`
}

// NotifyEvent is the body of a webhook's request.
type NotifyEvent struct {
	// Type is NotifyWaiting, NotifyOver or NotifyTest.
	Type string `json:"type"`
	// Timestamp is the time of the event, as in RFC 3339.
	Timestamp string      `json:"timestamp"`
	Data      PushMessage `json:"data"`
}

// The types of events.
const (
	// NotifyWaiting means that questions wait for an answer, NotifyOver that none of them does any more.
	NotifyWaiting = "question.waiting"
	NotifyOver    = "question.over"
	// NotifyTest is a test.
	NotifyTest = "test"
)

// PushMessage is a message to a browser's service worker, or to an address.
type PushMessage struct {
	// Tag identifies the notification. One with the same tag replaces it.
	Tag   string `json:"tag"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	// QuestionID is the question to open; absent if there is none or there are several.
	QuestionID string `json:"questionId,omitempty"`
	// URL opens the question on the user's page. Absent for browsers, which know their own page.
	URL string `json:"url,omitempty"`
	// Ask and Choices are as in Notice, with at most two choices.
	Ask     Ask      `json:"ask,omitempty"`
	Choices []string `json:"choices,omitempty"`
	// Over means that none of the questions waits any more: the notification silently replaces the one with the same tag.
	Over bool `json:"over,omitempty"`
}
