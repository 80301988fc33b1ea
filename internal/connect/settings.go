package connect

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"followup/internal/locale"
)

// shortest is the shortest acceptable limit of a call, which leaves the user time to answer.
const shortest = 10 * time.Minute

// The variables of Claude Code that limit a call, in milliseconds. After the first it fails, after the second it moves to the background.
const (
	claudeLimit      = "MCP_TOOL_TIMEOUT"
	claudeBackground = "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"
)

// defaultBackground is the default of claudeBackground.
const defaultBackground = 2 * time.Minute

// The names that settings use for Followup.
var (
	serverName = []string{"followup"}
	toolNames  = []string{"ask_followup_question", "AskUserQuestion"}
	// fullNames omit the bare AskUserQuestion, since Claude Code has its own tool of that name.
	fullNames = []string{
		"mcp__followup", "mcp__followup__ask_followup_question", "mcp__followup__AskUserQuestion", // Claude Code, Codex, Qwen Code
		"mcp_followup_ask_followup_question", "mcp_followup_AskUserQuestion", // Gemini CLI
		"followup_ask_followup_question", "followup_AskUserQuestion", // opencode, Kilo Code
		"ask_followup_question",
	}
)

const (
	doctorOff    locale.Key = "{0}: {1} = {3} in {2} turns it off. Change that setting."
	doctorDenied locale.Key = "{0} may not use Followup's tools: {1} in {2} has {3}. Remove it there."
	doctorLacks  locale.Key = "{0} may not use Followup's tools: {1} in {2} lacks {3}. Add it there."
)

// rule is a setting that can prevent an agent from asking.
type rule struct {
	at path
	// wrong describes the problem with a value. It is empty for a valid one.
	wrong func(value any) string
	says  locale.Key
}

var rules = []rule{
	{path{"disableAllHooks"}, is(true), doctorOff},                                    // Claude Code
	{path{"hooksConfig", "enabled"}, is(false), doctorOff},                            // Gemini CLI
	{path{"features", "hooks"}, is(false), doctorOff},                                 // Codex
	{path{"mcp_servers", "followup", "enabled"}, is(false), doctorOff},                // Codex
	{path{"mcp", "followup", "enabled"}, is(false), doctorOff},                        // opencode, Kilo Code
	{path{"mcpServers", "followup", "disabled"}, is(true), doctorOff},                 // Cline
	{path{"permissions", "deny"}, has(fullNames), doctorDenied},                       // Claude Code, Qwen Code
	{path{"deniedMcpServers"}, has(serverName), doctorDenied},                         // Claude Code
	{path{"mcp", "excluded"}, has(serverName), doctorDenied},                          // Gemini CLI, Qwen Code, as all up to Copilot CLI
	{path{"mcp", "allowed"}, lacks(serverName), doctorLacks},                          //
	{path{"tools", "exclude"}, has(fullNames), doctorDenied},                          //
	{path{"excludeTools"}, has(fullNames), doctorDenied},                              //
	{path{"mcpServers", "followup", "excludeTools"}, has(toolNames), doctorDenied},    //
	{path{"mcpServers", "followup", "includeTools"}, lacks(toolNames), doctorLacks},   //
	{path{"mcpServers", "followup", "tools"}, lacks(toolNames), doctorLacks},          // Copilot CLI
	{path{"mcp_servers", "followup", "disabled_tools"}, has(toolNames), doctorDenied}, // Codex
	{path{"mcp_servers", "followup", "enabled_tools"}, lacks(toolNames), doctorLacks}, //
	{path{"permission"}, hasMember("deny"), doctorDenied},                             // opencode, Kilo Code
	{path{"tools"}, hasMember(false), doctorDenied},                                   //
}

// is finds a switch that disables a feature which Followup needs.
func is(off any) func(any) string {
	return func(value any) string {
		if value == off {
			return text(value)
		}
		return ""
	}
}

// has finds an element of a list that names a server or tool.
func has(names []string) func(any) string {
	return func(value any) string {
		elements, _ := value.([]any)
		for _, name := range names {
			if n := slices.IndexFunc(elements, func(element any) bool { return matches(element, name) }); n >= 0 {
				return text(elements[n])
			}
		}
		return ""
	}
}

// lacks finds a server or tool that is missing from a list.
func lacks(names []string) func(any) string {
	return func(value any) string {
		elements, isList := value.([]any)
		for _, name := range names {
			if isList && !slices.ContainsFunc(elements, func(element any) bool { return matches(element, name) }) {
				return name
			}
		}
		return ""
	}
}

// hasMember finds a member that matches Followup's tools and forbids them. A later member may allow what "*" denies.
func hasMember(off any) func(any) string {
	return func(value any) string {
		fields, _ := value.(object)
		for _, pattern := range slices.Sorted(maps.Keys(fields)) {
			if fields[pattern] == off && strings.Contains(pattern, "followup") && has(fullNames)([]any{pattern}) != "" {
				return fmt.Sprintf("%s: %v", pattern, off)
			}
		}
		return ""
	}
}

