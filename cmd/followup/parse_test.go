package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// conformanceCase is one case of the files in internal/dialect/testdata, which contain inputs and results of this command.
type conformanceCase struct {
	ID     string
	Format string
	Tool   string
	Args   []string

	Input       *string
	InputBase64 *string `json:"input_base64"`
	InputRepeat *repeat `json:"input_repeat"`

	Expect struct {
		Text                *string
		Calls               []map[string]any
		ConsecutiveMistakes *float64
		Exit                *int
	}
}

// repeat describes a long string.
type repeat struct {
	Prefix, Unit, Suffix string
	Times                int
}

func (r repeat) String() string { return r.Prefix + strings.Repeat(r.Unit, r.Times) + r.Suffix }

func (c conformanceCase) bytes(t *testing.T) []byte {
	switch {
	case c.Input != nil:
		return []byte(*c.Input)
	case c.InputBase64 != nil:
		b, err := base64.StdEncoding.DecodeString(*c.InputBase64)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return []byte(c.InputRepeat.String())
}

func loadCases(t *testing.T) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob("../../internal/dialect/testdata/*.json")
	if err != nil || len(files) < 3 {
		t.Fatalf("found %q, %v", files, err)
	}
	var all []conformanceCase
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []conformanceCase
		if err := json.Unmarshal(b, &cases); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, cases...)
	}
	return all
}

// TestConformance runs every case with several chunk sizes. The result is always the case's.
func TestConformance(t *testing.T) {
	t.Parallel()
	for i, c := range loadCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			input := c.bytes(t)
			var first []byte
			for _, size := range []int{1, 3, 7, 64, 4096, 2 + i*37%1999} {
				args := append([]string{"--format", c.Format, "--chunk", strconv.Itoa(size)}, c.Args...)
				if c.Tool != "" {
					args = append(args, "--tool", c.Tool)
				}
				var stdout, stderr bytes.Buffer
				status := runParser(args, bytes.NewReader(input), &stdout, &stderr, noEnv)
				if c.Expect.Exit != nil {
					if status != *c.Expect.Exit {
						t.Errorf("status %d, want %d; %s", status, *c.Expect.Exit, &stderr)
					}
					continue
				}
				if first == nil {
					first = stdout.Bytes()
					compare(t, c, status, first)
				} else if !bytes.Equal(first, stdout.Bytes()) {
					t.Errorf("chunk %d: the output differs from that with chunk 1:\n%s", size, cmp.Diff(string(first), stdout.String()))
				}
			}
		})
	}
}

func noEnv(string) string { return "" }

// compare compares the members that the case has.
func compare(t *testing.T, c conformanceCase, status int, output []byte) {
	t.Helper()
	var got struct {
		Text                string
		Calls               []map[string]any
		ConsecutiveMistakes float64
	}
	if err := json.Unmarshal(output, &got); err != nil {
		t.Fatalf("%v in %s", err, output)
	}
	if want := c.Expect.Text; want != nil && got.Text != *want {
		t.Errorf("text %q, want %q", got.Text, *want)
	}
	if want := c.Expect.ConsecutiveMistakes; want != nil && got.ConsecutiveMistakes != *want {
		t.Errorf("%v mistakes, want %v", got.ConsecutiveMistakes, *want)
	}
	if len(got.Calls) != len(c.Expect.Calls) {
		t.Fatalf("%d calls, want %d:\n%s", len(got.Calls), len(c.Expect.Calls), output)
	}
	wantStatus := 0
	for i, want := range c.Expect.Calls {
		if want["status"] == "invalid" {
			wantStatus = exitInvalid
		}
		for key, value := range want {
			compareField(t, key, expand(value), got.Calls[i])
		}
	}
	if status != wantStatus {
		t.Errorf("status %d, want %d", status, wantStatus)
	}
}

