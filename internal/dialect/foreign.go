package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// Models trained on other formats write calls in those formats, as text:
//   - <invoke name="TOOL"> with <parameter name="KEY"> elements, optionally namespaced and in a wrapper
//   - <tool_call> around {"name": "TOOL", "arguments": …} (Hermes, Qwen), around the name and
//     <arg_key>KEY</arg_key><arg_value>VALUE</arg_value> (GLM), or around <function=TOOL>
//   - <function=TOOL> around the arguments (Llama) or around <parameter=KEY> elements (Qwen)
//
// All of them are converted to native arguments.

const (
	functionPrefix = "<function="
	functionEnd    = "</function>"
	namespace      = "antml:"
)

// foreignTags are the elements of these formats.
var foreignTags = []string{"invoke", namespace + "invoke", "tool_call", "function_calls", namespace + "function_calls", "minimax:tool_call"}

var foreignNames = toolcall.NewNames(foreignTags...)

// argumentNames are the elements that hold one argument.
var argumentNames = toolcall.NewNames("parameter", namespace+"parameter", "arg_key", "arg_value")

// toolOf returns the tool named by the opening tag at the start of text, and the length of that tag. The length is 0
// if no tag there names a tool.
func toolOf(text string) (tool string, n int) {
	for t := range toolcall.EachTag(text, foreignNames) {
		if t.Start == 0 && t.Opening() && strings.HasSuffix(t.Name, "invoke") {
			return t.Attr(text, "name"), t.End
		}
		break
	}
	return "", 0
}

// Opens reports whether the opening tag at the start of text may begin one of our calls. If the tag names a tool,
// that decides. Otherwise, once the element is whole, its content decides.
func (m *tagMessage) Opens(text string, whole bool) bool {
	tool, n := toolOf(text)
	switch {
	case n > 0:
		return isOurTool(tool)
	case !whole:
		return true
	case !strings.HasPrefix(text, "<tool_call"):
		return false
	}
	_, behind, _ := strings.Cut(text, ">")
	head, _, _ := strings.Cut(behind, "<")
	if _, named, ok := strings.Cut(head, `"name"`); ok {
		head, _, _ = strings.Cut(strings.TrimLeft(named, " :\""), `"`)
	}
	return isOurTool(trim(head))
}

func isOurTool(tool string) bool {
	return tool == question.ToolFollowup || tool == question.ToolAskUser
}

// Foreign reads an element that may be a call in another format, and reports whether it is one.
func (m *tagMessage) Foreign(tag, content string, cut, unclosed bool) bool {
	var c foreignCall
	c.read(tag, content)
	if !isOurTool(c.tool) || cut && !c.begun {
		return false
	}
	c.tool = strings.Clone(c.tool) // do not keep the whole message alive
	d := draft{out: &m.out, tool: c.tool}
	if cut {
		d.fail(question.CodeTruncated, 0)
		return true
	}
	read := readInput(c.tool, c.arguments.Bytes(), m.options)
	if c.encoded { // by readElements, not the agent
		read.repairs = slices.DeleteFunc(read.repairs, func(c question.Code) bool { return c == question.RepairDoubleEncoded })
	}
	if read.repairs.add(question.RepairForeignForm); c.lenientJSON {
		read.repairs.add(question.RepairLenientJSON)
	}
	if unclosed {
		read.repairs.add(question.RepairUnclosedElement)
	}
	d.end(read.call(m.options.Strict))
	return true
}

// foreignCall is a call in another format.
type foreignCall struct {
	tool        string
	arguments   bytes.Buffer // as JSON
	encoded     bool         // converted to JSON from elements
	begun       bool         // has at least one argument
	lenientJSON bool         // the surrounding JSON was repaired
}

// read reads an element, given its opening tag and its content.
func (c *foreignCall) read(tag, content string) {
	content = trim(content)
	if tool, n := toolOf(tag); n > 0 {
		c.tool = tool
		c.readElements(content)
		return
	}
	if name, isFunction := strings.CutPrefix(tag, functionPrefix); isFunction {
		c.tool = trim(strings.TrimSuffix(name, ">"))
		if strings.HasPrefix(content, "{") {
			c.begun = true
			c.arguments.WriteString(content)
		} else {
			c.readElements(strings.ReplaceAll(content, "<parameter=", "<parameter name="))
		}
		return
	}
	_, inner := toolOf(content)
	end := strings.IndexByte(content, '>') + 1
	switch {
	case strings.HasPrefix(content, functionPrefix) && end > 0:
		c.read(content[:end], strings.TrimSuffix(content[end:], functionEnd))
	case inner > 0 && strings.Count(content, "<invoke ")+strings.Count(content, "<"+namespace+"invoke ") > 1:
		// Several calls in one wrapper are not supported.
	case inner > 0:
		c.read(content[:inner], content[inner:max(strings.LastIndex(content, "</"), inner)])
	case strings.HasPrefix(content, "{"):
		c.readObject(content)
	default:
		n := strings.IndexAny(content, " \t\r\n<")
		if n < 0 {
			n = len(content)
		}
		c.tool = content[:n]
		c.readElements(content[n:])
	}
}

// readElements reads arguments written as one element each. A value ends at the last closing tag before the next
// element.
func (c *foreignCall) readElements(content string) {
	c.encoded = true
	c.arguments.WriteByte('{')
	key, from, to := "", -1, -1 // of the open argument
	end := func(at int) {
		if from >= 0 && to < from {
			to = at
		}
		if from >= 0 {
			c.addArgument(key, content[from:to])
		}
		from, to = -1, -1
	}
	begun := 0 // start of the open key
	for t := range toolcall.EachTag(content, argumentNames) {
		switch {
		case t.Name == "arg_key" && t.Closing:
			key = trim(content[begun:t.Start])
		case t.Closing:
			to = t.Start
		case t.Name == "arg_value":
			from = t.End
		case t.Name == "arg_key":
			end(t.Start)
			begun = t.End
		default:
			end(t.Start)
			key, from = t.Attr(content, "name"), t.End
		}
	}
	end(len(content))
	c.arguments.WriteByte('}')
}

func (c *foreignCall) addArgument(key, value string) {
	if c.begun {
		c.arguments.WriteByte(',')
	}
	c.begun = true
	encoder := json.NewEncoder(&c.arguments)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(trim(key)) // a bytes.Buffer never fails
	c.arguments.WriteByte(':')
	_ = encoder.Encode(trim(value))
}

// readObject reads {"name": …, "arguments": …}.
func (c *foreignCall) readObject(content string) {
	var j toolcall.JSON
	j.Init(content, nil)
	for j.Value(); j.Key(); {
		key := j.Text()
		k := j.Value()
		from := j.Start
		j.Skip(k)
		switch {
		case key == "name" && k == toolcall.String && c.tool == "":
			c.tool = j.Text()
		case !c.begun && k >= toolcall.String && slices.Contains([]string{"arguments", "parameters", "input"}, key):
			c.begun = true
			arguments := j.Raw(from)
			if j.Stopped() { // readInput reports what is wrong with them
				arguments = content[from:]
			}
			c.arguments.WriteString(arguments)
		}
	}
	j.End()
	c.lenientJSON = j.Mended != toolcall.NoFault
	if !c.begun {
		c.arguments.WriteString("{}")
	}
}
