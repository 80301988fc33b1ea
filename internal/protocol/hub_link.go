package protocol

// A team's hub beside the user's own inbox: the editor says which, and the keeper has one link to it for all windows. What is open there
// stands in the inbox with the others.
var (
	// HubConnect names the hub, in place of the one before. It is answered when it is known whether there is a link, or after 10 s
	// without one; the keeper keeps trying.
	HubConnect = Request[HubConnectParams, HubState]{"hub/connect"}
)

// HubConnectParams name a hub.
type HubConnectParams struct {
	// URL is its address; empty: there is none any more.
	URL string `json:"url,omitempty"`
	// Token is the user's. It is kept in memory alone.
	Token string `json:"token,omitempty"`
	// Certificates is a file with certificates in PEM that are trusted besides the system's.
	Certificates string `json:"certificates,omitempty"`
}

// HubLink is whether there is a link to a hub.
type HubLink string

// The states of a link.
const (
	// HubOff: no hub is set.
	HubOff HubLink = "off"
	// HubConnecting: there is no link, and it is tried to make one. What was open there may be looked at.
	HubConnecting HubLink = "connecting"
	// HubConnected: there is a link.
	HubConnected HubLink = "connected"
	// HubRefused: only the user can mend what is wrong.
	HubRefused HubLink = "refused"
)

// HubState is a hub as the user sees it.
type HubState struct {
	State HubLink `json:"state"`
	URL   string  `json:"url,omitempty"`
	// Name is what the hub calls itself; absent before there was a link.
	Name string `json:"name,omitempty"`
	// Account is whom the hub takes the user for; absent where there is no link.
	Account string `json:"account,omitempty"`
	// Problem is why there is no link, in the user's language; absent where that is not known yet.
	Problem string `json:"problem,omitempty"`
}
