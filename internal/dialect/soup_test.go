package dialect

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSoup reads random sequences of tags, cut in many ways. A fuzzer takes long to find such sequences.
func TestSoup(t *testing.T) {
	pieces := strings.Split("<A>|</A>|<question>|</question>|<follow_up>|</follow_up>|<suggest>|</suggest>|<suggest mode=\"code\">|<option>|</option>|"+
		"<suggestions>|</options>|<suggestion>|</suggestion>|<mode>x</mode>|<content>y</content>|text |B?|\n|- item\n|1、x\n|<b>|</b>|<br/>| & |&amp;|&#32;| < |"+
		"<![CDATA[|]]>|<!--|-->|`|```\n|\n```\n|<think>|</think>|<read_file>|</read_file>|[\"A\",\"B\"]|<args>|<question a=\"b>|\r\n|é|\u3000|\xff|<A|</A |"+
		"<A><question>Q?</question><follow_up><suggest>A</suggest></follow_up></A>|<tool_call>|</tool_call>|[THINK]|[/THINK]|<function=ask_followup_question>|"+
		"</function>|<function_calls>|</function_calls>|<pre>|</pre>|- [x] |<suggest text=\"t\"/>|null|"+strings.Join(foreignPieces, "|"), "|")
	for i := range pieces {
		pieces[i] = strings.ReplaceAll(strings.ReplaceAll(pieces[i], "<A", "<"+tagAsk), "</A", "</"+tagAsk)
	}
	whole := []string{"<A>", "<question>", "Which?", "</question>", "<follow_up>", "<suggest>", "Yes", "</suggest>", "<suggest mode='x'>", "No", "</suggest>", "</follow_up>", "</A>"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		parts := []string{}
		if random.IntN(2) == 0 {
			for _, part := range whole {
				switch random.IntN(12) {
				case 0:
				case 1:
					parts = append(parts, pieces[random.IntN(len(pieces))])
				case 2:
					parts = append(parts, part, pieces[random.IntN(len(pieces))])
				default:
					parts = append(parts, part)
				}
			}
		} else {
			for range 3 + random.IntN(15) {
				parts = append(parts, pieces[random.IntN(len(pieces))])
			}
		}
		input := []byte(strings.ReplaceAll(strings.ReplaceAll(strings.Join(parts, ""), "<A>", "<"+tagAsk+">"), "</A>", "</"+tagAsk+">"))
		cuts := make([]byte, random.IntN(20))
		for i := range cuts {
			cuts[i] = byte(random.IntN(30))
		}
		for _, o := range []Options{{Strict: random.IntN(4) == 0}, {Limits: smallLimits}} {
			checkBounds(t, checkCuts(t, "tags", input, cuts, o), Options{Limits: o.Limits.WithDefaults()})
		}
		checkStrict(t, "tags", input)
		if t.Failed() {
			t.Fatalf("%q cut %v", input, cuts)
		}
	}
}
