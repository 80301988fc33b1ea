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

// shortest is the shortest limit of a call that leaves the user time to answer.
const shortest = 10 * time.Minute

// The variables of Claude Code that limit a call, in milliseconds: after the first it fails, after the second it moves to the background.
const (
	claudeLimit      = "MCP_TOOL_TIMEOUT"
	claudeBackground = "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"
)

// defaultBackground is the default of claudeBackground.
const defaultBackground = 2 * time.Minute

// switches are settings that turn off a feature that Followup needs.
var switches = []struct {
	at  path
	off any
}{
	{path{"disableAllHooks"}, true},                     // Claude Code
	{path{"hooksConfig", "enabled"}, false},             // Gemini CLI
	{path{"features", "hooks"}, false},                  // Codex
	{path{"mcp_servers", "followup", "enabled"}, false}, // Codex
	{path{"mcp", "followup", "enabled"}, false},         // opencode, Kilo Code
	{path{"mcpServers", "followup", "disabled"}, true},  // Cline
}

// The names under which settings refer to Followup.
var (
	serverName = []string{"followup"}
	toolNames  = []string{"ask_followup_question", "AskUserQuestion"}
	// fullNames leave out AskUserQuestion alone, which is a tool of Claude Code's own.
	fullNames = []string{
		"mcp__followup", "mcp__followup__ask_followup_question", "mcp__followup__AskUserQuestion", // Claude Code, Codex, Qwen Code
		"mcp_followup_ask_followup_question", "mcp_followup_AskUserQuestion", // Gemini CLI
		"followup_ask_followup_question", "followup_AskUserQuestion", // opencode, Kilo Code
		"ask_followup_question",
	}
)

// lists are settings that allow or forbid servers or tools. Their elements may have wildcards.
var lists = []struct {
	at     path
	names  []string
	allows bool // everything that is not in the list is forbidden
}{
	{path{"permissions", "deny"}, fullNames, false},                       // Claude Code, Qwen Code
	{path{"deniedMcpServers"}, serverName, false},                         // Claude Code
	{path{"mcp", "excluded"}, serverName, false},                          // Gemini CLI, Qwen Code, as all up to Copilot CLI
	{path{"mcp", "allowed"}, serverName, true},                            //
	{path{"tools", "exclude"}, fullNames, false},                          //
	{path{"excludeTools"}, fullNames, false},                              //
	{path{"mcpServers", "followup", "excludeTools"}, toolNames, false},    //
	{path{"mcpServers", "followup", "includeTools"}, toolNames, true},     //
	{path{"mcpServers", "followup", "tools"}, toolNames, true},            // Copilot CLI
	{path{"mcp_servers", "followup", "disabled_tools"}, toolNames, false}, // Codex
	{path{"mcp_servers", "followup", "enabled_tools"}, toolNames, true},   //
}

// patterns are settings whose members name tools, with the value that forbids them.
var patterns = []struct {
	at  path
	off any
}{
	{path{"permission"}, "deny"}, // opencode, Kilo Code
	{path{"tools"}, false},       //
}

// inspection looks for settings that keep an agent from asking.
type inspection struct {
	Machine
	Status
	speak    locale.Tag
	findings []Finding
}

// inspect looks through the files that connect writes, and those of the project in the working folder.
func (m Machine) inspect(s Status, speak locale.Tag) []Finding {
	i := &inspection{Machine: m, Status: s, speak: speak}
	parts := m.partsOf(s.Agent)
	for _, name := range s.project {
		name = filepath.Join(m.Folder, name)
		if m.Folder != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			parts = append(parts, part{name: name, format: parseJSON})
		}
	}
	documents := map[string]document{}
	for _, p := range parts {
		d, err := p.read()
		if err != nil {
			continue
		}
		documents[p.name] = d
		i.switches(d, p.name)
		i.lists(d, p.name)
		i.patterns(d, p.name)
		for _, each := range p.pieces {
			if at, there, err := m.locate(d, each); err == nil && there {
				i.limits(d, p.name, at, each.value)
			}
		}
	}
	if s.ID == "claude-code" {
		i.claude(parts, documents)
	}
	return i.findings
}

// add adds a finding about a setting. The file "" stands for the environment.
func (i *inspection) add(file, at string, key locale.Key, args ...any) {
	where := file
	if file == "" {
		where = i.speak.Text("the environment")
	}
	args = append([]any{i.Name, at, where}, args...)
	i.findings = append(i.findings, Finding{Text: i.speak.Text(key, args...), File: file, Key: at})
}

func (i *inspection) switches(d document, file string) {
	for _, each := range switches {
		if value, there := d.get(each.at); there && value == each.off {
			i.add(file, each.at.String(), "{0}: {1} = {3} in {2} turns it off. Change that setting.", fmt.Sprint(value))
		}
	}
}

