package relay

import "followup/internal/protocol"

// Messages between a relay and a keeper only.
var (
	// Ping returns once the keeper has acquired its lock on the conversations.
	Ping = protocol.Request[protocol.None, protocol.None]{Method: "keeper/ping"}
	// Outside asks the relay's process to show a desktop notification.
	Outside = protocol.Notification[OutsideParams]{Method: "keeper/outside"}
)

// OutsideParams are a desktop notification, and whether it plays a sound.
type OutsideParams struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  bool   `json:"show,omitempty"`
	Sound bool   `json:"sound,omitempty"`
}
