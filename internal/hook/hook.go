// Package hook answers in the inbox what agents ask with tools of their own: by the hooks that they run before such a tool, or by our
// plugin in them. Read takes what an agent tells, Ask asks the user and gives what is printed for it. Whatever goes wrong leaves the
// agent's own dialog.
package hook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// agent is how one of them spells its questions, and what its hook may answer.
type agent struct {
	// name is the agent's as people know it.
	name string
	// read takes what a hook is told; nil for what is no question to the user.
	read func(told []byte) (*Call, error)
	// approval reads a request for permission, whose grants it words in a language; nil if it is none, or cannot be shown as it is. decide
	// is what the hook prints for the user's decision. Both are nil for an agent that no hook can decide for.
	approval func(told []byte, speak locale.Tag) (*Call, error)
	decide   func(c *Call, r reply) any
	// answer is what the hook prints; nil for nothing, which leaves the agent's own dialog.
	answer func(c *Call, a reply) any
	// follows tells that it also tells when the question is over.
	follows bool
	// strict tells that it denies the tool, and asks nobody, where its hook fails.
	strict bool
	// noCancel reports that it does not end its hook when its user stops waiting.
	noCancel bool
}

// agents are those that ask by hooks, by the names that the command line has for them.
var agents = map[string]agent{
	"claude-code": {name: "Claude Code", read: readClaude, answer: answerClaude, approval: readClaudeApproval, decide: decideClaude},
	"codex":       {name: "Codex", read: readCodex, answer: answerCodex, approval: readCodexApproval, decide: decideCodex},
	"copilot":     {name: "Copilot CLI", read: readCopilot, answer: answerCopilot, strict: true, noCancel: true},
	"gemini":      {name: "Gemini CLI", read: readGemini, answer: answerGemini, noCancel: true},
	"kilo":        opencodeAgent("Kilo Code"),
	"opencode":    opencodeAgent("opencode"),
}

// Agents are the names of those that ask by hooks, sorted.
func Agents() []string { return slices.Sorted(maps.Keys(agents)) }

// Approving are the names of the agents whose requests for permission can be answered, sorted.
func Approving() (names []string) {
	for _, name := range Agents() {
		if agents[name].approval != nil {
			names = append(names, name)
		}
	}
	return names
}

// Strict tells whether the agent of that name denies its tool where the hook fails, in place of asking itself.
func Strict(name string) bool { return agents[name].strict }

// Call is a question that an agent is about to ask its user.
type Call struct {
	agent agent
	// event is what the agent calls the hook's occasion.
	event string
	// conversation is what the agent calls the one that the question belongs to, folder where it works, and id what it calls the
	// question itself; each may be empty.
	conversation, folder, id string
	// tool and input ask the same as a call of one of our tools.
	tool  string
	input json.RawMessage
	// call is the agent's id of the tool call that asks, as its log has it; empty where that is not known.
	call string
	// given are the arguments of the agent's own tool.
	given json.RawMessage
	// beside tells that the agent's own dialog is open meanwhile.
	beside bool
	// context is what the agent wrote just before; empty where that is not known.
	context string
	// log tells when the question was answered in the agent's own dialog; nil where nothing tells.
	log *claudeTranscript
	// approves reports that it asks for permission. suggestions are what the agent would remember of that.
	approves    bool
	suggestions json.RawMessage
	// locale is the language of what the agent is told.
	locale locale.Tag
}

// Approves reports whether the call asks for permission: then any failure leaves the agent's own dialog, at once and without a word.
func (c *Call) Approves() bool { return c.approves }

// Follows tells whether standard input stays open, and tells by Closed that the question is over.
func (c *Call) Follows() bool { return c.agent.follows }

// Closed is what is told on standard input when the question is over in the agent's own dialog. As an error it is ErrElsewhere.
type Closed struct {
	// Closed tells how: replied or rejected.
	Closed string `json:"closed"`
	// Answers are what was answered there: for each question the labels that were chosen, and the user's words.
	Answers [][]string `json:"answers"`
}

