package transcript

import (
	"slices"
	"strconv"
	"strings"

	"followup/internal/dialect"
	"followup/internal/question"
)

// native describes how a tool asks by a call of its own.
type native struct {
	// read parses the arguments. keys are the names of the questions in the result. It returns false if there is no
	// question. If read is nil, package dialect reads the call.
	read func(input value) (c question.Call, keys []string, ok bool)
	// judge sets the outcome by the result. It returns false if the result is not an answer.
	judge func(c *call, r *result) bool
	// refusals are sentences: a result that contains one of them means that the user declined.
	refusals []string
}

// natives are the calls by which tools ask, by name. A name is only looked up in the logs of its tool.
var natives = map[Source]map[string]*native{
	ClaudeCode: {question.ToolFollowup: {judge: wordsAnswer}, question.ToolAskUser: {judge: pairsAnswer}},
	Cline:      {"ask_question": {oneQuestion, clineAnswer, nil}},
	Codex:      {"request_user_input": {namedBy(id), answers, []string{"was cancelled before receiving a response", "aborted by user"}}},
	Gemini:     {"ask_user": {namedBy(place), answers, []string{"User dismissed ask_user dialog", "[Operation Cancelled]"}}},
	Qwen:       {"ask_user_question": {namedBy(title), qwenAnswers, []string{"User declined to answer the questions"}}},
	OpenCode:   {"question": {namedBy(place), partAnswers, []string{"user dismissed"}}},
	Kimi:       {question.ToolAskUser: {namedBy(text), answers, []string{"User dismissed the question"}}},
	CopilotCLI: {"ask_user": {oneQuestion, copilotAnswer, []string{"User cancelled the request"}}},
	Copilot: {
		"vscode_askQuestions": {namedBy(header), answers, nil}, "ask_questions": {namedBy(header), answers, nil},
		carousel: {carouselCall, carouselAnswers, nil},
	},
}

// ownServer is the name of Followup's own server in an agent's configuration. The history already has its questions.
const ownServer = "followup"

// nativeOf returns how a call of that name asks the user, or nil if it does not ask. own is the tool's name if the tool is
// one of Followup's, which MCP servers prefix with their own name: mcp__server__tool, or server__tool in Cline.
func nativeOf(tool Source, name string) (n *native, own string) {
	if (tool == ClaudeCode || tool == Cline) && !strings.HasPrefix(strings.TrimPrefix(name, "mcp__"), ownServer+"__") {
		own = name[strings.LastIndex("__"+name, "__"):]
		if n = natives[ClaudeCode][own]; n != nil {
			return n, own
		}
	}
	return natives[tool][name], ""
}

// How results name a question: by its position, its id, its header or its text.
func place(at int, _ dialect.Asked) string { return strconv.Itoa(at) }
func id(_ int, q dialect.Asked) string     { return q.ID }
func header(_ int, q dialect.Asked) string { return q.Header }
func text(_ int, q dialect.Asked) string   { return q.Question }

// namedBy returns a reader of questionnaires whose results name the questions by key.
func namedBy(key func(int, dialect.Asked) string) func(value) (question.Call, []string, bool) {
	return func(input value) (question.Call, []string, bool) {
		asked, _ := dialect.ReadAsked([]byte(input.json.Raw)) // with an error, it still returns the readable questions
		return questionnaireCall(asked, key)
	}
}

// questionnaireCall returns a valid call of a questionnaire. Unlike a call of our own tool, it may have any number of
// options. It returns false if there is no question.
func questionnaireCall(asked []dialect.Asked, key func(int, dialect.Asked) string) (c question.Call, keys []string, ok bool) {
	all := &question.Questionnaire{}
	for i, one := range asked {
		q := question.Question{Question: strings.TrimSpace(one.Question), Header: strings.TrimSpace(one.Header), MultiSelect: one.Multi, Options: []question.Option{}}
		if q.Question == "" {
			continue
		}
		for _, o := range one.Options {
			if strings.TrimSpace(o.Label) != "" {
				q.Options = append(q.Options, question.Option(o))
			}
		}
		keys, all.Questions = append(keys, key(i, one)), append(all.Questions, q)
	}
	c = question.Call{Tool: question.ToolAskUser, Questionnaire: all, Repairs: []question.Code{}, Notices: []question.Code{}}
	return c, keys, len(keys) > 0
}

