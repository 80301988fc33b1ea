package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// events is a JSON sink that builds the text again, so that it can be compared.
type events struct {
	out strings.Builder
}

func (e *events) Key(name []byte)     { fmt.Fprintf(&e.out, "key %q\n", name) }
func (e *events) Value(k Kind)        { fmt.Fprintf(&e.out, "value %d\n", k) }
func (e *events) StringPart(b []byte) { fmt.Fprintf(&e.out, "%s", b) }
func (e *events) EndString()          { e.out.WriteString("\nend of string\n") }
func (e *events) EndContainer()       { e.out.WriteString("end\n") }

func readJSON(input []byte, size int) (*JSON, string, bool) {
	e := &events{}
	j := NewJSON(e)
	for i := 0; i < len(input); i += size {
		j.Append(input[i:min(i+size, len(input))])
	}
	whole := j.End()
	return j, e.out.String(), whole
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
		{"``1", false, AroundJSON, NoJSON, '1'},
		{"1```", false, "", Trailing, '`'},
		{"```{} ````", false, AroundJSON, Trailing, '`'},
		{"1 2", false, "", Trailing, '2'},
		{"01", false, "", Trailing, '1'},
		{"[01]", false, "", Unexpected, '1'},
		{"1.", false, "", NoFault, 0},
		{"1.e", false, "", Unexpected, 'e'},
		{"+1", false, "", NoJSON, '+'},
		{"é", false, "", NoJSON, 'é'},
		{"[1}", false, "", Unexpected, '}'},
		{`{"a" 1}`, false, "", Unexpected, '1'},
		{`"\q"`, false, "", BadEscape, 'q'},
		{`"\u12x4"`, false, "", BadEscape, 'x'},
		{"truE", false, "", Unexpected, 'E'},
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

// FuzzJSON compares with encoding/json: the reader takes the same texts, and strings read the same.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e+3, true, false, null, "x"]}`, `"\ud83d\ude80\u00e9\ud83d \n"`, "[1,]", "\"a\nb\"", "```json\n1\n```", "\uFEFF1", `{"":{"":[]}}`,
	} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		j, told, whole := readJSON(input, int(size)%7+1)
		all, toldAtOnce, wholeAtOnce := readJSON(input, len(input)+1)
		if told != toldAtOnce || whole != wholeAtOnce || j.Mended != all.Mended || j.Fault != all.Fault {
			t.Errorf("in pieces: %v %s\nat once: %v %s", whole, told, wholeAtOnce, toldAtOnce)
		}
		valid := json.Valid(input)
		if valid != (whole && j.Mended == NoFault) {
			t.Errorf("whole %v, mended %q, json.Valid %v", whole, j.Mended, valid)
		}
		var want string
		if valid && bytes.HasPrefix(bytes.TrimSpace(input), []byte(`"`)) && json.Unmarshal(input, &want) == nil {
			if got := fmt.Sprintf("value %d\n%s\nend of string\n", String, want); told != got {
				t.Errorf("told %q, want %q", told, got)
			}
		}
	})
}

// keeper keeps the text of the values whose key is k.
type keeper struct {
	*JSON
	depth int
	on    bool
	key   string
	found []string
}

func (k *keeper) Key(name []byte) {
	if k.depth == 1 {
		k.key = string(name)
	}
}

func (k *keeper) Value(kind Kind) {
	if k.key == "k" && k.depth == 1 && (kind >= String || kind == Bool) {
		k.Keep()
		k.on = true
		if kind == Bool {
			k.on = false
			k.found = append(k.found, k.Literal(), string(k.Kept(1)))
		}
	}
	if kind >= Array {
		k.depth++
	}
}

func (k *keeper) StringPart([]byte) {}
func (k *keeper) EndString()        { k.end(0) }

func (k *keeper) EndContainer() {
	k.depth--
	k.end(1)
}

func (k *keeper) end(n int) {
	if k.on && k.depth == 1 && k.key == "k" {
		k.on = false
		k.found = append(k.found, string(k.Kept(n)))
	}
}

// TestKeep checks that the text of a value is kept as it was written, however it is cut.
func TestKeep(t *testing.T) {
	input := "{\"a\": 1, \"k\": \"x\\u0041\\n\\\"é\xff\", \"k\": [ 1, {\"b\":\"]\"} ] ,\"a\":[],\"k\":{}, \"k\": true, \"k\": false}"
	want := "\"x\\u0041\\n\\\"é\uFFFD\"|[ 1, {\"b\":\"]\"} ]|{}|true|t|false|f"
	for _, size := range []int{1, 2, 3, 7, 1000} {
		k := &keeper{}
		k.JSON = NewJSON(k)
		for i := 0; i < len(input); i += size {
			chunk := []byte(input[i:min(i+size, len(input))])
			k.Append(chunk)
			clear(chunk)
		}
		if whole := k.End(); !whole {
			t.Fatal("it is not whole")
		}
		if got := strings.Join(k.found, "|"); got != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}
