package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// describe writes the values that a reader finds as text, for comparison.
func describe(j *JSON, out *strings.Builder) {
	k := j.Value()
	switch k {
	case None:
		return
	case Null, Bool, Number:
		fmt.Fprintf(out, "scalar %d %s\n", k, j.Raw(j.Start))
		return
	}
	fmt.Fprintf(out, "begin %d\n", k)
	switch k {
	case String:
		for j.Part() {
		}
		out.WriteString(j.Text())
	case Array:
		for j.Item() {
			describe(j, out)
		}
	case Object:
		for j.Key() {
			fmt.Fprintf(out, "key %q\n", j.Text())
			describe(j, out)
		}
	}
	if !j.Stopped() {
		fmt.Fprintf(out, "\nend %d\n", k)
	}
}

// inPieces runs a JSON parser on the input in pieces of the given size.
func inPieces(input []byte, size int, parse func(j *JSON)) *JSON {
	j := &JSON{}
	var f *Feed
	f = NewFeed(func() {
		j.Init("", f.More)
		parse(j)
	})
	for i := 0; i < len(input); i += size {
		piece := bytes.Clone(input[i:min(i+size, len(input))])
		f.Append(piece)
		clear(piece)
	}
	f.End()
	return j
}

func readJSON(input []byte, size int) (j *JSON, events string, whole bool) {
	var out strings.Builder
	j = inPieces(input, size, func(j *JSON) {
		describe(j, &out)
		whole = j.End()
	})
	return j, out.String(), whole
}

func TestJSON(t *testing.T) {
	tests := []struct {
		input  string
		whole  bool
		mended Fault
		fault  Fault
		found  rune
	}{
		{`{"a": [1, -2.5e+3, true, false, null, "x"]}`, true, "", NoFault, 0},
		{" 0 ", true, "", NoFault, 0},
		{"12", true, "", NoFault, 0},
		{"", false, "", NoFault, 0},
		{"[", false, "", NoFault, 0},
		{"-", false, "", NoFault, 0},
		{"tru", false, "", NoFault, 0},
		{"[1,]", true, TrailingComma, NoFault, 0},
		{`{"a":1,}`, true, TrailingComma, NoFault, 0},
		{"[,]", false, "", Unexpected, ','},
		{"[1,,]", false, "", Unexpected, ','},
		{"\"a\nb\"", true, ControlInString, NoFault, 0},
		{"\uFEFF1", true, AroundJSON, NoFault, 0},
		{"\uFEFF\uFEFF1", true, AroundJSON, NoFault, 0},
		{"```json\n1\n```", true, AroundJSON, NoFault, 0},
		{"```\n1", true, AroundJSON, NoFault, 0},
		{"``1", false, "", NoJSON, '`'},
		{"1```", true, AroundJSON, NoFault, 0},
		{"```{} ````", true, AroundJSON, NoFault, 0},
		{"{}}", true, StrayBracket, NoFault, 0},
		{"{}\n]}\n", true, StrayBracket, NoFault, 0},
		{"{}},", false, StrayBracket, Trailing, ','},
		{"\u00a01\u2003", true, AroundJSON, NoFault, 0},
		{"1 2", false, "", Trailing, '2'},
		{"01", false, "", Unexpected, '1'},
		{"[01]", false, "", Unexpected, '1'},
		{"1.", false, "", NoFault, 0},
		{"1.e", false, "", Unexpected, 'e'},
		{"+1", false, "", NoJSON, '+'},
		{"é", false, "", NoJSON, 'é'},
		{"[1}", false, "", Unexpected, '}'},
		{`{"a" 1}`, false, "", Unexpected, '1'},
		{`"\q"`, true, BadEscape, NoFault, 0},
		{`"\`, false, "", NoFault, 0},
		{`"\u12x4"`, false, "", BadEscape, 'x'},
		{"truE", false, "", Unexpected, 'E'},
		{"[-]", false, "", Unexpected, ']'},
		{"trueish", false, "", Unexpected, 'i'},
		{"[1e+5, nul, 2]", false, "", Unexpected, ','},
		{`"\ud83d\u12`, false, "", NoFault, 0},
		{`"\ud83d\ux"`, false, "", BadEscape, 'x'},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.input)+1; size++ {
			j, _, whole := readJSON([]byte(test.input), size)
			if whole != test.whole || j.Mended != test.mended || j.Fault != test.fault || j.Fault != NoFault && j.Found != test.found {
				t.Errorf("%q in pieces of %d: whole %v, mended %q, fault %q at %q", test.input, size, whole, j.Mended, j.Fault, j.Found)
			}
		}
	}
}

