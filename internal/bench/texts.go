package main

import (
	"encoding/json"
	"strings"
)

// chunk is how many bytes a contender gets at a time, about those of a model's token.
const chunk = 16

// paragraph is the text of the questions. It is ASCII, so it may be cut anywhere.
const paragraph = "The cache can live in the process or beside it. In the process it is gone with every restart, and each of\n" +
	"the workers warms its own; beside it there is one more thing to run, to watch and to pay for. Both have been\n" +
	"done before in this code base, and neither choice is final. Which of the two shall it be for now?\n\n"

// words returns about size bytes of text, without trailing white space.
func words(size int) string {
	return strings.TrimSpace(strings.Repeat(paragraph, size/len(paragraph)+1)[:max(size, 1)])
}

// callOf returns a call in tags, of about size bytes, nearly all of them in the question.
func callOf(size int) string {
	const before, after = "<ask_followup_question>\n<question>", "</question>\n<follow_up>\n<suggest>In the process</suggest>\n" +
		"<suggest mode=\"code\">Beside it</suggest>\n</follow_up>\n</ask_followup_question>"
	return before + words(size-len(before)-len(after)) + after
}

// argumentsOf returns the same as the arguments of a native call.
func argumentsOf(size int) string {
	type suggestion struct {
		Text string `json:"text"`
		Mode string `json:"mode,omitempty"`
	}
	written, err := json.Marshal(struct {
		Question string       `json:"question"`
		FollowUp []suggestion `json:"follow_up"`
	}{words(size - 100), []suggestion{{Text: "In the process"}, {"Beside it", "code"}}})
	check(err)
	return string(written)
}

// eachChunk passes on a text chunk by chunk.
func eachChunk[T string | []byte](text T, do func(T)) {
	for len(text) > 0 {
		n := min(chunk, len(text))
		do(text[:n])
		text = text[n:]
	}
}
