package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"followup/internal/question"
)

// hostile generates inputs of about n bytes that might cost more than linear time or memory.
type hostile struct {
	name, format string
	make         func(n int) string
}

// filled returns a function that generates inputs of up to n bytes: head, unit repeated, and tail. A %d in unit becomes a
// running number.
func filled(head, unit, tail string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < n-len(tail); i++ {
			if strings.Contains(unit, "%d") {
				fmt.Fprintf(&b, unit, i)
			} else {
				b.WriteString(unit)
			}
		}
		return b.String() + tail
	}
}

// encoded returns a function that makes a list of about n bytes as the value of follow_up, inside the given number of
// nested strings. The innermost text is a list, or only starts like one. Each layer doubles the backslashes inside
// it.
func encoded(layers int, unit, tail string) func(n int) string {
	wrap := func(text string) string {
		for range layers {
			b, _ := json.Marshal(text)
			text = string(b)
		}
		return `{"question": "A?", "follow_up": ` + text + "}"
	}
	return func(n int) string {
		one := len(wrap("[" + unit + tail))
		return wrap(filled("[", unit, tail)(max(1, len(unit)*n/max(len(unit), len(wrap("["+unit+unit+tail))-one))))
	}
}

// foreignPieces are the opening and closing parts of calls in other formats.
var foreignPieces = []string{
	`<invoke name="ask_followup_question">`, `</invoke>`, `<parameter name="question">`, `</parameter>`, `{"name":"ask_followup_question","arguments":`,
	"<arg_key>question</arg_key><arg_value>", "</arg_value>", "<|channel|>commentary to=ask_followup_question<|message|>", "<|call|>", `[TOOL_CALLS]`,
	`{"question":"A?"}`, `<｜DSML｜invoke name="ask_followup_question">`, `</｜DSML｜invoke>`, `[{"name":"ask_followup_question","args":`, "ask_followup_question[ARGS]",
}

const (
	callStart = "<ask_followup_question><question>A?</question>"
	callEnd   = "</ask_followup_question>"
	listStart = callStart + "<follow_up>"
	listEnd   = "</follow_up>" + callEnd
)