// matches reports whether an element of a list matches a server or tool. The element is a name, a pattern, a rule such as
// Tool(specifier), or an object with a server's name.
func matches(element any, name string) bool {
	if fields, is := element.(object); is {
		element = fields["serverName"]
	}
	rule, _ := element.(string)
	rule, _, _ = strings.Cut(rule, "(")
	matched, err := filepath.Match(rule, name)
	return matched && err == nil
}

// inspection looks for settings that prevent an agent from asking.
type inspection struct {
	Machine
	Status
	speak    locale.Tag
	findings []Finding
	files    []document
}

// inspect checks the files that connect writes, and the project's settings in the working folder.
func (m Machine) inspect(s Status, speak locale.Tag) []Finding {
	i := &inspection{Machine: m, Status: s, speak: speak}
	parts := m.partsOf(s.Agent)
	for _, name := range s.project {
		name = filepath.Join(m.Folder, name)
		if m.Folder != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			parts = append(parts, part{name: name})
		}
	}
	for _, p := range parts {
		d, err := p.read()
		if err != nil {
			continue
		}
		i.files = append(i.files, d)
		for _, each := range rules {
			value, _ := each.at.in(d.values)
			if wrong := each.wrong(value); wrong != "" {
				i.add(p.name, each.at.String(), each.says, wrong)
			}
		}
		for _, each := range p.pieces {
			if value, there := each.at.in(d.values); there && each.kind == entry {
				i.limits(p.name, each.at.String(), value, each.value)
			} else if value, n := m.element(d.values, each); n >= 0 {
				i.limits(p.name, fmt.Sprintf("%s[%d]", each.at, n), value, each.value)
			}
		}
	}
	if s.ID == "claude-code" {
		i.claude(parts[1].name)
	}
	return i.findings
}

// add adds a finding about a setting. An empty file stands for the environment.
func (i *inspection) add(file, at string, key locale.Key, args ...any) {
	where := file
	if file == "" {
		where = i.speak.Text("the environment")
	}
	args = append([]any{i.Name, at, where}, args...)
	i.findings = append(i.findings, Finding{Text: i.speak.Text(key, args...), File: file, Key: at})
}

const doctorLimit locale.Key = "{0} gives up on a question after {3}. Set {1} to {4} in {2}."

// limits looks for short limits in an entry or a hook. Their unit follows from the value that connect writes, which is a day.
func (i *inspection) limits(file, at string, there, want any) {
	fields, _ := there.(object)
	wanted, _ := want.(object)
	for _, name := range names(wanted) {
		to := at + "." + name
		switch want := wanted[name].(type) {
		case int64:
			number, err := strconv.ParseFloat(text(fields[name]), 64)
			limit := time.Duration(number / float64(want) * float64(24*time.Hour))
			if err == nil && limit > 0 && limit < shortest {
				i.add(file, to, doctorLimit, limit.String(), text(want))
			}
		case []any:
			elements, _ := fields[name].([]any)
			if n := slices.IndexFunc(elements, i.mine); n >= 0 {
				i.limits(file, fmt.Sprintf("%s[%d]", to, n), elements[n], want[0])
			}
		}
	}
}

const doctorBackground locale.Key = "{0} moves a question to the background after {3}, and does not trust the answer that arrives then. " +
	`Set {1} to "0" in {2}.`

// claude checks the variables that limit Claude Code's calls. A file overrides the environment, and the last file overrides the
// others. settings is the file in which to set a missing variable.
func (i *inspection) claude(settings string) {
	variable := func(name string) (value, file, at string) {
		value, at = i.Env(name), name
		for _, f := range i.files {
			if set, there := (path{"env", name}).in(f.values); there {
				value, file, at = text(set), f.name, "env."+name
			}
		}
		return value, file, at
	}
	value, file, at := variable(claudeLimit)
	ms, _ := strconv.Atoi(value)
	if limit := time.Duration(ms) * time.Millisecond; limit > 0 && limit < shortest {
		i.add(file, at, doctorLimit, limit.String(), strconv.Quote(text(dayMilliseconds)))
	}
	value, file, at = variable(claudeBackground)
	ms, err := strconv.Atoi(value)
	after := time.Duration(ms) * time.Millisecond
	if err != nil {
		after = defaultBackground
		if file == "" {
			file, at = settings, "env."+claudeBackground
		}
	}
	if after > 0 {
		i.add(file, at, doctorBackground, after.String())
	}
}

// text returns a string unchanged, and other values as JSON.
func text(value any) string {
	if plain, ok := value.(string); ok {
		return plain
	}
	encoded, _ := json.Marshal(value) //nolint:errchkjson // it was parsed from a file
	return string(encoded)
}