const doctorDenied locale.Key = "{0} may not use Followup's tools: {1} in {2} has {3}. Remove it there."

func (i *inspection) lists(d document, file string) {
	for _, each := range lists {
		value, _ := d.get(each.at)
		elements, is := value.([]any)
		if !is {
			continue
		}
		named := func(name string) int {
			return slices.IndexFunc(elements, func(element any) bool { return matches(element, name) })
		}
		for _, name := range each.names {
			switch n := named(name); {
			case each.allows && n < 0:
				i.add(file, each.at.String(), "{0} may not use Followup's tools: {1} in {2} lacks {3}. Add it there.", name)
			case !each.allows && n >= 0:
				i.add(file, each.at.String(), doctorDenied, text(elements[n]))
			default:
				continue
			}
			break // the user needs one to act on
		}
	}
}

// matches reports whether an element of a list names a server or tool. It is a name, a pattern, a rule like Tool(specifier), or an object with
// the name of a server.
func matches(element any, name string) bool {
	if fields, is := element.(map[string]any); is {
		element = fields["serverName"]
	}
	rule, _ := element.(string)
	rule, _, _ = strings.Cut(rule, "(")
	matched, err := filepath.Match(rule, name)
	return matched && err == nil
}

func (i *inspection) patterns(d document, file string) {
	for _, each := range patterns {
		value, _ := d.get(each.at)
		fields, _ := value.(map[string]any)
		for _, pattern := range slices.Sorted(maps.Keys(fields)) {
			named := slices.ContainsFunc(fullNames, func(name string) bool { return matches(pattern, name) })
			if named && fields[pattern] == each.off && strings.Contains(pattern, "followup") { // a later pattern may allow what "*" denies
				i.add(file, each.at.String(), doctorDenied, fmt.Sprintf("%s: %v", pattern, each.off))
			}
		}
	}
}

const doctorLimit locale.Key = "{0} gives up on a question after {3}. Set {1} to {4} in {2}."

// limits looks for short limits in an entry or a hook. Connect writes a day there, which shows their unit.
func (i *inspection) limits(d document, file string, at path, want any) {
	switch want := want.(type) {
	case object:
		for _, field := range want {
			to := append(slices.Clone(at), field.name)
			day, is := field.value.(int)
			value, _ := d.get(to)
			if number, isNumber := value.(float64); is && isNumber && slices.Contains(limits, field.name) {
				limit := time.Duration(number / float64(day) * float64(24*time.Hour))
				if limit > 0 && limit < shortest {
					i.add(file, to.String(), doctorLimit, limit.String(), fmt.Sprint(day))
				}
				continue
			}
			i.limits(d, file, to, field.value)
		}
	case []any:
		value, _ := d.get(at)
		elements, _ := value.([]any)
		if n := slices.IndexFunc(elements, i.mine); n >= 0 && slices.ContainsFunc(want, isComposite) {
			i.limits(d, file, append(slices.Clone(at), n), want[0])
		}
	}
}

const doctorBackground locale.Key = "{0} moves a question to the background after {3}, and does not trust the answer that arrives then. " +
	`Set {1} to "0" in {2}.`

// claude checks the variables that limit Claude Code's calls. A file overrides the environment, and the last file overrides the others.
func (i *inspection) claude(parts []part, documents map[string]document) {
	variable := func(name string) (value, file string) {
		value = i.Env(name)
		for _, p := range parts {
			if d := documents[p.name]; d != nil {
				if set, there := d.get(path{"env", name}); there {
					value, file = text(set), p.name
				}
			}
		}
		return value, file
	}
	value, file := variable(claudeLimit)
	if ms, err := strconv.Atoi(value); err == nil && ms > 0 {
		if limit := time.Duration(ms) * time.Millisecond; limit < shortest {
			i.add(file, inFile(file, claudeLimit), doctorLimit, limit.String(), strconv.Quote(strconv.Itoa(dayMilliseconds)))
		}
	}
	value, file = variable(claudeBackground)
	after := defaultBackground
	if ms, err := strconv.Atoi(value); err == nil {
		after = time.Duration(ms) * time.Millisecond
	} else if file == "" {
		file = parts[1].name
	}
	if after > 0 {
		i.add(file, inFile(file, claudeBackground), doctorBackground, after.String())
	}
}

// inFile returns the place of a variable in a settings file. The file "" stands for the environment.
func inFile(file, variable string) string {
	if file == "" {
		return variable
	}
	return path{"env", variable}.String()
}

// text returns a string as it is, and other values as JSON.
func text(value any) string {
	if plain, is := value.(string); is {
		return plain
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}
