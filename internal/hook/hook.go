// Package hook lets the inbox answer questions that agents ask with their own tools. Agents run it as a hook before such a tool,
// or through our plugin. Read parses the agent's message. Ask asks the user and returns what to print. After any failure the
// agent shows its own dialog.
package hook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// agent describes how an agent asks, and which answers its hook may return.
type agent struct {
	// name is the agent's display name.
	name string
	// read parses the message to a hook. It returns nil for anything but a question to the user.
	read reader
	// approval parses a request for permission and describes its grants in a language. It returns nil if the message is not one. decide returns the document for the user's decision. Both are nil if the agent's hooks cannot decide.
	approval reader
	decide   func(c *Call, r reply, allowed bool) any
	// answer returns the document for the user's answer or dismissal. If it is nil, the hook prints nothing, and the agent shows
	// its own dialog.
	answer func(c *Call, a reply) any
	// follows means that the agent also reports when the question is closed.
	follows bool
	// strict means that the agent denies the tool, without asking, if its hook fails.
	strict bool
	// noCancel means that the agent does not end its hook when its user stops waiting.
	noCancel bool
}

// reader parses an agent's message. speak is the language of its descriptions.
type reader func(message []byte, speak locale.Tag) (*Call, error)

// of returns a reader of messages of a type.
func of[T any](read func(from T, speak locale.Tag) (*Call, error)) reader {
	return func(message []byte, speak locale.Tag) (*Call, error) {
		var from T
		if err := json.Unmarshal(message, &from); err != nil {
			return nil, err
		}
		return read(from, speak)
	}
}

// agents are the agents with hooks, by their names on the command line.
var agents = map[string]agent{
	"claude-code": {name: "Claude Code", read: of(readClaude), answer: answerClaude, approval: of(readClaudeApproval), decide: decideClaude},
	"codex":       {name: "Codex", read: ownTool("request_user_input", "PreToolUse"), answer: answerCodex, approval: of(readCodexApproval), decide: decideCodex},
	"copilot":     {name: "Copilot CLI", read: of(readCopilot), answer: answerCopilot, strict: true, noCancel: true},
	"gemini":      {name: "Gemini CLI", read: ownTool("ask_user", "BeforeTool"), answer: answerGemini, noCancel: true},
	"kilo":        opencodeAgent("Kilo Code"),
	"opencode":    opencodeAgent("opencode"),
}

// Agents returns the names of the agents with hooks, sorted.
func Agents() []string { return slices.Sorted(maps.Keys(agents)) }

// Approving returns the names of agents whose requests for permission can be answered, sorted.
func Approving() (names []string) {
	for _, name := range Agents() {
		if agents[name].approval != nil {
			names = append(names, name)
		}
	}
	return names
}

// Strict reports whether the agent denies its tool if the hook fails, instead of asking itself.
func Strict(name string) bool { return agents[name].strict }

// Call is an agent's question to its user.
type Call struct {
	agent agent
	// event is the agent's name of the hook's event.
	event string
	// conversation is the agent's id of the conversation, folder its working folder, and id its id of the question. Each may be
	// empty.
	conversation, folder, id string
	// tool and input are an equivalent call of one of Followup's tools.
	tool  string
	input json.RawMessage
	// call is the agent's id of the tool call, as in its log; empty if unknown.
	call string
	// given are the arguments of the agent's own tool.
	given json.RawMessage
	// beside means that the agent's own dialog is open at the same time.
	beside bool
	// context is the text that the agent wrote just before; empty if unknown.
	context string
	// log detects an answer in the agent's own dialog; nil if the agent has no log.
	log *claudeTranscript
	// approves means that the call asks for permission. suggestions are the permissions that the agent offers to remember.
	approves    bool
	suggestions json.RawMessage
	// sent is the decision that Ask has sent, or nil.
	sent *Sent
	// locale is the language of messages to the agent.
	locale locale.Tag
}

// Approves reports whether the call asks for permission. After any failure, the hook then prints nothing, so that the agent's own
// dialog appears at once.
func (c *Call) Approves() bool { return c.approves }

// Follows reports whether a Closed message may follow on standard input.
func (c *Call) Follows() bool { return c.agent.follows }

