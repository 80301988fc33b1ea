package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"followup/internal/question"
)

// hostile is an input of about n bytes that could cost more than its length.
type hostile struct {
	name, format string
	make         func(n int) string
}

// filled returns head, as many of the unit as n bytes hold, and tail; a %d in the unit is a number that differs each time.
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

// encoded returns a list of about n bytes that stands in so many strings around each other, as the value of follow_up. What is
// innermost is a list, or only looks like the beginning of one. Each layer doubles the backslashes of the one inside.
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

// foreignPieces are calls in another spelling, with and without their ends.
var foreignPieces = []string{
	`<invoke name="ask_followup_question">`, `</invoke>`, `<parameter name="question">`, `</parameter>`, `{"name":"ask_followup_question","arguments":`,
	"<arg_key>question</arg_key><arg_value>",
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
		{"calls behind an unclosed thought", "tags", filled("<think>", small, "")},
		{"calls behind unclosed thoughts", "tags", filled("", "<think>"+small, "")},
		{"calls behind every unclosed element", "tags", filled("<think><thinking><reasoning><read_file><apply_diff><web_fetch>", small, "")},
		{"calls behind an unclosed fence", "tags", filled("````\n", small, "")},
		{"fences that do not close", "tags", filled("````\n", "~~~~~~\n```\n", "")},
		{"calls behind unclosed CDATA", "tags", filled(callStart+"<![CDATA[", small, "")},
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
		{"suggestions straight in the call", "tags", filled(callStart, "<suggest>%d</suggest>", callEnd)},
		{"unclosed suggestions", "tags", filled(listStart, "<suggest>", listEnd)},
		{"long suggestions", "tags", filled(listStart, "<suggest>"+prose+prose+prose+"</suggest>", listEnd)},
		{"suggestions made of fields", "tags", filled(listStart, "<suggest><text>%d</text></suggest>", listEnd)},
		{"fields that do not close", "tags", filled(listStart+"<suggest>", "<text>", "</suggest>"+listEnd)},
		{"attributes", "tags", filled(listStart+"<suggest ", "a='b' ", ">a</suggest>"+listEnd)},
		{"tags with many attributes", "tags", filled(listStart, "<suggest mode='a' mode='b' mode='c'>a</suggest>", listEnd)},
		{"wrappers", "tags", filled(listStart, "<suggestions>", listEnd)},
		{"wrappers around a list", "tags", filled(listStart+"- a", "<options>", listEnd)},
		{"lists that are empty", "tags", filled(callStart, "<follow_up/>", callEnd)},
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
		{"white space", "tags", filled("<ask_followup_question><question>a", " ", "b</question>"+callEnd)},
		{"closing tags in inline code", "tags", filled("<ask_followup_question><question>`", "</question>", "`</question>"+callEnd)},
		{"list lines", "tags", filled(listStart, "- %d\n", listEnd)},
		{"empty lines", "tags", filled(listStart+"- a", "\n", listEnd)},
		{"a long item", "tags", filled(listStart+"- ", "a\n  ", listEnd)},
		{"JSON suggestions", "tags", filled(listStart+"[", "\"%d\",", "1]"+listEnd)},
		{"JSON that does not end", "tags", filled(listStart+"[", "\"%d\",", listEnd)},
		{"JSON that is none", "tags", filled(listStart+"[", "\"%d\",", "x"+listEnd)},
		{"stray lists between suggestions", "tags", filled(listStart, "<suggest>%d</suggest>\n- a\n", listEnd)},
		{"invalid UTF-8", "tags", filled("<ask_followup_question><question>", "\xff", "</question>"+callEnd)},
		{"foreign calls", "tags", filled("", "<tool_call>"+foreignPieces[4]+"{}}</tool_call>", "")},
		{"foreign calls that do not close", "tags", filled("", "<tool_call>{", "</tool_call>")},
		{"foreign calls that are none", "tags", filled("", "<tool_call>a</tool_call>", "")},
		{"foreign elements", "tags", filled("", foreignPieces[0], foreignPieces[1])},
		{"parameters of a foreign call", "tags", filled(foreignPieces[0], foreignPieces[2], foreignPieces[1])},
		{"foreign calls behind an unclosed thought", "tags", filled("<think>", foreignPieces[0]+foreignPieces[2]+"A?"+foreignPieces[3]+foreignPieces[1], "")},
		{"unclosed comments", "tags", filled("", "<!--", "")},
		{"unclosed spans", "tags", filled("", "[THINK]", "")},
		{"text", "tags", filled("", prose, "")},
		{"tags in text", "tags", filled("", "<b>", "")},

		{"suggestions", "json", filled(`{"question": "A?", "follow_up": [`, `"%d",`, `"a"]}`)},
		{"equal suggestions", "json", filled(`{"question": "A?", "follow_up": [`, `"a",`, `"a"]}`)},
		{"numbers", "json", filled(`{"question": "A?", "follow_up": [`, `1,`, `1]}`)},
		{"objects", "json", filled(`{"question": "A?", "follow_up": [`, `{"text":"%d"},`, `1]}`)},
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
		{"nested in what is unknown", "json", filled(`{"question": "A?", "x": `, `[{"a":`, "")},
		{"a number", "json", filled(`{"question": "A?", "follow_up": [`, "1", `]}`)},
		{"escapes", "json", filled(`{"question": "`, `\n\u0041`, `"}`)},
		{"a key", "json", filled(`{"question": "A?", "`, "a", `": 1}`)},
		{"elements in items", "json", filled(`{"question": "A?", "follow_up": [`, `"<suggest>%d</suggest>",`, `"<suggest>a</suggest>"]}`)},
		{"elements in a string", "json", filled(`{"question": "A?", "follow_up": "`, `<suggest>%d</suggest>`, `"}`)},
		{"a list in a string", "json", filled(`{"question": "A?", "follow_up": "`, `- %d\n`, `"}`)},
		{"CDATA in a string", "json", filled(`{"question": "A?", "follow_up": "`, `<![CDATA[- a\n]]>`, `"}`)},
		{"strings in place of lists", "json", filled(`{"question": "A?"`, `,"follow_up":"- a"`, `}`)},
		{"white space", "json", filled(`{"question": "a`, " ", `b"}`)},
		{"fences before it", "json", filled("", "```", `{"question": "A?"}`)},
		{"brackets behind it", "json", filled(`{"question": "A?"}`, "]", "")},

		{"a question", "ask", filled(`{"questions": [{"question": "`, prose, `", "options": ["a", "b"]}]}`)},
		{"questions", "ask", filled(`{"questions": [`, `{"question":"%d"},`, `{}]}`)},
		{"empty questions", "ask", filled(`{"questions": [`, `{},`, `{}]}`)},
		{"options", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `"%d",`, `"a"]}]}`)},
		{"option objects", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `{"label":"%d"},`, `"a"]}]}`)},
		{"options without labels", "ask", filled(`{"questions": [{"question": "A?", "options": [`, `{},`, `"a"]}]}`)},
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

