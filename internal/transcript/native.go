package transcript

import (
	"slices"
	"strconv"
	"strings"

	"followup/internal/question"
)

// native is how a tool asks by a call of its own.
type native struct {
	// read reads the arguments. Keys are what the result names the questions by. It returns false if nothing is asked. If read is nil,
	// dialect reads the call.
	read func(input []byte) (c question.Call, keys []string, ok bool)
	// judge is call.judge.
	judge func(c *call, r *result) bool
}

// natives are the calls by which tools ask, by name. A name means nothing outside the logs of its tool.
var natives = map[Source]map[string]*native{
	ClaudeCode: {question.ToolFollowup: {judge: judge}, question.ToolAskUser: {judge: judge}},
	Cline:      {"ask_question": clineQuestion},
	Codex:      {"request_user_input": codexQuestions},
	Gemini:     {"ask_user": geminiQuestions},
	Qwen:       {"ask_user_question": qwenQuestions},
	CopilotCLI: {"ask_user": copilotQuestion},
	Copilot:    {"vscode_askQuestions": copilotQuestions, "ask_questions": copilotQuestions, carousel: carouselQuestions},
}

// ownServer is the name of Followup's own server in an agent's configuration. The history has its questions already.
const ownServer = "followup"

// nativeOf returns how a call of the name asks the user, or nil if it asks nothing. Own is the name of the tool if it is one of Followup's,
// before which servers of the Model Context Protocol have theirs: mcp__server__tool, or server__tool in Cline.
func nativeOf(tool Source, name string) (n *native, own string) {
	if (tool == ClaudeCode || tool == Cline) && !strings.HasPrefix(strings.TrimPrefix(name, "mcp__"), ownServer+"__") {
		own = name[strings.LastIndex("__"+name, "__"):]
		if n = natives[ClaudeCode][own]; n != nil {
			return n, own
		}
	}
	return natives[tool][name], ""
}

// foreign is a question of a questionnaire as other tools spell it.
type foreign struct {
	question.Question
	ID, Type string
	Multiple bool
	IsSecret bool // Codex: the answer must not be shown
}

// byPlace returns a reader of questionnaires whose results name a question by its place, or by what key returns.
func byPlace(key func(foreign) string) func([]byte) (question.Call, []string, bool) {
	return func(input []byte) (question.Call, []string, bool) {
		var from struct{ Questions []foreign }
		decodeInto(input, &from)
		return questionnaireCall(from.Questions, key)
	}
}

// questionnaireCall is a valid call of a questionnaire, which can have fewer options, or more, than our tool takes. It returns false if
// nothing is asked, or a secret: what must not be shown must not be kept.
func questionnaireCall(from []foreign, key func(foreign) string) (c question.Call, keys []string, ok bool) {
	if slices.ContainsFunc(from, func(q foreign) bool { return q.IsSecret }) {
		return question.Call{}, nil, false
	}
	all := &question.Questionnaire{}
	for i, one := range from {
		q := one.Question
		if q.Question = strings.TrimSpace(q.Question); len(keys) == maxAnswers || q.Question == "" {
			continue
		}
		name := strconv.Itoa(i)
		if key != nil {
			name = key(one)
		}
		q.Header, q.MultiSelect = strings.TrimSpace(q.Header), q.MultiSelect || one.Multiple
		q.Options = slices.DeleteFunc(append([]question.Option{}, q.Options...), func(o question.Option) bool { return strings.TrimSpace(o.Label) == "" })
		if q.Options = q.Options[:min(len(q.Options), maxAnswers)]; one.Type == "yesno" { // Gemini CLI
			q.Options = []question.Option{{Label: "Yes"}, {Label: "No"}}
		}
		keys, all.Questions = append(keys, name), append(all.Questions, q)
	}
	c = question.Call{Tool: question.ToolAskUser, Questionnaire: all, Repairs: []question.Code{}, Notices: []question.Code{}}
	return c, keys, len(keys) > 0
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

// questions returns those of a valid questionnaire.
func (x *Exchange) questions() []question.Question {
	if x.Call.Questionnaire == nil {
		return nil
	}
	return x.Call.Questionnaire.Questions
}

// choose adds to an exchange what was answered to its questions, in their order: values adds the values of each to its pick. It returns
// false if there are none.
func (x *Exchange) choose(values func(i int, p *pick, q question.Question)) (isGiven bool) {
	picks := make([]question.Pick, len(x.questions()))
	for i, q := range x.questions() {
		p := (*pick)(&picks[i])
		values(i, p, q)
		isGiven = isGiven || picks[i].Answered() || p.Notes != ""
	}
	if x.Outcome = question.Answered; isGiven {
		x.Picks = picks
	}
	return isGiven
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
