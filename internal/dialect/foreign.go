package dialect

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// form is how a family of models writes calls as text: an opening, the tool's name, the arguments and an end. The arguments
// are JSON, or one element each. An element ends at its closing tag, other forms with the JSON.
type form struct {
	open string // the element, or the word, that it begins with
	name string // the attribute, or the word, before the tool's name; if empty, the name begins the content, or is in the JSON
}

// elementForms may have any of the namespaces.
var elementForms = []form{
	{"invoke", "name"},   // Claude, MiniMax, DeepSeek (DSML)
	{"function", "name"}, // Llama, Qwen: <function=NAME>
	{"tool_call", ""},    // Hermes, Qwen, GLM
	{"tool_calls", ""},
	{"function_call", ""},
	{"function_calls", ""},
}

var namespaces = []string{"", "antml:", "minimax:", "seed:", "｜DSML｜"}

// wordForms begin with a word. The last two are a whole message.
var wordForms = []form{
	{"<|channel|>", "to="}, // gpt-oss (harmony)
	{"<|start|>", "to="},
	{"[TOOL_CALLS]", ""},                    // Mistral
	{"<|tool_call_begin|>", ""},             // Kimi
	{"<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"}, // DeepSeek until V3.1
	{"<|tool_call|>", ""},                   // Granite
	{"<|python_tag|>", ""},                  // Llama
	{"{", ""},
	{"[", ""},
}

// endWords may follow the JSON of a call.
var endWords = []string{
	"<|call|>", "<|end|>", "<|return|>", "<|tool_call_end|>", "<|tool_calls_section_end|>", "<｜tool▁call▁end｜>",
	"<｜tool▁calls▁end｜>", "<|eom_id|>", "<|eot_id|>", "<|im_end|>", "</s>",
}

// Names in JSON around the arguments. The description of a tool has some of them too, and schemaKey.
var (
	ourTools     = []string{question.ToolFollowup, question.ToolAskUser}
	toolKeys     = []string{"name", "tool", "tool_name", "function"}
	argumentKeys = []string{keyArguments, "parameters", "args", "input", "params"}
	nestedKeys   = []string{"function", "function_call", "tool_call", "tool_calls"}
	firstKeys    = slices.Concat(toolKeys, argumentKeys, nestedKeys, ourTools, []string{"type", "id", "index"})
)

const schemaKey = `"properties":`

const tagKey, tagValue = "arg_key", "arg_value"

var (
	foreignTags  = namespaced(elementForms)
	foreignNames = toolcall.NewNames(foreignTags...)
	// argumentNames are the elements that hold one argument, and parameterNames those that stand for it if there are none.
	argumentNames  = toolcall.NewNames(append(namespaced([]form{{"parameter", ""}}), tagKey, tagValue)...)
	parameterNames = toolcall.NewNames(tagQuestion, tagFollowUp, keyQuestions)
)

// namespaced returns the names of the elements in all namespaces. Those of one namespace are adjacent.
func namespaced(elements []form) (all []string) {
	for _, space := range namespaces {
		for _, f := range elements {
			all = append(all, space+f.open)
		}
	}
	return all
}

// opening returns the form that begins text; nil if none does. tag is its opening tag, if it is an element.
func opening(text string) (f *form, tag toolcall.Tag) {
	for i := range wordForms {
		if strings.HasPrefix(text, wordForms[i].open) {
			return &wordForms[i], tag
		}
	}
	for t := range toolcall.EachTag(text[:strings.IndexByte(text, '>')+1], foreignNames) {
		if t.Start == 0 && t.Opening() {
			return &elementForms[t.Index%len(elementForms)], t
		}
		break
	}
	return nil, tag
}

// tool returns the tool that text names after the form's opening, such as functions.ask_followup_question:0: empty if it is
// not ours. end is the end of the name, or -1 if text has none.
func (f *form) tool(text string) (tool string, end int) {
	rest := strings.TrimPrefix(text, f.open)
	if f.name != "" {
		_, rest, _ = strings.Cut(rest, f.name)
	}
	rest = trimLeft(rest)
	name := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return !strings.ContainsRune(" \t\r\n<>[{(", r) }))]
	if end = len(text) - len(rest) + len(name); name == "" && f.name == "" {
		end = -1
	}
	return ourTool(name), end
}

// ourTool returns the tool that a name means, or "".
func ourTool(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(strings.Trim(name, " \t\r\n\"'"), "functions."), ":")
	if i := slices.Index(ourTools, name); i >= 0 {
		return ourTools[i]
	}
	return ""
}

// opens reports whether the opening at the start of text may begin one of our calls. The content decides if it names no tool.
func opens(text string) bool {
	f, tag := opening(text)
	if f == nil {
		return false
	} else if tag.End > 0 {
		return f.name == "" || ourTool(tag.Attr(text, f.name)) != ""
	}
	head, content, _ := strings.Cut(text, "{")
	if tool, end := f.tool(head); end >= 0 {
		return tool != ""
	}
	key, quoted := strings.CutPrefix(trimLeft(content), `"`)
	key, _, _ = strings.Cut(key, `"`)
	return quoted && slices.Contains(firstKeys, key)
}