func (c Closed) Error() string { return ErrElsewhere.Error() }

// Is tells that it is ErrElsewhere.
func (c Closed) Is(target error) bool { return target == ErrElsewhere } //nolint:errorlint // as errors.Is has it

// hookInput is what most agents tell their hooks, in the words that Claude Code began with; what one of them does not tell stays empty.
type hookInput struct {
	Session string          `json:"session_id"`
	Folder  string          `json:"cwd"`
	Event   string          `json:"hook_event_name"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	ID      string          `json:"tool_use_id"`
	// Suggestions are the changes of its permissions that an agent would make.
	Suggestions json.RawMessage `json:"permission_suggestions"`
	// Log is the conversation's file.
	Log string `json:"transcript_path"`
}

// reply is what came of a question, for an agent.
type reply struct {
	protocol.Answer
	// words are all there is to say, standing alone; result says before them that they are the tool's result.
	words, result string
	// beside are the paths of the answer's images, why some of them are missing, and what was quoted: for a note where the tool has no
	// place for them.
	beside []string
}

// given tells whether the reply holds what the user answered, or wrote instead.
func (r reply) given() bool {
	return r.Outcome == protocol.OutcomeAnswered || r.Outcome == protocol.OutcomeReplied
}

// told tells whether there is something to tell the agent: what the user answered, or that they declined.
func (r reply) told() bool { return r.given() || r.Outcome == protocol.OutcomeDismissed }

// Read reads what the agent of that name tells its hook: a JSON object. It gives nil for what is no question to the user. With approvals,
// requests for permission are questions, too; speak is the language of what they would allow.
func Read(name string, told []byte, approvals bool, speak locale.Tag) (*Call, error) {
	known, ok := agents[name]
	if !ok {
		return nil, fmt.Errorf("there is no agent %q that asks by a hook", name)
	}
	call, err := known.read(told)
	if err == nil && call == nil && approvals && known.approval != nil {
		call, err = known.approval(told, speak)
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("what %s tells its hook cannot be read: %s is a JSON %s", known.name, cmp.Or(wrong.Field, "the whole"), wrong.Value)
	case err != nil:
		return nil, fmt.Errorf("what %s tells its hook cannot be read: %w", known.name, err)
	}
	if call != nil {
		call.agent = known
	}
	return call, nil
}

// asked is a question as the agents' own tools have it; what one of them does not have stays empty.
type asked struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Type     string   `json:"type"`
	Options  []option `json:"options"`
	Multi    bool     `json:"multiSelect"`
	Secret   bool     `json:"isSecret"`
}

type option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// ask gives a call the questions of an agent's own tool, in the words of ours. Not ok where our tools cannot ask them: then the agent's
// own dialog has to.
func (c *Call) ask(questions []asked) (ok bool) {
	if len(questions) == 1 && len(questions[0].Options) < question.MinOptions {
		c.askOne(questions[0])
		return true
	}
	for _, q := range questions {
		if len(q.Options) < question.MinOptions {
			return false
		}
	}
	type shown struct {
		Question string   `json:"question"`
		Header   string   `json:"header"`
		Options  []option `json:"options"`
		Multi    bool     `json:"multiSelect"`
	}
	all := make([]shown, len(questions))
	for i, q := range questions {
		all[i] = shown{q.Question, q.Header, q.Options, q.Multi}
	}
	c.tool = question.ToolAskUser
	c.input, _ = json.Marshal(map[string]any{"questions": all}) // strings
	return len(all) > 0
}

// askOne asks one question whose options are answers and no more.
func (c *Call) askOne(q asked) {
	answers := []string{}
	for _, o := range q.Options {
		answers = append(answers, o.Label)
	}
	c.tool = question.ToolFollowup
	c.input, _ = json.Marshal(map[string]any{"question": q.Question, "follow_up": answers}) // strings
}