func hostiles() []hostile {
	small := callStart + "<follow_up><suggest>B</suggest></follow_up>" + callEnd
	all := []hostile{
		{"calls", "tags", filled("", small, "")},
		{"short calls", "tags", filled("", "<ask_followup_question><question>%d</question></ask_followup_question>", "")},
		{"calls that mention only", "tags", filled("", "<ask_followup_question></ask_followup_question>", "")},
		{"calls with long questions", "tags", filled("", "<ask_followup_question><question>"+strings.Repeat(prose, 8)+"</question>"+callEnd, "")},
		{"invalid calls", "tags", filled("", "<ask_followup_question><question></question></ask_followup_question>", "")},
		{"calls after an unclosed thought", "tags", filled("<think>", small, "")},
		{"calls after unclosed thoughts", "tags", filled("", "<think>"+small, "")},
		{"calls after every unclosed element", "tags", filled("<think><thinking><reasoning><read_file><apply_diff><web_fetch>", small, "")},
		{"calls after an unclosed fence", "tags", filled("````\n", small, "")},
		{"fences that do not close", "tags", filled("````\n", "~~~~~~\n```\n", "")},
		{"calls after unclosed CDATA", "tags", filled(callStart+"<![CDATA[", small, "")},
		{"unclosed CDATA", "tags", filled(callStart, "<![CDATA[", callEnd)},
		{"thoughts", "tags", filled("", "<think>a</think>", "")},
		{"hidden calls", "tags", filled("<think>", small, "</think>")},
		{"fenced calls", "tags", filled("", "```\n"+small+"\n```\n", "")},
		{"calls in inline code", "tags", filled("", "`"+small+"` ", "")},
		{"openings in inline code", "tags", filled("`", "<ask_followup_question> ", "`")},
		{"backticks", "tags", filled("", "` ", "")},
		{"CDATA sections in a list", "tags", filled(listStart, "<![CDATA[- a\n]]>", listEnd)},
		{"CDATA sections in a question", "tags", filled("<ask_followup_question><question>", "<![CDATA[a]]>", "</question>"+callEnd)},
		{"CDATA in CDATA", "tags", func(n int) string {
			inner := "- a"
			for len(inner) < n {
				inner = "<![CDATA[" + strings.ReplaceAll(inner, "]]>", "]]]]><![CDATA[>") + "]]>"
			}
			return listStart + inner + listEnd
		}},
		{"brackets", "tags", filled(listStart+"<![CDATA[", "]", "]]>"+listEnd)},
		{"suggestions", "tags", filled(listStart, "<suggest>%d</suggest>", listEnd)},
		{"equal suggestions", "tags", filled(listStart, "<suggest>a</suggest>", listEnd)},
		{"suggestions outside follow_up", "tags", filled(callStart, "<suggest>%d</suggest>", callEnd)},
		{"unclosed suggestions", "tags", filled(listStart, "<suggest>", listEnd)},
		{"suggestions in many modes", "tags", filled(listStart, "<suggest mode='%d'>a</suggest>", listEnd)},
		{"long suggestions", "tags", filled(listStart, "<suggest>"+prose+prose+prose+"</suggest>", listEnd)},
		{"suggestions made of fields", "tags", filled(listStart, "<suggest><text>%d</text></suggest>", listEnd)},
		{"fields that do not close", "tags", filled(listStart+"<suggest>", "<text>", "</suggest>"+listEnd)},
		{"attributes", "tags", filled(listStart+"<suggest ", "a='b' ", ">a</suggest>"+listEnd)},
		{"tags with many attributes", "tags", filled(listStart, "<suggest mode='a' mode='b' mode='c'>a</suggest>", listEnd)},
		{"wrappers", "tags", filled(listStart, "<suggestions>", listEnd)},
		{"wrappers around a list", "tags", filled(listStart+"- a", "<options>", listEnd)},
		{"empty lists", "tags", filled(callStart, "<follow_up/>", callEnd)},
		{"lists", "tags", filled(callStart, "<follow_up>- %d</follow_up>", callEnd)},
		{"lists that do not close", "tags", filled(callStart, "<follow_up>", callEnd)},
		{"questions", "tags", filled("<ask_followup_question>", "<question>%d</question>", callEnd)},
		{"questions in the list", "tags", filled("<ask_followup_question><follow_up>", "<question>%d</question>", listEnd)},
		{"questions that do not close", "tags", filled("<ask_followup_question>", "<question>", callEnd)},
		{"elements", "tags", filled("<ask_followup_question><question>", "<b>", "</question>"+callEnd)},
		{"elements that close", "tags", filled("<ask_followup_question><question>", "<bold>a</bold>", "</question>"+callEnd)},
		{"unknown parameters", "tags", filled("<ask_followup_question>", "<a>", callEnd)},
		{"text between parameters", "tags", filled(callStart, "a<b/>", callEnd)},
		{"comments", "tags", filled("<ask_followup_question><question>", "<!--a-->", "</question>"+callEnd)},
		{"entities", "tags", filled("<ask_followup_question><question>", "&amp;", "</question>"+callEnd)},
		{"long entities", "tags", filled("<ask_followup_question><question>", "&#x0000000000000000041;", "</question>"+callEnd)},
		{"bare markup", "tags", filled("<ask_followup_question><question>", "<", "</question>"+callEnd)},
		{"carriage returns", "tags", filled("<ask_followup_question><question>", "\r\n", "a</question>"+callEnd)},
		{"nothing visible", "tags", filled("<ask_followup_question><question>", "\u200b", "b</question>"+callEnd)},
		{"white space", "tags", filled("<ask_followup_question><question>a", " ", "b</question>"+callEnd)},
		{"closing tags in inline code", "tags", filled("<ask_followup_question><question>`", "</question>", "`</question>"+callEnd)},
		{"list lines", "tags", filled(listStart, "- %d\n", listEnd)},
		{"empty lines", "tags", filled(listStart+"- a", "\n", listEnd)},
		{"a long item", "tags", filled(listStart+"- ", "a\n  ", listEnd)},
		{"JSON suggestions", "tags", filled(listStart+"[", "\"%d\",", "1]"+listEnd)},
		{"JSON that does not end", "tags", filled(listStart+"[", "\"%d\",", listEnd)},
		{"invalid JSON", "tags", filled(listStart+"[", "\"%d\",", "x"+listEnd)},
		{"stray lists between suggestions", "tags", filled(listStart, "<suggest>%d</suggest>\n- a\n", listEnd)},
		{"invalid UTF-8", "tags", filled("<ask_followup_question><question>", "\xff", "</question>"+callEnd)},
		{"foreign calls", "tags", filled("", "<tool_call>"+foreignPieces[4]+"{}}</tool_call>", "")},
		{"foreign calls that do not close", "tags", filled("", "<tool_call>{", "</tool_call>")},
		{"invalid foreign calls", "tags", filled("", "<tool_call>a</tool_call>", "")},
		{"foreign elements", "tags", filled("", foreignPieces[0], foreignPieces[1])},
		{"parameters of a foreign call", "tags", filled(foreignPieces[0], foreignPieces[2], foreignPieces[1])},
		{"foreign calls after an unclosed thought", "tags", filled("<think>", foreignPieces[0]+foreignPieces[2]+"A?"+foreignPieces[3]+foreignPieces[1], "")},
		{"objects in one element", "tags", filled("<tool_call>", `{"name":"ask_followup_question","args":{}}`, "</tool_call>")},
		{"invokes in one wrapper", "tags", filled("<function_calls>", `<invoke name="ask_followup_question">{}</invoke>`, "</function_calls>")},
		{"invokes that do not close", "tags", filled("<function_calls>", `<invoke name="ask_followup_question">`, "</function_calls>")},
		{"nested wrappers", "tags", filled("", "<tool_calls><function_calls><tool_call>", "")},
		{"GLM's arguments", "tags", filled("<tool_call>ask_followup_question", "<arg_key>question</arg_key>A?</arg_value>", "</tool_call>")},
		{"GLM's tags", "tags", filled("<tool_call>ask_followup_question", "<arg_value></arg_key>", "</tool_call>")},
		{"JSON in own elements", "tags", filled("", `<ask_followup_question>{"question":"A?"}</ask_followup_question>`, "")},
		{"harmony's calls", "tags", filled("", `<|channel|>commentary to=ask_followup_question<|message|>{"question":"A?"}<|call|>`, "")},
		{"harmony's mentions", "tags", filled("", "<|channel|>commentary to=ask_followup_question<|message|>{\"question\":\"A?\"}<|call|> a\n", "")},
		{"harmony's heads", "tags", filled("", "<|channel|>commentary to=ask_followup_question", "")},
		{"harmony's openings", "tags", filled("", "<|channel|>", "")},
		{"harmony's calls that do not end", "tags", filled("", `<|channel|>commentary to=ask_followup_question<|message|>{"`, "")},
		{"Mistral's calls", "tags", filled("", `[TOOL_CALLS]ask_followup_question[ARGS]{"question":"A?"}`, "")},
		{"Mistral's openings", "tags", filled("", "[TOOL_CALLS]", "")},
		{"a list of calls", "tags", filled("[TOOL_CALLS][", `{"name":"ask_followup_question","args":{}},`, "{}]")},
		{"a message of calls", "tags", filled("", `{"name":"ask_followup_question","args":{}}`, "")},
		{"a message of calls and text", "tags", filled("", `{"name":"ask_followup_question","args":{}}`, "a")},
		{"a message of brackets", "tags", filled(`{"name":`, "[{", "")},
		{"calls in JSON in text", "tags", filled("a ", `{"name":"ask_followup_question","args":{}}`, "")},
		{"calls in JSON in inline code", "tags", filled("a `", `{"name":"ask_followup_question","args":{}} `, "`")},
		{"objects in text", "tags", filled("a ", `{"name":`, "")},
		{"braces in text", "tags", filled("a ", "{", "")},
		{"calls in JSON in a fence", "tags", filled("```\n", `{"name":"ask_followup_question","args":{}}`, "\n```\n")},
		{"names of tools in a fence", "tags", filled("```\n", "{\"ask_followup_question", "\n```\n")},
		{"openings in a fence", "tags", filled("```\n", "<tool_call>{", "\n```\n")},
		{"foreign calls in inline code", "tags", filled("`", foreignPieces[0]+foreignPieces[2]+"A?"+foreignPieces[3]+foreignPieces[1], "`")},
		{"suggestions in JSON", "tags", filled(listStart, `<suggest>{"text":"%d"}</suggest>`, listEnd)},
		{"suggestions like JSON", "tags", filled(listStart, `<suggest>{</suggest>`, listEnd)},

		{"unclosed comments", "tags", filled("", "<!--", "")},
		{"unclosed spans", "tags", filled("", "[THINK]", "")},
		{"text", "tags", filled("", prose, "")},
		{"tags in text", "tags", filled("", "<b>", "")},
		{"bare markup in text", "tags", filled("", "<", "")},
		{"bare markup in a suggestion", "tags", filled(listStart+"<suggest>", "<", "</suggest>"+listEnd)},
		{"ampersands", "tags", filled("<ask_followup_question><question>", "&", "</question>"+callEnd)},
		{"ampersands in a suggestion", "tags", filled(listStart+"<suggest>", "&", "</suggest>"+listEnd)},
		{"references without digits", "tags", filled("<ask_followup_question><question>", "&#", "</question>"+callEnd)},
		{"entities in suggestions", "tags", filled(listStart, "<suggest>&amp;%d</suggest>", listEnd)},
		{"elements in suggestions", "tags", filled(listStart, "<suggest><b>a</b></suggest>", listEnd)},
		{"suggestions in attributes", "tags", filled(listStart, "<suggest text='%d'/>", listEnd)},
		{"tags that begin like known ones", "tags", filled("<ask_followup_question><question>", "<s", "</question>"+callEnd)},
		{"tags that are cut", "tags", filled("<ask_followup_question><question>", "<suggest a='", "</question>"+callEnd)},
		{"empty calls", "tags", filled("", "<ask_followup_question/>", "")},
		{"empty foreign elements", "tags", filled("", "<function=ask_followup_question></function>", "")},
		{"code fences", "tags", filled("", "```\na\n```\n", "")},

		{"suggestions", "json", filled(`{"question": "A?", "follow_up": [`, `"%d",`, `"a"]}`)},
		{"equal suggestions", "json", filled(`{"question": "A?", "follow_up": [`, `"a",`, `"a"]}`)},
		{"numbers", "json", filled(`{"question": "A?", "follow_up": [`, `1,`, `1]}`)},
		{"objects", "json", filled(`{"question": "A?", "follow_up": [`, `{"text":"%d"},`, `1]}`)},
		{"objects in strings", "json", filled(`{"question": "A?", "follow_up": [`, `"{\"text\":\"%d\"}",`, `1]}`)},
		{"texts like objects", "json", filled(`{"question": "A?", "follow_up": [`, `"{",`, `1]}`)},
		{"empty objects in strings", "json", filled(`{"question": "A?", "follow_up": [`, `"{}",`, `1]}`)},
		{"lists in a list", "json", filled(`{"question": "A?", "follow_up": [`, `["%d"],`, `1]}`)},
		{"wrapped items", "json", filled(`{"question": "A?", "follow_up": [`, `{"item":"%d"},`, `1]}`)},
		{"items under paths", "json", filled(`{"question": "A?"`, `,"follow_up[%d].text":"a"`, `}`)},
		{"one item under paths", "json", filled(`{"question": "A?"`, `,"follow_up[0].a%d":"a"`, `}`)},
		{"long paths", "json", filled(`{"question": "A?"`, `,"follow_up[9][9][9][9][9][9][9][9][9][9][9][9][9][9][9].a%d":""`, `}`)},
		{"words before it", "json", filled("", "json ", `{"question": "A?"}`)},
		{"empty objects", "json", filled(`{"question": "A?", "follow_up": [`, `{},`, `1]}`)},
		{"bad items", "json", filled(`{"question": "A?", "follow_up": [`, `[],`, `1]}`)},
		{"nulls", "json", filled(`{"question": "A?", "follow_up": [`, `null,`, `1]}`)},
		{"unknown keys", "json", filled(`{"question": "A?"`, `,"a%d":1`, `}`)},
		{"repeated keys", "json", filled(`{"question": "A?"`, `,"question":"B"`, `}`)},
		{"repeated lists", "json", filled(`{"question": "A?"`, `,"follow_up":["%d"]`, `}`)},
		{"repeated arguments", "json", filled(`{"question": "A?"`, `,"arguments":{}`, `}`)},
		{"nested arguments", "json", filled("", `{"arguments":`, "")},
		{"nested arrays", "json", filled(`{"question": "A?", "follow_up": `, "[", "")},
		{"nested wrappers", "json", filled(`{"question": "A?", "follow_up": `, `{"suggest":`, "")},
		{"nested in an unknown value", "json", filled(`{"question": "A?", "x": `, `[{"a":`, "")},
		{"a number", "json", filled(`{"question": "A?", "follow_up": [`, "1", `]}`)},
		{"escapes", "json", filled(`{"question": "`, `\n\u0041`, `"}`)},
		{"a key", "json", filled(`{"question": "A?", "`, "a", `": 1}`)},
		{"elements in items", "json", filled(`{"question": "A?", "follow_up": [`, `"<suggest>%d</suggest>",`, `"<suggest>a</suggest>"]}`)},
		{"elements in a string", "json", filled(`{"question": "A?", "follow_up": "`, `<suggest>%d</suggest>`, `"}`)},
		{"a list in a string", "json", filled(`{"question": "A?", "follow_up": "`, `- %d\n`, `"}`)},
		{"CDATA in a string", "json", filled(`{"question": "A?", "follow_up": "`, `<![CDATA[- a\n]]>`, `"}`)},
		{"strings in place of lists", "json", filled(`{"question": "A?"`, `,"follow_up":"- a"`, `}`)},
		{"bad escapes", "json", filled(`{"question": "`, `\q`, `"}`)},
		{"lists in strings", "json", filled(`{"question": "A?"`, `,"follow_up":"[1]"`, `}`)},
		{"arguments in strings", "json", filled(`{"question": "A?"`, `,"input":"{}"`, `}`)},
		{"nothing visible", "json", filled(`{"question": "`, "\u200b", `b"}`)},
		{"white space", "json", filled(`{"question": "a`, " ", `b"}`)},
		{"fences before it", "json", filled("", "```", `{"question": "A?"}`)},
		{"brackets after it", "json", filled(`{"question": "A?"}`, "]", "")},

		{"a question", "ask", filled(`{"questions": [{"question": "`, prose, `", "options": ["a", "b"]}]}`)},
		{"questions", "ask", filled(`{"questions": [`, `{"question":"%d"},`, `{}]}`)},
		{"empty questions", "ask", filled(`{"questions": [`, `{},`, `{}]}`)},
		{"options", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `"%d",`, `"a"]}]}`)},
		{"option objects", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `{"label":"%d"},`, `"a"]}]}`)},
		{"options without labels", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `{},`, `"a"]}]}`)},
		{"questions in strings", "ask", filled(`{"questions": [`, `"{\"question\":\"%d\"}",`, `{}]}`)},
		{"options under paths", "ask", filled(`{"a": 1`, `,"questions[0].options[%d].label":"a"`, `}`)},
		{"metadata", "ask", filled(`{"metadata": [`, `{"a":1},`, `1], "questions": []}`)},
		{"previews", "ask", filled(`{"questions": [{"question": "A?", "options": [{"preview":"`, prose, `"}]}]}`)},
		{"headers", "ask", filled(`{"questions": [{"question": "A?"`, `,"header":"%d"`, `}]}`)},
	}
	for _, layers := range []int{1, 2, 3, 4, 6, 10} {
		all = append(all,
			hostile{fmt.Sprintf("%d layers", layers), "json", encoded(layers, `1,`, `2]`)},
			hostile{fmt.Sprintf("%d layers around no JSON", layers), "json", encoded(layers, `1,`, `x`)},
		)
	}
	return all
}

