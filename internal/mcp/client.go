package mcp

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
)

// client is what is known of an agent by the name that it gives itself.
type client struct {
	// name is the agent's as people know it; empty: as it calls itself.
	name string
	// limit is after how long a call is answered though the user has not: well before the agent gives up. 0: it does not.
	limit time.Duration
	// own is the limit that the agent's user has set there, which --limit does not exceed; 0: none.
	own time.Duration
	// extends tells that progress keeps a call alive.
	extends bool
	// paths tells that images are given as files, since it would paste them into the text; both that they are given as files, too, since
	// they do not reach every model of its.
	paths, both bool
	// noCancel reports that the agent does not say when its user stops waiting.
	noCancel bool
}

// Limits as measured, or as the agents' sources have them, less some seconds.
const (
	unknownLimit = 50 * time.Second
	// claudeBackground is Claude Code's: after 120 s it goes on without the answer, and tells its model not to trust it when it comes.
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

// known gives what is known of the client that sent a request.
func (s *Server) known(req *sdk.CallToolRequest) client {
	info := req.ClientInfo()
	if info == nil {
		return client{name: "MCP", limit: unknownLimit}
	}
	found, ok := clients[info.Name]
	for prefix, each := range clients { // Qwen Code puts the server's name behind
		if !ok && strings.HasPrefix(info.Name, prefix+"-") {
			found, ok = each, true
		}
	}
	if !ok && s.meta(req, vscodeConversation) == "" {
		found.limit = unknownLimit
	}
	if found.name == "" {
		found.name = tidy(info.Title)
	}
	if found.name == "" {
		found.name = tidy(info.Name)
	}
	if found.name == "" {
		found.name = "MCP"
	}
	if info.Name == "claude-code" {
		found.limit, found.own = s.claudeLimits()
	}
	return found
}

// claudeLimits returns the limit that Claude Code's settings make, and the part of it that its user has set: it hands its environment on.
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

// shorter returns the shorter of two limits; 0 is none.
func shorter(one, other time.Duration) time.Duration {
	if one == 0 || other == 0 {
		return max(one, other)
	}
	return min(one, other)
}

// before is well before a number of milliseconds has passed; none are no limit.
func before(ms int) time.Duration {
	limit := time.Duration(ms) * time.Millisecond
	return max(limit-10*time.Second, limit/2)
}

// limit is after how long a call is answered though the user has not; 0: never.
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

// tidy makes a name that an agent gives itself into one line that can be shown.
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

// key tells an agent's conversations apart: by its own name for them where it tells one, and otherwise by its process.
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

// vscodeConversation is the member of a call's _meta that names the chat, in VS Code and the editors made from it. They set no limit.
const vscodeConversation = "vscode.conversationId"

// conversation is what an agent calls the conversation that a request belongs to; empty where it does not tell.
func (s *Server) conversation(req *sdk.CallToolRequest) string {
	names := []string{
		s.meta(req, "threadId"), s.meta(req, "sessionId"), s.meta(req, vscodeConversation), s.options.Env("CLAUDE_CODE_SESSION_ID"),
	}
	for _, name := range names {
		if name = tidy(name); name != "" {
			return name
		}
	}
	return ""
}

// meta gives what a request tells beside its arguments.
func (s *Server) meta(req *sdk.CallToolRequest, name string) string {
	value, _ := req.Params.Meta[name].(string)
	return value
}

// folders are those that the agent works in.
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
