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
	for t := range toolcall.EachTag(text, foreignNames) {
		if t.Start == 0 && t.Opening() && strings.HasSuffix(t.Name, "invoke") {
			return t.Attr(text, "name"), t.End
		}
		break
	}
	return "", 0
}

// Opens reports whether the opening tag may begin a call: one that names a tool names one of ours.
func (t *tagMessage) Opens(tag string) bool {
	if !strings.Contains(tag, "invoke") {
		return true
	}
	tool, _ := toolOf(tag)
	return ours(tool)
}

func ours(tool string) bool { return tool == question.ToolFollowup || tool == question.ToolAskUser }

// Foreign takes an element that may be a call in another spelling, and reports whether it is one.
func (t *tagMessage) Foreign(tag, content string, cut, unclosed bool) bool {
	var c foreignCall
	c.read(tag, content)
	if !ours(c.tool) || cut && !c.begun {
		return false
	}
	c.tool = strings.Clone(c.tool) // not the whole of what it stood in
	call := question.Call{Tool: c.tool, Err: &question.Error{Code: question.CodeTruncated}}
	if !cut {
		call = ReadInput(c.tool, c.arguments, Options{Limits: t.options.Limits})
		t.tellForeign(&call, &c, unclosed)
	}
	(&draft{out: &t.out, tool: c.tool}).end(call)
	return true
}

// tellForeign adds the codes of the spelling to a call that could be read. In strict mode they are an error.
func (t *tagMessage) tellForeign(call *question.Call, c *foreignCall, unclosed bool) {
	if call.Err != nil {
		return
	}
	repairs := codes(call.Repairs)
	if c.encoded { // by us, not by the agent
		repairs = slices.DeleteFunc(repairs, func(c question.Code) bool { return c == question.RepairDoubleEncoded })
	}
	repairs.add(question.RepairForeignForm)
	if c.mended {
		repairs.add(question.RepairLenientJSON)
	}
	if unclosed {
		repairs.add(question.RepairUnclosedElement)
	}
	call.Repairs = repairs
	if t.options.Strict {
		code := question.CodeInvalidFormat
		if call.Tool == question.ToolAskUser {
			code = question.CodeInvalidValue
		}
		*call = question.Call{Tool: call.Tool, Err: &question.Error{Code: code, Detail: question.Detail{
			Name: call.Tool, Reason: question.ReasonMended, Found: repairs.String(),
		}}}
	}
}

// ForeignIn returns how many calls begin in a text, by what names the tool.
func (t *tagMessage) ForeignIn(text string) (n int) {
	if !strings.Contains(text, question.ToolFollowup) && !strings.Contains(text, question.ToolAskUser) {
		return 0
	}
	for _, span := range spans {
		if span.Foreign {
			n += strings.Count(text, span.Open)
		}
	}
	for tag := range toolcall.EachTag(text, foreignNames) {
		if !tag.Opening() {
			continue
		}
		name := tag.Attr(text, "name")
		if tag.Name == "tool_call" {
			head, _, _ := strings.Cut(text[tag.End:], "<")
			name = trim(head)
			if _, named, ok := strings.Cut(head, `"name"`); ok {
				name, _, _ = strings.Cut(strings.TrimLeft(named, " :\""), `"`)
			}
		}
		if ours(name) {
			n++
		}
	}
	return n
}

// foreignCall is a call in another spelling.
type foreignCall struct {
	tool      string
	arguments []byte // as JSON
	encoded   bool   // they are elements, made into JSON
	begun     bool   // there is an argument
	mended    bool   // what they stand in is JSON with flaws
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
			c.arguments, c.begun = []byte(content), true
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
	c.encoded, c.arguments = true, []byte("{")
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
	c.arguments = append(c.arguments, '}')
}

// argument adds an argument to the JSON of all.
func (c *foreignCall) argument(key, value string) {
	if c.begun {
		c.arguments = append(c.arguments, ',')
	}
	c.begun = true
	b := bytes.NewBuffer(c.arguments)
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(trim(key)) // a buffer takes all
	b.WriteByte(':')
	_ = encoder.Encode(trim(value))
	c.arguments = b.Bytes()
}

// object reads {"name": …, "arguments": …}.
func (c *foreignCall) object(content string) {
	o := namedCall{call: c, text: content}
	o.tokens.Init(&o)
	o.tokens.Append([]byte(content))
	o.tokens.End()
	c.mended = o.tokens.Mended != toolcall.NoFault
	switch {
	case c.begun && c.arguments == nil: // whatever is wrong with them is told by their reader
		c.arguments = []byte(content[o.from:])
	case c.arguments == nil:
		c.arguments = []byte("{}")
	}
}

// namedCall finds the name and the arguments in the object of a foreignCall.
type namedCall struct {
	call   *foreignCall
	tokens toolcall.JSON
	text   string
	depth  int
	key    string // in the outermost object
	from   int    // where the arguments begin
}

func (o *namedCall) Key(name []byte) {
	if o.depth == 1 {
		o.key = string(name)
	}
}

func (o *namedCall) Begin(toolcall.Kind) {
	if o.depth == 1 && !o.call.begun && slices.Contains([]string{"arguments", "parameters", "input"}, o.key) {
		o.call.begun, o.from = true, o.tokens.Offset()
	}
	o.depth++
}

func (o *namedCall) StringPart(b []byte) {
	if o.depth == 2 && o.key == "name" && len(o.call.tool) <= len(question.ToolFollowup) {
		o.call.tool += string(b)
	}
}

func (o *namedCall) End(toolcall.Kind) {
	if o.depth--; o.depth == 1 && o.call.begun && o.call.arguments == nil {
		o.call.arguments = []byte(o.text[o.from:o.tokens.Offset()])
	}
}

func (o *namedCall) Scalar(toolcall.Kind, []byte) {}