// plainQuestion returns the baseline: a question of n bytes that needs no decoding.
func plainQuestion(format string) func(n int) string {
	switch format {
	case "json":
		return filled(`{"question": "`, prose, `A?"}`)
	case "ask":
		return filled(`{"questions": [{"question": "`, prose, `A?", "options": ["a", "b"]}]}`)
	}
	return filled("<ask_followup_question><question>", prose, "A?</question>"+callEnd)
}

// cost is the memory that reading an input takes, in bytes.
type cost struct {
	allocated int // in total; an upper bound of the bytes copied
	texts     int // estimated size of the calls found
	peak      int // live heap after the last byte
	retained  int // live heap after End, because of the calls
}

// readChunks reads the input in chunks, and calls given before it ends the reader.
func readChunks(format string, input []byte, chunk int, emit func(Event), given func()) {
	r := newReader(format, Options{Limits: largeLimits}, emit)
	for at := 0; at < len(input); at += chunk {
		r.Append(input[at:min(at+chunk, len(input))])
	}
	given()
	r.End()
}

// allocating measures the cost of a read, except peak and retained, which need a slow garbage collection.
func allocating(format string, input []byte, chunk int) (c cost) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	readChunks(format, input, chunk, func(e Event) {
		if done, ok := e.(*Done); ok {
			c.texts += textsOf(&done.Call)
		}
	}, func() {})
	runtime.ReadMemStats(&after)
	c.allocated = int(after.TotalAlloc - before.TotalAlloc)
	return c
}