// plainQuestion is what an input may be compared with: a question of n bytes that stands for itself.
func plainQuestion(format string) func(n int) string {
	switch format {
	case "json":
		return filled(`{"question": "`, prose, `A?"}`)
	case "ask":
		return filled(`{"questions": [{"question": "`, prose, `A?", "options": ["a", "b"]}]}`)
	}
	return filled("<ask_followup_question><question>", prose, "A?</question>"+callEnd)
}

// cost is what reading an input takes, in bytes.
type cost struct {
	allocated int // in all, which is what is copied and more
	texts     int // about what the calls that were found need
	peak      int // alive when all of the input was given
	retained  int // alive afterwards, because of the calls
}

// readChunks reads the input in chunks, and calls given when all of it was given.
func readChunks(format string, input []byte, chunk int, emit func(Event), given func()) {
	r := newReader(format, Options{Limits: largeLimits}, emit)
	for at := 0; at < len(input); at += chunk {
		r.Append(input[at:min(at+chunk, len(input))])
	}
	given()
	r.End()
}

// allocating returns the cost of reading, without what needs a collection, which takes longer than reading.
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

// textsOf returns about how many bytes a call needs: those of its texts, and of the structures around them.
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

// alive returns the bytes on the heap that are in use.
func alive() int {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	return int(now.HeapAlloc)
}

// memory returns what is alive while the input is read, and what its calls keep.
func memory(format string, input []byte, chunk int) (c cost) {
	calls := make([]question.Call, 0, len(input)/40+8)
	runtime.GC() // what pools hold is gone after two
	before := alive()
	readChunks(format, input, chunk, func(e Event) {
		if done, ok := e.(*Done); ok {
			calls = append(calls, done.Call)
			c.texts += textsOf(&done.Call)
		}
	}, func() { c.peak = alive() - before })
	c.retained = alive() - before
	c.peak = max(c.peak, c.retained)
	runtime.KeepAlive(calls)
	runtime.KeepAlive(input)
	return c
}

// plainCost is what a plain question of so many bytes costs.
func plainCost(format string, size, chunk int) cost {
	return allocating(format, []byte(plainQuestion(format)(size)), chunk)
}

// some is what a reader needs besides, in bytes.
const some = 20 << 10

// breaks reports how a cost breaks the contract, with that of a quarter of the input, and that of a plain question as long. What is
// allocated in all includes each growth of a text, and is a bound of what is alive at once.
func (c cost) breaks(quarter, plain cost) []string {
	var broken []string
	if most := 4*plain.allocated + 5*c.texts; c.allocated > most+some {
		broken = append(broken, fmt.Sprintf("%d bytes are allocated, and %d for a plain question: want at most %d", c.allocated, plain.allocated, most))
	}
	if most := 8 * quarter.allocated; c.allocated > most+some { // a square would be 16 times it
		broken = append(broken, fmt.Sprintf("%d bytes are allocated, want at most %d, since a quarter of it takes %d", c.allocated, most, quarter.allocated))
	}
	return broken
}

