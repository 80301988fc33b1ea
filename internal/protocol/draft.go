package protocol

// QuestionSaveDraft keeps what the user has begun for an open question, and is answered when it is kept. An empty draft
// takes it away; one that is older than what is kept changes nothing. An image travels once: later its hash is enough. A question has one
// draft: at a hub, that of whoever was first to begin, until it is empty again.
var QuestionSaveDraft = Request[SaveDraftParams, SaveDraftResult]{"question/saveDraft"}

// SaveDraftParams is what the user has begun.
type SaveDraftParams struct {
	QuestionID string `json:"questionId"`
	Draft      Draft  `json:"draft"`
}

// SaveDraftResult tells whether a draft was kept.
type SaveDraftResult struct {
	// Missing are the hashes of images that came without data and are not known. Nothing was kept then: send it again with them.
	Missing []string `json:"missing,omitempty"`
	// Unkept tells that nothing was kept, since somebody else's draft stands there: whoever sent it keeps it themselves.
	Unkept bool `json:"unkept,omitempty"`
}

// Draft is an answer that has not been given yet.
type Draft struct {
	// Text stands in the text box: the user's own answer, or, of a questionnaire, a reply.
	Text string `json:"text,omitempty"`
	// Suggestion is the index of the suggestion that the text came from.
	Suggestion *int `json:"suggestion,omitempty"`
	// Mode goes with that suggestion.
	Mode string `json:"mode,omitempty"`
	// Picks are what was chosen so far of a questionnaire, one for each question in order.
	Picks []PickDraft `json:"picks,omitempty"`
	// Comments are those on a plan so far, in any order.
	Comments []PlanComment `json:"comments,omitempty"`
	// Step is the question of the questionnaire that is shown; one past the last is the review.
	Step int `json:"step,omitempty"`
	// Replying tells that the text box for a reply is open.
	Replying bool `json:"replying,omitempty"`
	// Images are those added so far.
	Images []DraftImage `json:"images,omitempty"`
	// Quotes are what was added from the editor so far.
	Quotes []Quote `json:"quotes,omitempty"`
	// ChangedAt is when it was last changed, in milliseconds since 1970.
	ChangedAt int64 `json:"changedAt,omitempty"`
	// By is whose it is, at a hub, which sets it: nobody else is told of it.
	By string `json:"by,omitempty"`
}

// PlanComment is a comment on a paragraph of a plan, or on a passage in it.
type PlanComment struct {
	// Paragraph is its index among the nodes of Rendered.Subject.
	Paragraph int `json:"paragraph"`
	// Passage is what the user selected; empty if the comment is on the whole paragraph.
	Passage string `json:"passage,omitempty"`
	Text    string `json:"text"`
}

// PickDraft is what was begun for one question of a questionnaire.
type PickDraft struct {
	// Options are the indexes of the options that are chosen.
	Options []int `json:"options,omitempty"`
	// Other is what stands in the box for own words, whether or not it is chosen.
	Other string `json:"other,omitempty"`
	// OtherChosen tells that the own words are chosen.
	OtherChosen bool `json:"otherChosen,omitempty"`
	// Notes are the words beside the choice.
	Notes string `json:"notes,omitempty"`
}

// DraftImage is an image that was added to a draft.
type DraftImage struct {
	// Hash names the image: the SHA-256, in hexadecimal digits, of the type, a line feed and the bytes. It may be left out
	// where there is Data.
	Hash string `json:"hash,omitempty"`
	// MimeType is image/png, image/jpeg, image/gif or image/webp.
	MimeType string `json:"mimeType"`
	// Data is base64 without a data: prefix. It is left out of an image that the other side has: one that was sent, in either
	// direction, for the same question since inbox/subscribe.
	Data string `json:"data,omitempty"`
	// Name is the file's, for its label; not sent to the agent.
	Name string `json:"name,omitempty"`
}