// textsOf estimates the size of a call: its texts and the structures around them.
func textsOf(call *question.Call) int {
	switch {
	case call.Err != nil:
		return 400
	case call.Followup == nil:
		return 160 + 2*call.Size()
	}
	size := 160 + len(call.Followup.Question)
	for _, s := range call.Followup.Suggest {
		size += len(s.Answer) + len(s.Mode) + 48
	}
	return size
}

// heapInUse returns the size of the live heap.
func heapInUse() int {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	return int(now.HeapAlloc)
}

// memory measures the peak and retained memory of a read.
func memory(format string, input []byte, chunk int) (c cost) {
	calls := make([]question.Call, 0, len(input)/40+8)
	runtime.GC() // a sync.Pool is empty after two collections
	before := heapInUse()
	readChunks(format, input, chunk, func(e Event) {
		if done, ok := e.(*Done); ok {
			calls = append(calls, done.Call)
			c.texts += textsOf(&done.Call)
		}
	}, func() { c.peak = heapInUse() - before })
	c.retained = heapInUse() - before
	c.peak = max(c.peak, c.retained)
	runtime.KeepAlive(calls)
	runtime.KeepAlive(input)
	return c
}

// plainCost returns the cost of a plain question of the given size.
func plainCost(format string, size, chunk int) cost {
	return allocating(format, []byte(plainQuestion(format)(size)), chunk)
}