func compareField(t *testing.T, key string, want any, call map[string]any) {
	t.Helper()
	switch key {
	case "error":
		got, _ := call["error"].(map[string]any)
		message, _ := got["message"].(string)
		for key, want := range want.(map[string]any) {
			switch key {
			case "message_prefix":
				if !strings.HasPrefix(message, want.(string)) || len(message) == len(want.(string)) {
					t.Errorf("message %q, want a longer one that begins with %q", message, want)
				}
			case "message_contains":
				for _, part := range want.([]any) {
					if !strings.Contains(message, part.(string)) {
						t.Errorf("message %q, want %q in it", message, part)
					}
				}
			default:
				if got[key] != want {
					t.Errorf("error.%s %q, want %q", key, got[key], want)
				}
			}
		}
		if strings.TrimSpace(message) == "" {
			t.Error("the message is blank")
		}
	case "notice_count":
		if notices, _ := call["notices"].([]any); float64(len(notices)) != want {
			t.Errorf("notices %v, want %v of them", notices, want)
		}
	default:
		if diff := cmp.Diff(want, call[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

// expand expands the long strings in an expected value.
func expand(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if spec, ok := value["$repeat"]; ok && len(value) == 1 {
			b, _ := json.Marshal(spec)
			var r repeat
			if err := json.Unmarshal(b, &r); err != nil {
				panic(err)
			}
			return r.String()
		}
		for key, item := range value {
			value[key] = expand(item)
		}
	case []any:
		for i, item := range value {
			value[i] = expand(item)
		}
	}
	return value
}

// runParser runs "followup parse" like a shell.
func runParser(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	return run(process{append([]string{"parse"}, args...), io.NopCloser(stdin), stdout, stderr, env})
}

func TestParseUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args   string
		status int
		stderr string // a part of it
	}{
		{"", 0, ""},
		{"--format tags --chunk 1 --strict --locale fr --opaque a,b", 0, ""},
		{"--format xml", exitUsage, `"xml" is wrong for --format: use one of tags, json`},
		{"--chunk 0", exitUsage, "it must be a whole number from 1 to "},
		{"--chunk x", exitUsage, `"x" is wrong for --chunk`},
		{"--tool no_such_tool --format json", exitUsage, `"no_such_tool" is wrong for --tool: use one of ask_followup_question, AskUserQuestion`},
		{"--nope", exitUsage, "-nope"},
		{"file.txt", exitUsage, `unexpected argument "file.txt"`},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		status := runParser(strings.Fields(test.args), strings.NewReader("Hello."), &stdout, &stderr, noEnv)
		if status != test.status || !strings.Contains(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
			t.Errorf("parse %s: status %d, want %d; stderr %q, want %q in it", test.args, status, test.status, &stderr, test.stderr)
		}
		if (stdout.Len() > 0) != (status == 0) {
			t.Errorf("parse %s: stdout %q", test.args, &stdout)
		}
	}
}

func TestParseHelp(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	if status := runParser([]string{"--help"}, strings.NewReader(""), &stdout, &stderr, noEnv); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, flag := range []string{"-tool", "-format", "-chunk", "-strict", "-locale", "-opaque"} {
		if !strings.Contains(stdout.String(), flag) {
			t.Errorf("the help does not mention %s", flag)
		}
	}
}

func TestParseLocale(t *testing.T) {
	t.Parallel()
	const input = `<ask_followup_question><question/></ask_followup_question>`
	tests := []struct {
		args []string
		env  map[string]string
		want string
	}{
		{nil, nil, "Missing required parameter 'question'"},
		{nil, map[string]string{"LANG": "pt_BR.UTF-8"}, "Parâmetro obrigatório 'question' ausente"},
		{nil, map[string]string{"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "fr_FR"}, "Paramètre requis manquant 'question'"},
		{nil, map[string]string{"LC_MESSAGES": "fr_FR", "LC_ALL": "C.UTF-8"}, "Missing required parameter 'question'"},
		{[]string{"--locale", "fr-CA"}, map[string]string{"LC_ALL": "pt_BR"}, "Paramètre requis manquant 'question'"},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		env := func(name string) string { return test.env[name] }
		runParser(test.args, strings.NewReader(input), &stdout, &stderr, env)
		if want := fmt.Sprintf("%q", test.want); !strings.Contains(stdout.String(), want) {
			t.Errorf("%v %v: %s, want %s in it", test.args, test.env, &stdout, want)
		}
	}
}

func TestParseUnreadableInput(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	broken := iotest.ErrReader(os.ErrPermission)
	if status := runParser(nil, broken, &stdout, &stderr, noEnv); status != exitUsage || stdout.Len() > 0 {
		t.Errorf("status %d, stdout %q", status, &stdout)
	}
	if !strings.Contains(stderr.String(), os.ErrPermission.Error()) {
		t.Errorf("stderr %q", &stderr)
	}
}

// Control characters in an agent's output do not reach the terminal.
func TestParseEscapesControlCharacters(t *testing.T) {
	t.Parallel()
	const hostile = "a\u009b2Jb\u202ec<d>"
	var stdout, stderr bytes.Buffer
	if status := runParser(nil, strings.NewReader(hostile), &stdout, &stderr, noEnv); status != 0 {
		t.Fatal(status, stderr.String())
	}
	var got struct{ Text string }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || got.Text != hostile || strings.ContainsAny(stdout.String(), "\u009b\u202e") {
		t.Errorf("%q, %v", stdout.String(), err)
	}
}
