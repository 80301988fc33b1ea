package relay

import "followup/internal/protocol"

// What passes between a relay and a keeper alone.
var (
	// Ping is answered once the keeper has had its lock on the conversations.
	Ping = protocol.Request[protocol.None, protocol.None]{Method: "keeper/ping"}
	// Outside has the relay's process tell the user of a question by the desktop.
	Outside = protocol.Notification[OutsideParams]{Method: "keeper/outside"}
)

// OutsideParams say what the desktop shows, and whether it plays a sound.
type OutsideParams struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  bool   `json:"show,omitempty"`
	Sound bool   `json:"sound,omitempty"`
}
