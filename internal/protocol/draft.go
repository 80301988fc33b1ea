package protocol

// QuestionSaveDraft saves the user's unsent answer to an open question, and returns once it is saved. An empty draft deletes it; an
// older one than the saved draft is ignored. Each image is sent once, later only its hash. A question has one draft. At a hub it
// belongs to the first person who began one, until it is empty again.
var QuestionSaveDraft = Request[SaveDraftParams, SaveDraftResult]{"question/saveDraft"}

// SaveDraftParams is an unsent answer.
type SaveDraftParams struct {
	QuestionID string `json:"questionId"`
	Draft      Draft  `json:"draft"`
}

// SaveDraftResult reports whether a draft was saved.
type SaveDraftResult struct {
	// Missing are hashes of images that are unknown and came without data. If there are any, nothing was saved: send the draft again
	// with their data.
	Missing []string `json:"missing,omitempty"`
	// Unkept means that nothing was saved, because the question has another person's draft. The caller keeps its own.
	Unkept bool `json:"unkept,omitempty"`
}

// Draft is an unsent answer.
type Draft struct {
	// Text is the content of the text box: the user's own answer, or a reply to a questionnaire.
	Text string `json:"text,omitempty"`
	// Suggestion is the index of the suggestion that the text came from.
	Suggestion *int `json:"suggestion,omitempty"`
	// Mode is the mode of that suggestion.
	Mode string `json:"mode,omitempty"`
	// Picks are the choices in a questionnaire so far, one per question in order.
	Picks []PickDraft `json:"picks,omitempty"`
	// Comments are the comments on a plan so far, in any order.
	Comments []PlanComment `json:"comments,omitempty"`
	// Step is the index of the shown question of the questionnaire; one past the last is the review.
	Step int `json:"step,omitempty"`
	// Replying means that the text box for a reply is open.
	Replying bool `json:"replying,omitempty"`
	// Images are the images added so far.
	Images []DraftImage `json:"images,omitempty"`
	// Quotes are the quotes added from the editor so far.
	Quotes []Quote `json:"quotes,omitempty"`
	// ChangedAt is the time of the last change, in milliseconds since 1970.
	ChangedAt int64 `json:"changedAt,omitempty"`
	// By is the draft's owner at a hub. The hub sets it, and sends the draft to nobody else.
	By string `json:"by,omitempty"`
}

// PlanComment is a comment on a paragraph of a plan, or on a passage in it.
type PlanComment struct {
	// Paragraph is the index among the nodes of Rendered.Subject.
	Paragraph int `json:"paragraph"`
	// Passage is the selected text; empty if the comment is on the whole paragraph.
	Passage string `json:"passage,omitempty"`
	Text    string `json:"text"`
}

// PickDraft is an unsent choice for one question of a questionnaire.
type PickDraft struct {
	// Options are the indexes of the chosen options.
	Options []int `json:"options,omitempty"`
	// Other is the text in the box for the user's own words, chosen or not.
	Other string `json:"other,omitempty"`
	// OtherChosen means that the user's own words are chosen.
	OtherChosen bool `json:"otherChosen,omitempty"`
	// Notes are words in addition to the choice.
	Notes string `json:"notes,omitempty"`
}

// DraftImage is an image in a draft.
type DraftImage struct {
	// Hash identifies the image: the SHA-256, in hexadecimal, of the type, a line feed and the bytes. It may be absent if Data is
	// present.
	Hash string `json:"hash,omitempty"`
	// MimeType is image/png, image/jpeg, image/gif or image/webp.
	MimeType string `json:"mimeType"`
	// Data is base64 without a data: prefix. It is absent if the other side already has the image: it was sent in either direction
	// for the same question since inbox/subscribe.
	Data string `json:"data,omitempty"`
	// Name is the file's name, for its label; the agent does not get it.
	Name string `json:"name,omitempty"`
}