// vain are the inputs that are read as a list up to a mistake at their end, with what its suggestions take for each byte, and there are none.
var vain = map[string]int{"JSON that is none": 53 / 8}

// TestCost checks that reading any input allocates in proportion to its length, at most four times what a plain question does, and what its
// suggestions and calls need.
func TestCost(t *testing.T) {
	const size = 32 << 10
	for _, chunk := range []int{16, 4096} {
		plain := map[string]cost{}
		for _, format := range []string{"tags", "json", "ask"} {
			plain[format] = plainCost(format, size, chunk)
			if got := plain[format].allocated; got > 12*size {
				t.Errorf("%s, a plain question, in chunks of %d: %d bytes are allocated, want at most %d", format, chunk, got, 12*size)
			}
		}
		for _, h := range hostiles() {
			quarter := allocating(h.format, []byte(h.make(size/4)), chunk)
			whole := allocating(h.format, []byte(h.make(size)), chunk)
			whole.texts += vain[h.name] * size
			for _, broken := range whole.breaks(quarter, plain[h.format]) {
				t.Errorf("%s, %s, in chunks of %d: %s", h.format, h.name, chunk, broken)
			}
		}
	}
}

// manyPieces are the inputs that are read as so many suggestions or calls that these outweigh the text: 1 MB can hold 120,000 suggestions
// of a few letters, each of which is a structure of 32 bytes with a place in a list, or 20,000 calls, each with its error.
var manyPieces = map[string]bool{
	"list lines": true, "JSON that does not end": true, "JSON suggestions": true, "suggestions": true, "a list in a string": true, "lists": true,
	"suggestions straight in the call": true, "stray lists between suggestions": true, "objects": true, "calls that mention only": true,
	"invalid calls": true, "foreign calls": true, "elements in items": true,
}

// TestMemory checks that any input takes at most three times the memory of a plain question as long: what is alive at most while it is read,
// and what is kept of it. Those of many pieces take at most twice what these need besides. The calls keep nothing alive but themselves.
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
			if got := c.peak + c.retained; got > most+some {
				t.Errorf("%s, %s, in chunks of %d: %d bytes are alive at most and %d kept, together want at most %d",
					h.format, h.name, chunk, c.peak, c.retained, most)
			}
			if c.retained > c.texts+some {
				t.Errorf("%s, %s, in chunks of %d: the calls keep %d bytes, want at most %d", h.format, h.name, chunk, c.retained, c.texts)
			}
		}
	}
}

// TestTagsTaken checks that the tags of a call are taken in proportion to their number, though those behind what decides nothing are taken
// again.
func TestTagsTaken(t *testing.T) {
	for _, unit := range []string{"</question>", "</question>` `", "<question>", "<follow_up>", "<suggest>", "<option><suggest>", "<follow_up><question>`</question>", "<suggest>`</follow_up>"} {
		call := "<ask_followup_question><question>`" + strings.Repeat(unit, 1000) + "`</question></ask_followup_question>"
		tags, most := NewTags(Options{}, func(Event) {}), 0
		for i := range call {
			tags.Append([]byte(call[i : i+1]))
			most = max(most, tags.message.call.taken)
		}
		if n := strings.Count(call, "<"); most > 4*n {
			t.Errorf("%q again and again: %d tags are taken %d times", unit, n, most)
		}
	}
}

// costPieces are what TestCostOfSoup puts together.
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

// TestCostOfSoup checks inputs that nobody has thought of: some pieces, others again and again, and others.
func TestCostOfSoup(t *testing.T) {
	random, plain := rand.New(rand.NewPCG(1, 2)), map[string]cost{}
	for range 50 {
		checkSoup(t, random, plain)
	}
}

// checkSoup checks one input. What plain questions cost is noted in plain.
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
	for _, broken := range whole.breaks(allocating(format, made(4<<10), chunk), plain[like]) {
		t.Errorf("%s: %q, %q again and again, %q, in chunks of %d: %s", format, head, unit, tail, chunk, broken)
	}
}

// checkCost checks that an input does not cost more than its length when it stands in itself many times.
func checkCost(t *testing.T, format string, input []byte) {
	t.Helper()
	if len(input) == 0 || len(input) > 1<<10 {
		return
	}
	few := bytes.Repeat(input, 1+(1<<10)/len(input))
	const plain = 8 // bytes that are allocated for each of a plain question
	quarter, whole := allocating(format, few, 64), allocating(format, bytes.Repeat(few, 4), 64)
	for _, broken := range whole.breaks(quarter, cost{allocated: plain * 4 * len(few)}) {
		t.Errorf("%d times %q: %s", 4*len(few)/len(input), input, broken)
	}
}