// shown returns how many calls a text shows: each tool's name between an opening and the beginning of arguments.
func shown(text string) (n int) {
	const before, after = 128, 96 // bytes around the name that decide
	for _, tool := range ourTools {
		for at, i := 0, 0; i >= 0; {
			if i = strings.Index(text[at:], tool); i < 0 {
				break
			}
			from, name := max(at, at+i-before), at+i
			at = name + len(tool)
			if open := strings.LastIndexAny(text[from:name], "<[{"); open >= 0 {
				r := readForeign(text[from+open : min(len(text), at+after)])
				n += len(slices.DeleteFunc(r.found, func(c foreignCall) bool { return !c.begun && !c.closed }))
			}
		}
	}
	return n
}

// Foreign reads a text that may have calls in other formats, and reports whether it has one of ours. The rest of the text,
// such as calls of other tools, stays text.
func (m *tagMessage) Foreign(text string, cut bool) bool {
	r, at := readForeign(text), 0
	last := len(r.found) - 1
	if cut && last >= 0 && !r.found[last].closed && !r.found[last].begun {
		r.found, r.other = r.found[:last], true
	}
	if r.outside || len(r.found) == 0 {
		return false
	}
	for i, c := range r.found {
		if r.other && at < c.from {
			m.Text(text[at:c.from])
		}
		at = c.to
		if d := (draft{out: &m.out, tool: c.tool}); cut && i == last && !c.closed {
			d.fail(question.CodeTruncated, 0)
		} else {
			d.end(c.reading(m, cut).call(m.options.Strict))
		}
	}
	if r.other && at < len(text) {
		m.Text(text[at:])
	}
	return true
}

// reading reads the call's arguments. unclosed means that an element around the call is not closed.
func (c *foreignCall) reading(m *tagMessage, unclosed bool) *reading {
	r := readInput(c.tool, []byte(c.arguments), m.options)
	if c.encoded { // by readElements, not the agent
		r.repairs = slices.DeleteFunc(r.repairs, func(c question.Code) bool { return c == question.RepairDoubleEncoded })
	}
	if r.repairs.add(question.RepairForeignForm); c.lenient {
		r.repairs.add(question.RepairLenientJSON)
	}
	r.notePlace(m.scanner, unclosed)
	return &r
}

// foreignCalls reads the calls in a text that is one of the forms, or several one after the other.
type foreignCalls struct {
	text    string
	found   []foreignCall // of our tools
	outside bool          // something stands outside the forms
	other   bool          // the forms have something else than our calls
}

// foreignCall is a call in another format.
type foreignCall struct {
	tool      string
	arguments string // as JSON
	from, to  int    // its place in the text
	begun     bool   // has at least one argument
	encoded   bool   // converted to JSON from elements
	lenient   bool   // the surrounding JSON was repaired
	closed    bool   // its own end was seen
}

func readForeign(text string) *foreignCalls {
	r := &foreignCalls{text: text}
	r.read(0, len(text))
	return r
}

func (r *foreignCalls) add(c foreignCall) {
	if c.tool == "" {
		r.other = true
	} else {
		r.found = append(r.found, c)
	}
}

// skip returns the start of the next form: behind white space, stray brackets, fences with their info strings, and end words.
func (r *foreignCalls) skip(from, to int) int {
	for before := -1; before != from; {
		before = from
		from = to - len(strings.TrimLeft(r.text[from:to], " \t\r\n]}`,;"))
		for _, word := range endWords {
			from = to - len(strings.TrimPrefix(r.text[from:to], word))
		}
		if rest, ok := strings.CutPrefix(r.text[from:to], "json"); ok && beginsJSON(rest) {
			from = to - len(rest)
		}
	}
	return from
}

// read reads the forms in a part of the text.
func (r *foreignCalls) read(from, to int) {
	for from = r.skip(from, to); from < to; from = r.skip(from, to) {
		f, tag := opening(r.text[from:to])
		at := from + strings.IndexByte(r.text[from:to], '{')
		switch {
		case tag.End > 0:
			from = r.readElement(f, tag, from, to)
		case f != nil && at >= from:
			from = r.readJSON(f, from, at, to)
		default:
			r.outside = true
			return
		}
	}
}

// readElement reads the element at an offset, whose opening tag is given, and returns its end. Without a closing tag, it ends at
// the next opening tag of its name.
func (r *foreignCalls) readElement(f *form, tag toolcall.Tag, from, to int) (end int) {
	inside, content := from+tag.End, to
	c := foreignCall{from: from, to: to}
	for t := range toolcall.EachTag(r.text[inside:to], foreignNames) {
		if t.Name == tag.Name && (t.Closing || opens(r.text[inside+t.Start:to])) {
			content, c.closed = inside+t.Start, t.Closing
			if c.to = content; t.Closing {
				c.to = inside + t.End
			}
			break
		}
	}
	if f.name != "" {
		c.tool = ourTool(tag.Attr(r.text[from:to], f.name))
	} else if inner, _ := opening(r.text[r.skip(inside, content):content]); inner != nil {
		outside := r.outside
		r.read(inside, content)
		r.outside, r.other = outside, r.other || r.outside
		return c.to
	} else if tool, n := (&form{}).tool(r.text[inside:content]); n > 0 {
		c.tool = tool
		inside += n
	}
	if c.read(r.text[inside:content]); !c.begun && !c.closed && c.to < to {
		c.tool = "" // a mention
	}
	r.add(c)
	return c.to
}