// Unknown escapes are repaired.
func TestEscapes(t *testing.T) {
	for input, want := range map[string]string{
		`"it\'s \$5 \` + "`x`" + `"`: "it's $5 `x`",
		`"\d+\.\w \é"`:               `\d+\.\w \é`,
		`"C:\dir\\x\"y"`:             `C:\dir\x"y`,
	} {
		for size := 1; size <= len(input); size++ {
			j, events, whole := readJSON([]byte(input), size)
			if events != fmt.Sprintf("begin %d\n%s\nend %d\n", String, want, String) || !whole || j.Mended != BadEscape {
				t.Errorf("%s in pieces of %d: %q, whole %v, mended %q", input, size, events, whole, j.Mended)
			}
		}
	}
}

// FuzzJSON compares the reader with encoding/json: both accept the same texts without repairs, and decode strings alike.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e+3, true, false, null, "x"]}`, `"\ud83d\ude80\u00e9\ud83d \n"`, "[1,]", "\"a\nb\"",
		"```json\n1\n```", "\uFEFF1", `{"":{"":[]}}`,
	} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		j, events, whole := readJSON(input, int(size)%7+1)
		all, eventsAtOnce, wholeAtOnce := readJSON(input, len(input)+1)
		if events != eventsAtOnce || whole != wholeAtOnce || j.Mended != all.Mended || j.Fault != all.Fault {
			t.Errorf("in pieces: %v %s\nat once: %v %s", whole, events, wholeAtOnce, eventsAtOnce)
		}
		valid := json.Valid(input)
		if valid != (whole && j.Mended == NoFault) {
			t.Errorf("whole %v, mended %q, json.Valid %v", whole, j.Mended, valid)
		}
		var want string
		if valid && bytes.HasPrefix(bytes.TrimSpace(input), []byte(`"`)) && json.Unmarshal(input, &want) == nil {
			if got := fmt.Sprintf("begin %d\n%s\nend %d\n", String, want, String); events != got {
				t.Errorf("got %q, want %q", events, got)
			}
		}
	})
}

// Raw returns a value's text unchanged, however the input is cut.
func TestRaw(t *testing.T) {
	input := "{\"a\": 1, \"k\": \"x\\u0041\\n\\\"é\xff\", " +
		"\"k\": [ 1, {\"b\":\"]\"} ] ,\"a\":[],\"k\":{}, \"k\": true, \"k\": null,\"k\":-1.5e3}"
	want := "\"x\\u0041\\n\\\"é\uFFFD\"|[ 1, {\"b\":\"]\"} ]|{}|true|null|-1.5e3"
	for _, size := range []int{1, 2, 3, 7, 1000} {
		var found []string
		inPieces([]byte(input), size, func(j *JSON) {
			for j.Value(); j.Key(); {
				key := j.Text()
				k := j.Value()
				from := j.Start
				if j.Skip(k); key == "k" {
					found = append(found, j.Raw(from))
				}
			}
			if !j.End() {
				t.Fatal("the value is incomplete")
			}
		})
		if got := strings.Join(found, "|"); got != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}

// A feed passes on each piece and ends cleanly, even if its parser returns early.
func TestFeed(t *testing.T) {
	var got []string
	var f *Feed
	parse := func() {
		for more := true; more; {
			var text string
			text, more = f.More()
			if got = append(got, text); text == "stop" {
				return
			}
		}
	}
	f = NewFeed(parse)
	f.Append([]byte("a"))
	f.Stop()
	f = NewFeed(parse)
	f.write([]byte("b"))
	f.End()
	for _, pieces := range [][]string{{"a\xc3", "\xa9", "", "b"}, {"stop", "more"}, {}} {
		f = NewFeed(parse)
		for _, piece := range pieces {
			f.Append([]byte(piece))
		}
		f.End()
	}
	if want := "a a b b a aé aéb aéb stop "; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

// Spot returns the offset of a fault, however the input is cut.
func TestSpot(t *testing.T) {
	tests := []struct{ input, want string }{
		{"{\"a\": 'b'}", "'b'}"},
		{"{\"é€😀\": \"é\n\",\n \"é\" 1}", "1}"},
		{"{\"a\": 1,\r\n}", "}"},
		{"[\"a\", \"\\d\"]", "\\d\"]"},
		{"[1,] x", "x"}, // a fault takes precedence over a repair
	}
	for _, test := range tests {
		for size := 1; size <= len(test.input)+1; size++ {
			j, _, _ := readJSON([]byte(test.input), size)
			if text, at := j.Spot(); text[at:] != test.want {
				t.Errorf("%q in pieces of %d: %q", test.input, size, text[at:])
			}
		}
	}
}