// overhead is the fixed memory a reader may need, in bytes.
const overhead = 20 << 10

// violations returns how c breaks the cost contract, given the costs of a quarter of the input and of a plain
// question of the same length. The total allocated includes each growth of a buffer, so it bounds the live memory.
func (c cost) violations(quarter, plain cost) []string {
	var broken []string
	if most := 4*plain.allocated + 5*c.texts; c.allocated > most+overhead {
		broken = append(broken,
			fmt.Sprintf("allocated %d bytes (a plain question: %d), want at most %d", c.allocated, plain.allocated, most))
	}
	if most := 8 * quarter.allocated; c.allocated > most+overhead { // quadratic cost would be 16 times
		broken = append(broken,
			fmt.Sprintf("allocated %d bytes, want at most %d (a quarter of the input: %d)", c.allocated, most, quarter.allocated))
	}
	return broken
}

// wastedItems lists inputs that are read as a list until an error at their end. The value is the memory per input
// byte that their discarded suggestions take.
var wastedItems = map[string]int{"invalid JSON": 53 / 8}

// TestCost checks that allocations are linear in the input's length: at most four times those of a plain question,
// plus the size of the calls found.
func TestCost(t *testing.T) {
	const size = 32 << 10
	for _, chunk := range []int{16, 4096} {
		plain := map[string]cost{}
		for _, format := range []string{"tags", "json", "ask"} {
			plain[format] = plainCost(format, size, chunk)
			if got := plain[format].allocated; got > 12*size {
				t.Errorf("%s, a plain question, in chunks of %d: allocated %d bytes, want at most %d", format, chunk, got, 12*size)
			}
		}
		for _, h := range hostiles() {
			quarter := allocating(h.format, []byte(h.make(size/4)), chunk)
			whole := allocating(h.format, []byte(h.make(size)), chunk)
			whole.texts += wastedItems[h.name] * size
			for _, broken := range whole.violations(quarter, plain[h.format]) {
				t.Errorf("%s, %s, in chunks of %d: %s", h.format, h.name, chunk, broken)
			}
		}
	}
}

