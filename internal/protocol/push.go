package protocol

// Web Push notifies a browser while no page is open in it. All of these are about the browsers of one person.
var (
	// PushList lists the browsers that are notified.
	PushList = Request[None, PushListResult]{"push/list"}
	// PushSubscribe adds a browser, or changes how it is notified.
	PushSubscribe = Request[PushSubscribeParams, PushListResult]{"push/subscribe"}
	// PushUnsubscribe removes a browser.
	PushUnsubscribe = Request[PushEndpoint, PushListResult]{"push/unsubscribe"}
	// PushTest sends a browser a message, and returns when that was delivered or has failed.
	PushTest = Request[PushEndpoint, PushListResult]{"push/test"}
	// PushDismiss reports that a browser has removed a notification itself: nothing has to take its place when its question closes.
	PushDismiss = Notification[PushDismissParams]{"push/dismiss"}
)

// PushListResult is what a page needs for its settings.
type PushListResult struct {
	// Key is the server's public key, in base64url, that a browser subscribes with.
	Key      string        `json:"key"`
	Browsers []PushBrowser `json:"browsers"`
}

// PushBrowser is a browser that is notified.
type PushBrowser struct {
	PushEndpoint
	// Name is what people call it.
	Name string `json:"name"`
	// After is how many milliseconds a question waits for an answer before the browser is notified.
	After int `json:"after"`
	// Hidden leaves the question out: the notification names the agent alone.
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

// PushSubscribeParams are those of PushSubscribe.
type PushSubscribeParams struct {
	PushEndpoint
	// P256dh and Auth are the browser's public key and its secret, in base64url.
	P256dh string `json:"p256dh"`
	Auth   string `json:"auth"`
	Name   string `json:"name"`
	After  int    `json:"after"`
	Hidden bool   `json:"hidden,omitempty"`
	// Silent says that the browser can show a notification without a sound, so that one in the place of a closed question's disturbs nobody.
	Silent bool `json:"silent,omitempty"`
}

// PushMessage is what a browser's service worker is sent.
type PushMessage struct {
	// Tag names the notification. One with the same tag takes its place.
	Tag   string `json:"tag"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	// QuestionID is the question to open; absent if there is none or there are several.
	QuestionID string `json:"questionId,omitempty"`
	// Ask and Choices are as in Notice, of at most two choices.
	Ask     Ask      `json:"ask,omitempty"`
	Choices []string `json:"choices,omitempty"`
	// Over says that nothing waits any more: the notification replaces one that was shown, without a sound.
	Over bool `json:"over,omitempty"`
}
