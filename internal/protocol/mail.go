package protocol

// MailDescribe says in the user's words what a mailto: link begins, so that they can be asked.
var MailDescribe = Request[HostLink, MailDescription]{"mail/describe"}

// MailDescription is a question to the user.
type MailDescription struct {
	// Question names who gets the email, Detail all else that the link says, and Button goes on.
	Question string `json:"question"`
	Detail   string `json:"detail"`
	Button   string `json:"button"`
}
