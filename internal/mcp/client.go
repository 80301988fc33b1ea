package mcp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
)

// client describes an agent, found by the name that it sends.
type client struct {
	// name is the agent's display name. If empty, the name that it sends is used.
	name string
	// limit is when a call gets a ticket, well before the agent gives up. Zero means no limit.
	limit time.Duration
	// own is the limit that the user has set in the agent, an upper bound for --limit. Zero means none.
	own time.Duration
	// extends means that progress keeps a call alive.
	extends bool
	// paths means that images are sent as files only, since the agent would paste them into the text. both means that they are
	// also sent as files, since they do not reach all of its models.
	paths, both bool
	// noCancel means that the agent does not report when its user stops waiting.
	noCancel bool
}

// Limits, measured or from the agents' source code, minus some seconds.
const (
	unknownLimit = 50 * time.Second
	// claudeBackground is the limit of Claude Code: after 120 s it continues without the answer, and instructs its model to
	// distrust a later one.
	claudeBackground = 110 * time.Second
)

var clients = map[string]client{
	"claude-code":           {name: "Claude Code", limit: claudeBackground},
	"codex-mcp-client":      {name: "Codex", limit: 290 * time.Second},
	"opencode":              {name: "opencode", limit: unknownLimit, extends: true},
	"kilo":                  {name: "Kilo Code", limit: unknownLimit, extends: true},
	"gemini-cli-mcp-client": {name: "Gemini CLI", limit: 570 * time.Second, noCancel: true},
	"@cline/core":           {name: "Cline", limit: unknownLimit, paths: true, noCancel: true},
	"copilot-cli":           {name: "Copilot CLI", limit: 170 * time.Second, extends: true, both: true, noCancel: true},
	"qwen-cli-mcp-client":   {name: "Qwen Code", limit: unknownLimit, both: true},
	"Visual Studio Code":    {limit: 0},
}

// known returns the known facts about the client of a request.
func (s *Server) known(req *sdk.CallToolRequest) client {
	info := req.ClientInfo()
	if info == nil {
		return client{name: "MCP", limit: unknownLimit}
	}
	found, ok := clients[info.Name]
	for prefix, each := range clients { // Qwen Code appends the server's name
		if !ok && strings.HasPrefix(info.Name, prefix+"-") {
			found, ok = each, true
		}
	}
	if !ok && s.meta(req, vscodeConversation) == "" {
		found.limit = unknownLimit
	}
	found.name = cmp.Or(found.name, tidy(info.Title), tidy(info.Name), "MCP")
	if info.Name == "claude-code" {
		found.limit, found.own = s.claudeLimits()
	}
	return found
}

// claudeLimits returns the limit from Claude Code's settings, and the part of it that its user has set. It reads them from the
// inherited environment.
func (s *Server) claudeLimits() (limit, own time.Duration) {
	limit = claudeBackground
	if ms, err := strconv.Atoi(s.options.Env("CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS")); err == nil {
		limit = before(ms)
		own = limit
	}
	if ms, err := strconv.Atoi(s.options.Env("MCP_TOOL_TIMEOUT")); err == nil && ms > 0 {
		limit, own = shorter(limit, before(ms)), shorter(own, before(ms))
	}
	return limit, own
}

// shorter returns the shorter of two limits. Zero means no limit.
func shorter(one, other time.Duration) time.Duration {
	if one == 0 || other == 0 {
		return max(one, other)
	}
	return min(one, other)
}

// before returns a limit well before a number of milliseconds. Zero means no limit.
func before(ms int) time.Duration {
	limit := time.Duration(ms) * time.Millisecond
	return max(limit-10*time.Second, limit/2)
}

// limit returns when a call gets a ticket. Zero means never.
func (s *Server) limit(who client, progress bool) time.Duration {
	switch {
	case s.options.Limit != nil:
		return shorter(*s.options.Limit, who.own)
	case who.extends && progress:
		return 0
	}
	return who.limit
}

// maxName bounds an agent's name.
const maxName = 60

// tidy returns the name that an agent sends on one line, without hidden characters.
func tidy(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	runes := []rune(strings.Join(strings.Fields(clean), " "))
	return string(runes[:min(len(runes), maxName)])
}

// key identifies an agent's conversation: by the agent's own id if it sends one, otherwise by its process.
func (s *Server) key(req *sdk.CallToolRequest) string {
	conversation := s.conversation(req)
	if conversation == "" {
		conversation = fmt.Sprintf("process %d", s.options.Parent)
		if s.options.Hub != nil {
			conversation += " " + s.options.Hub.Machine
		}
	}
	return "mcp " + s.options.Folder + " " + conversation
}

// vscodeConversation is the member of a call's _meta that identifies the chat in VS Code and its forks. They have no time limit.
const vscodeConversation = "vscode.conversationId"

// conversation returns the agent's id for a request's conversation; empty if it sends none.
func (s *Server) conversation(req *sdk.CallToolRequest) string {
	return cmp.Or(
		tidy(s.meta(req, "threadId")), tidy(s.meta(req, "sessionId")), tidy(s.meta(req, vscodeConversation)),
		tidy(s.options.Env("CLAUDE_CODE_SESSION_ID")),
	)
}

// meta returns a text member of a request's _meta.
func (s *Server) meta(req *sdk.CallToolRequest, name string) string {
	value, _ := req.Params.Meta[name].(string)
	return value
}

// folders returns the agent's working folder.
func (s *Server) folders() []protocol.WorkspaceFolder {
	folder := s.options.Folder
	if project := s.options.Env("CLAUDE_PROJECT_DIR"); filepath.IsAbs(project) {
		folder = project
	}
	if folder == "" {
		return nil
	}
	return []protocol.WorkspaceFolder{protocol.FolderOf(folder)}
}