// oneQuestion reads a single question, whose options are texts.
func oneQuestion(input value) (c question.Call, keys []string, ok bool) {
	asked, _ := dialect.ReadAsked([]byte(input.json.Raw))
	if len(asked) != 1 {
		return question.Call{}, nil, false
	}
	var suggestions []question.Suggestion
	for _, o := range asked[0].Options {
		suggestions = append(suggestions, question.Suggestion{Answer: o.Label})
	}
	c, ok = followupCall(asked[0].Question, suggestions)
	return c, nil, ok
}

// followupCall returns a valid call of one question. It omits suggestions without text, and returns false if there is no
// question.
func followupCall(text string, suggestions []question.Suggestion) (c question.Call, ok bool) {
	asked := question.Followup{Question: strings.TrimSpace(text), Suggest: []question.Suggestion{}}
	for _, s := range suggestions {
		if strings.TrimSpace(s.Answer) != "" {
			asked.Suggest = append(asked.Suggest, s)
		}
	}
	c = question.Call{Tool: question.ToolFollowup, Followup: &asked, Repairs: []question.Code{}, Notices: question.Notices(asked.Suggest)}
	return c, asked.Question != ""
}

// answers judges results that are {"answers": {key: answer}} in JSON.
func answers(c *call, r *result) bool { return c.exact(parse(r.first)) }

// exact reads {"answers": {key: answer}, "annotations": {key: {"notes"}}}. Answers to questions that are not in the call become
// a reply. It returns false if no question was answered or skipped, or the tool continued without the user.
func (c *call) exact(values value) bool {
	answers, annotations := c.byKey(values.get("answers")), c.byKey(values.get("annotations"))
	isSkipped, isAlone := false, false
	isGiven := c.choose(func(i int, p *pick, q question.Question) {
		p.Notes = annotations[i].get("notes").text()
		p.add(q, answers[i])
		isSkipped = isSkipped || answers[i].get("skipped").isTrue()
		isAlone = isAlone || strings.HasPrefix(p.Other, unattended)
	})
	var others []string
	for name, answer := range values.get("answers").each() {
		var p pick
		p.add(question.Question{}, answer)
		isAlone = isAlone || strings.HasPrefix(p.Other, unattended)
		isKnown := slices.ContainsFunc(c.keys, func(key string) bool { return trimmed(key) == trimmed(name) })
		if words := strings.TrimSpace(p.Other + "\n" + p.Notes); words != "" && !isKnown {
			others = append(others, name+": "+words)
		}
	}
	switch {
	case isAlone:
		return false
	case len(others) > 0:
		return c.end(question.Replied, strings.Join(others, "\n"))
	}
	return isGiven || isSkipped && c.end(question.Dismissed, "")
}

// byKey returns the member for each question's key. If questions share a key, only the last one gets the member, since the
// tool wrote its answer last.
func (c *call) byKey(members value) []value {
	all, places := make([]value, len(c.keys)), map[string]int{}
	for i, key := range c.keys {
		places[trimmed(key)] = i
	}
	for name, member := range members.each() {
		if i, ok := places[trimmed(name)]; ok {
			all[i] = member
		}
	}
	return all
}

// trimmed normalizes a text like the texts of questions.
func trimmed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// questions returns the questions of a questionnaire.
func (x *Exchange) questions() []question.Question {
	if x.Call.Questionnaire == nil {
		return nil
	}
	return x.Call.Questionnaire.Questions
}

// choose sets the picks of an exchange: values adds the answer to each question, in order. It returns false if there is no
// answer and no note.
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

// end sets the outcome, and the user's words.
func (x *Exchange) end(outcome question.Outcome, words string) bool {
	x.Outcome, x.AnswerText = outcome, words
	return true
}