// Closed is the message that the question was closed in the agent's own dialog. As an error it matches ErrElsewhere.
type Closed struct {
	// Closed is how the question was closed: replied or rejected.
	Closed string `json:"closed"`
	// Answers are the answers in that dialog: for each question the chosen labels and the user's words.
	Answers [][]string `json:"answers"`
	// Effective is the decision on a request for permission that took effect: allowed or denied; empty if unknown.
	Effective protocol.Outcome `json:"effective"`
}

func (c Closed) Error() string { return ErrElsewhere.Error() }

// Is reports whether target is ErrElsewhere.
func (c Closed) Is(target error) bool { return target == ErrElsewhere } //nolint:errorlint // errors.Is expects this comparison

// hookInput is most agents' message to their hooks, in the format that Claude Code introduced. Absent fields are empty.
type hookInput struct {
	Session string          `json:"session_id"`
	Folder  string          `json:"cwd"`
	Event   string          `json:"hook_event_name"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	ID      string          `json:"tool_use_id"`
	// Suggestions are the changes of its permissions that the agent proposes.
	Suggestions json.RawMessage `json:"permission_suggestions"`
	// Log is the path of the conversation's log.
	Log string `json:"transcript_path"`
}

// call returns the call of a message.
func (in hookInput) call() *Call {
	return &Call{event: in.Event, conversation: in.Session, folder: in.Folder, id: in.ID, call: in.ID, given: in.Input}
}

// reply is the outcome of a question, in the forms that agents need.
type reply struct {
	protocol.Answer
	// words are the complete outcome as one text. result is the same text after a sentence that explains that it is the
	// tool's result.
	words, result string
	// beside are notes for tools without fields for them: the paths of the answer's images, why some are missing, and quotes.
	beside []string
}

// given reports whether the user has answered or written a reply.
func (r reply) given() bool {
	return r.Outcome == protocol.OutcomeAnswered || r.Outcome == protocol.OutcomeReplied
}

// Read parses an agent's message to its hook, a JSON object. It returns nil if that is not a question to the user. With
// approvals, requests for permission are questions too, and speak is the language of their grants.
func Read(name string, message []byte, approvals bool, speak locale.Tag) (*Call, error) {
	known, ok := agents[name]
	if !ok {
		return nil, fmt.Errorf("agent %q has no hook", name)
	}
	call, err := known.read(message, speak)
	if err == nil && call == nil && approvals && known.approval != nil {
		call, err = known.approval(message, speak)
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("cannot read the message of %s: %s is a JSON %s", known.name, cmp.Or(wrong.Field, "the whole"), wrong.Value)
	case err != nil:
		return nil, fmt.Errorf("cannot read the message of %s: %w", known.name, err)
	}
	if call != nil {
		call.agent = known
	}
	return call, nil
}

// ownTool returns a reader for calls of an agent's own tool, from a hook that runs before the tool.
func ownTool(tool, event string) reader {
	return of(func(from hookInput, _ locale.Tag) (*Call, error) {
		if from.Tool != tool || from.Event != event {
			return nil, nil
		}
		questions, err := dialect.ReadAsked(from.Input)
		if err != nil {
			return nil, err
		}
		return from.call().ask(questions), nil
	})
}

// ask converts the questions of an agent's own tool to a call of one of Followup's. It returns nil if Followup's tools cannot ask
// them, so that the agent's own dialog does.
func (c *Call) ask(questions []dialect.Asked) *Call {
	for _, q := range questions {
		switch few := len(q.Options) < question.MinOptions; {
		case few && len(questions) == 1:
			return c.askOne(q)
		case few:
			return nil
		}
	}
	if len(questions) == 0 {
		return nil
	}
	c.tool = question.ToolAskUser
	c.input, _ = json.Marshal(map[string]any{"questions": questions}) // only strings
	c.input = distinct(c.input)
	return c
}

// askOne asks one question whose options are complete answers.
func (c *Call) askOne(q dialect.Asked) *Call {
	answers := []string{}
	for _, o := range q.Options {
		answers = append(answers, o.Label)
	}
	c.tool = question.ToolFollowup
	c.input, _ = json.Marshal(map[string]any{"question": q.Question, "follow_up": answers}) // only strings
	return c
}
