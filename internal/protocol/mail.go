package protocol

// MailDescribe describes in the user's language what a mailto: link does, for a confirmation.
var MailDescribe = Request[HostLink, MailDescription]{"mail/describe"}

// MailDescription is the confirmation.
type MailDescription struct {
	// Question names the recipients, Detail the rest of the link, and Button confirms.
	Question string `json:"question"`
	Detail   string `json:"detail"`
	Button   string `json:"button"`
}