// manyPieces are inputs whose suggestions or calls outweigh their text: 1 MB can hold 120,000 short suggestions, each
// a structure of 32 bytes plus its place in a list, or 20,000 calls, each with its error.
var manyPieces = map[string]bool{
	"list lines": true, "JSON that does not end": true, "JSON suggestions": true, "suggestions": true, "a list in a string": true, "lists": true,
	"suggestions outside follow_up": true, "stray lists between suggestions": true, "objects": true, "calls that mention only": true,
	"invalid calls": true, "invokes that do not close": true, "lists in a list": true, "wrapped items": true, "foreign calls": true, "elements in items": true, "empty calls": true, "suggestions in attributes": true,
}

// TestMemory checks that peak and retained memory together are at most three times those of a plain question of the
// same length, plus, for manyPieces, twice the size of the calls. The calls must keep nothing else alive.
func TestMemory(t *testing.T) {
	const size = 32 << 10
	for _, chunk := range []int{16, 4 << 10, size} {
		plain := map[string]cost{}
		for _, format := range []string{"tags", "json", "ask"} {
			plain[format] = memory(format, []byte(plainQuestion(format)(size)), chunk)
		}
		for _, h := range hostiles() {
			c := memory(h.format, []byte(h.make(size)), chunk)
			most := 3 * (plain[h.format].peak + plain[h.format].retained)
			if manyPieces[h.name] {
				most += 2 * c.texts
			}
			if got := c.peak + c.retained; got > most+overhead {
				t.Errorf("%s, %s, in chunks of %d: peak %d and retained %d bytes, want a sum of at most %d",
					h.format, h.name, chunk, c.peak, c.retained, most)
			}
			if c.retained > c.texts+overhead {
				t.Errorf("%s, %s, in chunks of %d: retained %d bytes, want at most %d", h.format, h.name, chunk, c.retained, c.texts)
			}
		}
	}
}

