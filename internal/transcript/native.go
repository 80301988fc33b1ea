package transcript

import (
	"slices"
	"strconv"
	"strings"

	"followup/internal/question"
)

// native is how a tool asks by a call of its own, with another name, form and result than Followup's tools.
type native struct {
	// read reads the arguments. Keys are what the result names the questions by. It returns false if nothing is asked. If read is nil,
	// dialect reads the call.
	read func(input []byte) (c question.Call, keys []string, ok bool)
	// judge is log.judge for its results.
	judge func(r *result, x *Exchange) bool
}

// natives are the calls by which tools ask, by name. A name means nothing outside the logs of its tool.
var natives = map[Source]map[string]*native{
	ClaudeCode: {question.ToolFollowup: {}, question.ToolAskUser: {}},
	Cline:      {"ask_question": clineQuestion},
	Codex:      {"request_user_input": codexQuestions},
	Gemini:     {"ask_user": geminiQuestions},
	Qwen:       {"ask_user_question": qwenQuestions},
	CopilotCLI: {"ask_user": copilotQuestion},
	Copilot:    {"vscode_askQuestions": copilotQuestions, "ask_questions": copilotQuestions, carousel: carouselQuestions},
}

// foreign is a question of a questionnaire as other tools spell it.
type foreign struct {
	ID, Header, Question, Type string
	Options                    []foreignOption
	MultiSelect, Multiple      bool
	Secret                     bool `json:"isSecret"` // Codex: the answer must not be shown
}

type foreignOption struct{ Label, Description string }

// byPlace returns a reader of questionnaires whose results name a question by its place, or by what key returns.
func byPlace(key func(foreign) string) func([]byte) (question.Call, []string, bool) {
	return func(input []byte) (question.Call, []string, bool) {
		var from struct{ Questions []foreign }
		decodeInto(input, &from)
		return questionnaireCall(from.Questions, key)
	}
}

// questionnaireCall is a valid call of a questionnaire. It returns false if nothing is asked, or a secret: what must not be shown must
// not be kept.
func questionnaireCall(from []foreign, key func(foreign) string) (c question.Call, keys []string, ok bool) {
	if slices.ContainsFunc(from, func(q foreign) bool { return q.Secret }) {
		return question.Call{}, nil, false
	}
	var all question.Questionnaire
	for i, one := range from {
		if len(keys) == maxAnswers || strings.TrimSpace(one.Question) == "" {
			continue
		}
		name := strconv.Itoa(i)
		if key != nil {
			name = key(one)
		}
		keys = append(keys, name)
		all.Questions = append(all.Questions, one.asked())
	}
	c = question.Call{Tool: question.ToolAskUser, Questionnaire: &all, Repairs: []question.Code{}, Notices: []question.Code{}}
	return c, keys, len(keys) > 0
}

// asked is the question in our form. It can have fewer options, or more, than the tool of the name takes.
func (one foreign) asked() question.Question {
	q := question.Question{
		Question: strings.TrimSpace(one.Question), Header: strings.TrimSpace(one.Header), MultiSelect: one.MultiSelect || one.Multiple,
		Options: []question.Option{},
	}
	for _, o := range one.Options {
		if len(q.Options) < maxAnswers && strings.TrimSpace(o.Label) != "" {
			q.Options = append(q.Options, question.Option{Label: o.Label, Description: o.Description})
		}
	}
	if one.Type == "yesno" { // Gemini CLI
		q.Options = []question.Option{{Label: "Yes"}, {Label: "No"}}
	}
	return q
}

// followupCall is a valid call of one question. It leaves out suggestions without text, and returns false if nothing is asked.
func followupCall(text string, suggestions ...string) (c question.Call, keys []string, ok bool) {
	asked := question.Followup{Question: strings.TrimSpace(text), Suggest: []question.Suggestion{}}
	for _, s := range suggestions {
		if len(asked.Suggest) < maxAnswers && strings.TrimSpace(s) != "" {
			asked.Suggest = append(asked.Suggest, question.Suggestion{Answer: s})
		}
	}
	c = question.Call{Tool: question.ToolFollowup, Followup: &asked, Repairs: []question.Code{}, Notices: question.Notices(asked.Suggest)}
	return c, nil, asked.Question != ""
}

// oneQuestion reads a question with texts to choose from.
func oneQuestion(input []byte) (c question.Call, keys []string, ok bool) {
	var from struct {
		Question         string
		Options, Choices []string
	}
	decodeInto(input, &from)
	return followupCall(from.Question, append(from.Options, from.Choices...)...)
}

// choose adds to an exchange what was answered to its questions, in their order: values adds the values of each to its answer.
func (x *Exchange) choose(values func(i int, a *Answer, q question.Question)) bool {
	for i, q := range askedBy(x) {
		a := Answer{Question: q.Question}
		if values(i, &a, q); a.given() {
			x.Answers = append(x.Answers, a)
		}
	}
	x.Outcome = question.Answered
	return len(x.Answers) > 0
}

// answer sets the user's words.
func (x *Exchange) answer(words string) bool {
	x.Outcome, x.AnswerText = question.Answered, words
	return true
}

// dismissed gives an exchange that outcome if the text holds one of the sentences.
func (x *Exchange) dismissed(text string, sentences ...string) bool {
	return slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(text, s) }) && x.dismiss()
}

// dismiss sets the outcome of a question that the user declined to answer.
func (x *Exchange) dismiss() bool {
	x.Outcome = question.Dismissed
	return true
}
