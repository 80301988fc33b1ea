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
	peak      int // alive at the same time, as far as was looked
	retained  int // alive afterwards, because of the calls that were found
	texts     int // of the calls
	size      int // of the input
}

// readChunks reads the input in chunks, and calls sample when half and when all of it was given.
func readChunks(format string, input []byte, chunk int, emit func(Event), sample func()) {
	r := newReader(format, Options{Limits: largeLimits}, emit)
	for rest := input; len(rest) > 0; {
		n := min(chunk, len(rest))
		r.Append(rest[:n])
		half := len(rest) > len(input)/2
		if rest = rest[n:]; half && len(rest) <= len(input)/2 || len(rest) == 0 {
			sample()
		}
	}
	r.End()
}

// allocating returns the bytes that are allocated while the input is read.
func allocating(format string, input []byte, chunk int) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	readChunks(format, input, chunk, func(Event) {}, func() {})
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// readingCost reads the input in chunks and keeps its calls. It looks seldom, since a collection takes longer than reading.
func readingCost(format string, input []byte, chunk int) cost {
	c := cost{size: len(input)}
	calls, dones := make([]question.Call, 0, len(input)/40+8), 0
	var before, now runtime.MemStats
	sample := func() {
		runtime.GC()
		runtime.ReadMemStats(&now)
		c.peak = max(c.peak, int(now.HeapAlloc)-int(before.HeapAlloc))
	}
	runtime.GC()
	runtime.GC() // what pools hold is gone after two
	runtime.ReadMemStats(&before)
	readChunks(format, input, chunk, func(e Event) {
		if done, ok := e.(*Done); ok {
			calls = append(calls, done.Call)
			if dones++; dones&(dones-1) == 0 && dones&0x5555 != 0 { // the first, the fourth, the sixteenth, and so on
				sample()
			}
		}
	}, sample)
	sample()
	c.retained = int(now.HeapAlloc) - int(before.HeapAlloc)
	for _, call := range calls {
		if f := call.Followup; f != nil {
			c.texts += len(f.Question) + 160
			for _, s := range f.Suggest {
				c.texts += len(s.Answer) + len(s.Mode) + 48
			}
		} else if q := call.Questionnaire; q != nil {
			b, _ := json.Marshal(q)
			c.texts += len(b)
		} else if call.Err != nil {
			c.texts += 400
		}
	}
	runtime.KeepAlive(calls)
	runtime.KeepAlive(input)
	return c
}

// plainCost is the cost of a plain question of so many bytes.
func plainCost(format string, size, chunk int) cost {
	input := []byte(plainQuestion(format)(size))
	allocated := allocating(format, input, chunk)
	c := readingCost(format, input, chunk)
	c.allocated = allocated
	return c
}

// breaks reports how a cost breaks the contract, with what is allocated for an input a quarter as long, and the cost of a plain
// question that is as long.
func (c cost) breaks(quarter []byte, allocated int, plain cost) []string {
	const some = 16 << 10 // what a reader needs besides
	var broken []string
	check := func(name string, got, most int) {
		if got > most+some {
			broken = append(broken, fmt.Sprintf("%s: %d bytes, want at most %d", name, got, most))
		}
	}
	longer := 2 * float64(c.size) / float64(len(quarter)) // a square would be twice that
	check("allocated, beside a quarter of the input", c.allocated, int(longer*float64(allocated)))
	check("allocated, beside a plain question", c.allocated, 20*plain.allocated)
	check("alive at once, beside a plain question and the calls themselves", c.peak, 3*plain.peak+2*c.texts)
	check("kept, beside the calls themselves", c.retained, c.texts)
	return broken
}

// TestCost checks that reading takes memory in proportion to the input, whatever that is and however it is cut, and that the calls
// that were found keep nothing alive but themselves, which TestMemory checks for large chunks.
func TestCost(t *testing.T) {
	const size = 32 << 10
	for _, chunk := range []int{16, 4096} {
		plain := map[string]cost{}
		for _, format := range []string{"tags", "json", "ask"} {
			plain[format] = plainCost(format, size, chunk)
		}
		for _, h := range hostiles() {
			quarter := []byte(h.make(size / 4))
			input := []byte(h.make(size))
			allocated, all := allocating(h.format, quarter, chunk), allocating(h.format, input, chunk)
			whole := cost{size: len(input)}
			if chunk == 16 {
				whole = readingCost(h.format, input, chunk)
			}
			whole.allocated = all
			for _, broken := range whole.breaks(quarter, allocated, plain[h.format]) {
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
	"invalid calls": true, "foreign calls": true,
}

// TestMemory checks that any input takes at most three times the memory of a plain question as long: what is alive at most while it is read,
// and what is kept of it. Those of many pieces take at most twice what these need besides. 128 KB show what a megabyte would, in an eighth
// of the time.
func TestMemory(t *testing.T) {
	const size, chunk = 128 << 10, 32 << 10
	plain := map[string]cost{}
	for _, format := range []string{"tags", "json", "ask"} {
		plain[format] = plainCost(format, size, chunk)
	}
	for _, h := range hostiles() {
		c := readingCost(h.format, []byte(h.make(size)), chunk)
		most := 3 * (plain[h.format].peak + plain[h.format].retained)
		if manyPieces[h.name] {
			most += 2 * c.texts
		}
		if got := c.peak + c.retained; got > most+32<<10 {
			t.Errorf("%s, %s: %d bytes are alive at most and %d kept, together want at most %d", h.format, h.name, c.peak, c.retained, most)
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
	quarter := made(4 << 10)
	allocated, all := allocating(format, quarter, chunk), allocating(format, made(16<<10), chunk)
	whole := readingCost(format, made(16<<10), chunk)
	whole.allocated = all
	like := fmt.Sprint(format, chunk)
	if _, known := plain[like]; !known {
		plain[like] = plainCost(format, 16<<10, chunk)
	}
	for _, broken := range whole.breaks(quarter, allocated, plain[like]) {
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
	quarter, whole := allocating(format, few, 64), allocating(format, bytes.Repeat(few, 4), 64)
	if whole > 8*quarter+64<<10 || whole > 64*4*len(few)+64<<10 {
		t.Errorf("%d times %q: %d bytes are allocated, and for a quarter %d", 4*len(few)/len(input), input, whole, quarter)
	}
}
