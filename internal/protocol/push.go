package protocol

// Web Push notifies a browser without an open page. These methods are about one person's browsers.
var (
	// PushList lists the browsers that are notified.
	PushList = Request[None, PushListResult]{"push/list"}
	// PushSubscribe adds a browser, or changes how it is notified.
	PushSubscribe = Request[PushSubscribeParams, PushListResult]{"push/subscribe"}
	// PushUnsubscribe removes a browser.
	PushUnsubscribe = Request[PushEndpoint, PushListResult]{"push/unsubscribe"}
	// PushTest sends a test message to a browser, and returns when it was delivered or has failed.
	PushTest = Request[PushEndpoint, PushListResult]{"push/test"}
	// PushDismiss reports that a browser has removed a notification itself, so it needs no replacement when its question closes.
	PushDismiss = Notification[PushDismissParams]{"push/dismiss"}
)

// PushListResult is the data of a page's settings.
type PushListResult struct {
	// Key is the server's public key in base64url, for a browser's subscription.
	Key      string        `json:"key"`
	Browsers []PushBrowser `json:"browsers"`
}

// PushBrowser is a browser that gets notifications.
type PushBrowser struct {
	PushEndpoint
	// Name is the browser's display name.
	Name string `json:"name"`
	// After is how many milliseconds a question waits for an answer before the browser is notified.
	After int `json:"after"`
	// Hidden omits the question: the notification only names the agent.
	Hidden bool `json:"hidden,omitempty"`
	// LastAt is when the last message was delivered or failed, in milliseconds since 1970. Absent if there was none.
	LastAt int64 `json:"lastAt,omitempty"`
	// Problem is why the last message failed, in English. Absent if it was delivered.
	Problem string `json:"problem,omitempty"`
}

// PushEndpoint names a browser.
type PushEndpoint struct {
	// Endpoint is the browser's address at its push service.
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
	// P256dh and Auth are the browser's public key and its secret, in base64url.
	P256dh string `json:"p256dh"`
	Auth   string `json:"auth"`
	Name   string `json:"name"`
	After  int    `json:"after"`
	Hidden bool   `json:"hidden,omitempty"`
	// Silent means that the browser can show a notification without a sound, so that a replacement for a closed question disturbs
	// nobody.
	Silent bool `json:"silent,omitempty"`
}

// PushMessage is a message to a browser's service worker.
type PushMessage struct {
	// Tag identifies the notification. One with the same tag replaces it.
	Tag   string `json:"tag"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	// QuestionID is the question to open; absent if there is none or there are several.
	QuestionID string `json:"questionId,omitempty"`
	// Ask and Choices are as in Notice, with at most two choices.
	Ask     Ask      `json:"ask,omitempty"`
	Choices []string `json:"choices,omitempty"`
	// Over means that no question waits any more: the notification silently replaces one that was shown.
	Over bool `json:"over,omitempty"`
}