// readJSON reads the form at an offset whose arguments are the JSON at another one, or that is this JSON, and returns its end.
func (r *foreignCalls) readJSON(f *form, from, at, to int) (end int) {
	var j toolcall.JSON
	j.Init(r.text[at:to], nil)
	k, first := j.Value(), len(r.found)
	tool, named := f.tool(r.text[from:at])
	if named >= 0 {
		j.Skip(k)
		r.add(foreignCall{tool: tool, begun: true})
	} else {
		r.readObject(&j, at, to, 0)
	}
	if end = at + j.At; j.Stopped() {
		end = to
	}
	if n := len(r.found); n > first {
		c := &r.found[n-1]
		if c.closed = len(f.open) > 1 && !j.Cut(); named >= 0 {
			c.to, c.arguments = end, r.text[at:end]
		}
		r.found[first].from = from
	}
	return end
}

const maxNested = 3 // objects around a call

// readObject reads an object with the tool's name and its arguments, or with such objects in it. Offsets of j count from base.
func (r *foreignCalls) readObject(j *toolcall.JSON, base, to, nested int) {
	c, first := foreignCall{from: base + j.Start, arguments: "{}"}, len(r.found)
	for j.Key() {
		key := j.Text()
		k, tool := j.Value(), ourTool(key)
		from := j.Start
		switch deep := nested < maxNested && slices.Contains(nestedKeys, key); {
		case deep && k == toolcall.Object:
			r.readObject(j, base, to, nested+1)
			continue
		case deep && k == toolcall.Array:
			for j.Item() {
				if k = j.Value(); k == toolcall.Object {
					r.readObject(j, base, to, nested+1)
				} else {
					j.Skip(k)
				}
			}
			continue
		}
		if j.Skip(k); k == toolcall.String && c.tool == "" && slices.Contains(toolKeys, key) {
			c.tool = ourTool(j.Text())
		} else if !c.begun && k >= toolcall.String && (tool != "" || slices.Contains(argumentKeys, key)) {
			c.tool, c.begun = cmp.Or(c.tool, tool), true
			if c.arguments = r.text[base+from : base+j.At]; j.Stopped() { // readInput reports what is wrong with them
				c.arguments = r.text[base+from : to]
			}
		}
	}
	c.to, c.lenient = base+j.At, j.Mended != toolcall.NoFault
	if strings.Contains(c.arguments, schemaKey) {
		c.tool = ""
	}
	if n := len(r.found); n > first && c.tool == "" {
		r.found[first].from, r.found[n-1].to = c.from, c.to
	} else {
		r.add(c)
	}
}

// read reads the content of a form that names its tool: JSON, or arguments as elements.
func (c *foreignCall) read(content string) {
	content = trim(content)
	if c.begun = beginsJSON(content) && (content[0] != '`' || strings.HasPrefix(content, "```")); c.begun {
		c.arguments = content
	} else {
		c.readElements(content)
	}
}

// readElements reads arguments written as one element each. GLM's <arg_key> and <arg_value> may lack one of their tags.
func (c *foreignCall) readElements(content string) {
	names := parameterNames
	for range toolcall.EachTag(content, argumentNames) {
		names = argumentNames
		break
	}
	var arguments strings.Builder
	encoder := json.NewEncoder(&arguments)
	encoder.SetEscapeHTML(false)
	key, from, to := "", -1, -1 // the open value; to is the last closing tag so far
	keyFrom := 0                // where the next key begins if its opening tag is missing
	begin := func(at int, nextKey string, next int) {
		if from >= 0 {
			if to >= from {
				at = to
			}
			arguments.WriteString(map[bool]string{true: ",", false: "{"}[c.begun])
			_ = encoder.Encode(cmp.Or(key, keyArguments)) // a Builder never fails
			arguments.WriteByte(':')
			_ = encoder.Encode(trim(content[from:at]))
			c.begun = true
		}
		key, from, to = trim(nextKey), next, -1
	}
	for t := range toolcall.EachTag(content, names) {
		between := from < 0 || to >= from // no value is open
		switch isKey, isValue := t.Name == tagKey, t.Name == tagValue; {
		case isKey && !t.Closing:
			begin(t.Start, "", -1)
			keyFrom = t.End
		case between && (isKey || isValue && !t.Closing):
			begin(keyFrom, content[keyFrom:t.Start], t.End)
		case isValue && !t.Closing:
			from = t.End
		case t.Closing:
			to, keyFrom = t.Start, t.End
		case names == argumentNames:
			begin(t.Start, t.Attr(content, "name"), t.End)
		case between && content[0] == '<':
			begin(t.Start, t.Name, t.End)
		}
	}
	begin(len(content), "", -1)
	c.arguments, c.encoded = cmp.Or(arguments.String(), "{")+"}", true
}