// TestTagsScanned checks that the number of tags scanned, repeats included, is linear in the number of tags.
func TestTagsScanned(t *testing.T) {
	for _, unit := range []string{"</question>", "</question>` `", "<question>", "<follow_up>", "<suggest>", "<option><suggest>", "<follow_up><question>`</question>", "<suggest>`</follow_up>"} {
		call := "<ask_followup_question><question>`" + strings.Repeat(unit, 1000) + "`</question></ask_followup_question>"
		tags, most := NewTags(Options{}, func(Event) {}), 0
		for i := range call {
			tags.Append([]byte(call[i : i+1]))
			most = max(most, tags.message.call.scanned)
		}
		if n := strings.Count(call, "<"); most > 4*n {
			t.Errorf("%q repeated: scanned %d tags %d times", unit, n, most)
		}
	}
}

// TestHashTable checks that suggestions with the same answer are spread over the hash table, so that finding one takes
// constant time.
func TestHashTable(t *testing.T) {
	var l suggestionList
	for i := range 5000 {
		l.add("a", strconv.Itoa(i))
	}
	longest, run := 0, 0
	for _, entry := range l.hashTable {
		if run++; entry == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	if len(l.items) != 5000 || longest > 500 {
		t.Errorf("%d suggestions; %d entries in a row", len(l.items), longest)
	}
}

// costPieces are the building blocks of TestCostOfSoup.
var costPieces = map[string][]string{
	"tags": append([]string{
		callStart, callEnd, "<follow_up>", "</follow_up>", "<question>", "</question>", "<suggest>", "</suggest>", "<suggest mode=\"a\">", "<options>",
		"</options>", "<think>", "</think>", "<!--", "-->", "<![CDATA[", "]]>", "```\n", "\n```\n", "`", "\n", " ", "- a\n", "[", "]", "\"a\",", "{\"text\":", "}",
		"<text>", "</text>", "<mode>a</mode>", "&amp;", "&", "<", "</", "\r\n", "é", "\xff", "a", "<b>", "</b>", "<tool_call>", "</tool_call>", "[THINK]",
		"[/THINK]", "<function=ask_followup_question>", "</function>", "\\\"", "null",
	}, foreignPieces...),
	"json": {
		`{"question": "`, `"follow_up": [`, `"suggest": `, `"options":[`, `"arguments":{`, `"text":"`, `"mode":`, `"`, `\"`, `\\`, `[`, `]`, `{`, `}`, `,`, `:`, `1`, `null`,
		`a`, ` `, "- a\n", `<suggest>`, `</suggest>`, `<![CDATA[`, `]]>`, "```", `\u0041`, `\ud83d`, `"a",`, `{"text":"a"},`, `{"label":"a"},`, `"x":`, `[],`, `{},`,
	},
	"ask": {
		`{"questions": [`, `{"question":"A?",`, `"options":[`, `"label":"`, `"header":"`, `"metadata":`, `"preview":"`, `"answers":`, `"multiSelect":true,`, `"`, `\"`, `[`,
		`]`, `{`, `}`, `,`, `:`, `1`, `"a",`, `{"label":"a"},`, `{},`, `[],`, `null,`, ` `, `"x":`,
	},
}

// TestCostOfSoup checks random inputs: random pieces before and after a random unit that repeats.
func TestCostOfSoup(t *testing.T) {
	random, plain := rand.New(rand.NewPCG(1, 2)), map[string]cost{}
	for range 50 {
		checkSoup(t, random, plain)
	}
}

// checkSoup checks one random input. plain caches the costs of plain questions.
func checkSoup(t *testing.T, random *rand.Rand, plain map[string]cost) {
	t.Helper()
	formats := []string{"tags", "json", "ask"}
	format := formats[random.IntN(len(formats))]
	some := func(most int) (text string) {
		for range random.IntN(most + 1) {
			text += costPieces[format][random.IntN(len(costPieces[format]))]
		}
		return text
	}
	head, unit, tail, chunk := some(4), some(4)+costPieces[format][0][:1], some(4), 1<<(4+2*random.IntN(7))
	if format != "tags" {
		head = costPieces[format][0] + head
	}
	made := func(n int) []byte { return []byte(head + strings.Repeat(unit, n/len(unit)+1) + tail) }
	like := fmt.Sprint(format, chunk)
	if _, known := plain[like]; !known {
		plain[like] = plainCost(format, 16<<10, chunk)
	}
	whole := allocating(format, made(16<<10), chunk)
	for _, broken := range whole.violations(allocating(format, made(4<<10), chunk), plain[like]) {
		t.Errorf("%s: %q, %q repeated, %q, in chunks of %d: %s", format, head, unit, tail, chunk, broken)
	}
}

// checkCost checks that the cost of a repeated input is linear.
func checkCost(t *testing.T, format string, input []byte) {
	t.Helper()
	if len(input) == 0 || len(input) > 1<<10 {
		return
	}
	few := bytes.Repeat(input, 1+(1<<10)/len(input))
	const plain = 8 // bytes allocated per byte of a plain question
	quarter, whole := allocating(format, few, 64), allocating(format, bytes.Repeat(few, 4), 64)
	for _, broken := range whole.violations(quarter, cost{allocated: plain * 4 * len(few)}) {
		t.Errorf("%q repeated %d times: %s", input, 4*len(few)/len(input), broken)
	}
}
