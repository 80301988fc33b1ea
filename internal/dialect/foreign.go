package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// Models that were trained on another spelling of calls write it as text: <invoke name="TOOL"> with <parameter name="KEY">
// elements, also in a wrapper and with the names in a namespace; <tool_call> around {"name": "TOOL", "arguments": …} (Hermes, Qwen),
// around the name and <arg_key>KEY</arg_key><arg_value>VALUE</arg_value> (GLM), or around <function=TOOL>; and <function=TOOL> around
// the arguments (Llama) or around <parameter=KEY> elements (Qwen). All of them are read as native arguments.

const (
	functionOf  = "<function="
	functionEnd = "</function>"
	namespace   = "antml:"
)

// foreign are the elements of these spellings.
var foreign = []string{"invoke", namespace + "invoke", "tool_call", "function_calls", namespace + "function_calls", "minimax:tool_call"}

var foreignNames = toolcall.NewNames(foreign...)

// argumentNames are the elements of an argument in these spellings.
var argumentNames = toolcall.NewNames("parameter", namespace+"parameter", "arg_key", "arg_value")

// toolOf returns the tool that an opening tag at the front of a text names, and how long the tag is; 0 where none is named there.
func toolOf(text string) (tool string, n int) {
	if t, ok := toolcall.TagAt(text, 0, foreignNames); ok && t.Opening() && strings.HasSuffix(t.Name, "invoke") {
		return t.Attr(text, "name"), t.End
	}
	return "", 0
}

// Opens reports whether the opening tag at the front of a text may begin a call of ours: one that names a tool names one of ours. Where
// all of the element is there, something in it has to.
func (m *tagMessage) Opens(text string, whole bool) bool {
	tool, n := toolOf(text)
	switch {
	case n > 0:
		return ours(tool)
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
	return ours(trim(head))
}

func ours(tool string) bool { return tool == question.ToolFollowup || tool == question.ToolAskUser }

// Foreign takes an element that may be a call in another spelling, and reports whether it is one.
func (m *tagMessage) Foreign(tag, content string, cut, unclosed bool) bool {
	var c foreignCall
	c.read(tag, content)
	if !ours(c.tool) || cut && !c.begun {
		return false
	}
	c.tool = strings.Clone(c.tool) // not the whole of what it stood in
	d := draft{out: &m.out, tool: c.tool}
	if cut {
		d.fail(question.CodeTruncated, 0)
		return true
	}
	read := readInput(c.tool, c.arguments.Bytes(), m.options)
	if c.encoded { // by us, not by the agent
		read.repairs = slices.DeleteFunc(read.repairs, func(c question.Code) bool { return c == question.RepairDoubleEncoded })
	}
	if read.repairs.add(question.RepairForeignForm); c.mended {
		read.repairs.add(question.RepairLenientJSON)
	}
	if unclosed {
		read.repairs.add(question.RepairUnclosedElement)
	}
	d.end(read.call(m.options.Strict))
	return true
}

// foreignCall is a call in another spelling.
type foreignCall struct {
	tool      string
	arguments bytes.Buffer // as JSON
	encoded   bool         // they are elements, made into JSON
	begun     bool         // there is an argument
	mended    bool         // what they stand in is JSON with flaws
}

// read reads an element with the opening tag and the content.
func (c *foreignCall) read(tag, content string) {
	content = trim(content)
	if tool, n := toolOf(tag); n > 0 {
		c.tool = tool
		c.elements(content)
		return
	}
	if name, isFunction := strings.CutPrefix(tag, functionOf); isFunction {
		c.tool = trim(strings.TrimSuffix(name, ">"))
		if strings.HasPrefix(content, "{") {
			c.begun = true
			c.arguments.WriteString(content)
		} else {
			c.elements(strings.ReplaceAll(content, "<parameter=", "<parameter name="))
		}
		return
	}
	_, inner := toolOf(content)
	end := strings.IndexByte(content, '>') + 1
	switch {
	case strings.HasPrefix(content, functionOf) && end > 0:
		c.read(content[:end], strings.TrimSuffix(content[end:], functionEnd))
	case inner > 0 && strings.Count(content, "<invoke ")+strings.Count(content, "<"+namespace+"invoke ") > 1: // it is a list of calls
	case inner > 0:
		c.read(content[:inner], content[inner:max(strings.LastIndex(content, "</"), inner)])
	case strings.HasPrefix(content, "{"):
		c.object(content)
	default:
		n := strings.IndexAny(content, " \t\r\n<")
		if n < 0 {
			n = len(content)
		}
		c.tool = content[:n]
		c.elements(content[n:])
	}
}

// elements reads arguments that are an element each, whose value reaches to the last closing tag before the next one.
func (c *foreignCall) elements(content string) {
	c.encoded = true
	c.arguments.WriteByte('{')
	key, from, to := "", -1, -1 // of the argument that is open
	end := func(at int) {
		if from >= 0 && to < from {
			to = at
		}
		if from >= 0 {
			c.argument(key, content[from:to])
		}
		from, to = -1, -1
	}
	begun := 0 // where a key begins
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

func (c *foreignCall) argument(key, value string) {
	if c.begun {
		c.arguments.WriteByte(',')
	}
	c.begun = true
	encoder := json.NewEncoder(&c.arguments)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(trim(key)) // a buffer takes all
	c.arguments.WriteByte(':')
	_ = encoder.Encode(trim(value))
}

// object reads {"name": …, "arguments": …}.
func (c *foreignCall) object(content string) {
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
			if j.Stopped() { // whatever is wrong with them is told by their reader
				arguments = content[from:]
			}
			c.arguments.WriteString(arguments)
		}
	}
	j.End()
	c.mended = j.Mended != toolcall.NoFault
	if !c.begun {
		c.arguments.WriteString("{}")
	}
}
