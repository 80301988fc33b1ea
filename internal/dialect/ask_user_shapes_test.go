package dialect

import (
	"encoding/json"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"followup/internal/question"
)

// shapes writes questionnaires as a model might that knows the tool only half: its choices are the fuzzer's bytes.
type shapes struct{ choices []byte }

// n chooses one of the numbers below limit; 0 when the choices are used up.
func (s *shapes) n(limit int) int {
	if len(s.choices) == 0 {
		return 0
	}
	c := s.choices[0]
	s.choices = s.choices[1:]
	return int(c) % limit
}

// one is true one time in so many.
func (s *shapes) one(in int) bool { return s.n(in) == in-1 }

func (s *shapes) of(words ...string) string { return words[s.n(len(words))] }

func (s *shapes) text() string {
	return `"` + s.of("A?", "B?", "c", "d", "e (Recommended)", "", " ", `x\ny `, `\ud83d\ude00`, `\ud83d`, "\r\n é", `a\r\n`) + `"`
}

// value is any value, at most as deep as given.
func (s *shapes) value(depth int) string {
	switch kind := s.n(8); {
	case kind == 0 && depth > 0:
		return "[" + s.value(depth-1) + "," + s.value(depth-1) + s.of("", ",") + "]"
	case kind == 1 && depth > 0:
		return `{"k":` + s.value(depth-1) + "}"
	case kind < 6:
		return s.of("null", "-12.5e3", "true", "false", "[]", "{}")
	}
	return s.text()
}

// string is a text, or sometimes something else.
func (s *shapes) string() string {
	if s.one(12) {
		return s.value(1)
	}
	return s.text()
}

// wrap puts JSON in a string at times, and at times only the beginning of it.
func (s *shapes) wrap(text string) string {
	if !s.one(6) {
		return text
	}
	if s.one(6) {
		text = text[:s.n(256)%len(text)]
	}
	b, _ := json.Marshal(text)
	return string(b)
}

// list has at most one item more than the tool takes.
func (s *shapes) list(item func() string) string {
	if s.one(20) {
		return s.value(2)
	}
	var items []string
	for range s.n(question.MaxOptions + 2) {
		items = append(items, item())
	}
	return s.wrap("[" + strings.Join(items, s.of(",", ", ")) + s.of("", "", "", ",") + "]")
}

func (s *shapes) object(members []string) string {
	return "{" + strings.Join(members, s.of(",", ",\n")) + s.of("", "", "", ",") + "}"
}

func entry(key, value string) string { return strconv.Quote(key) + ": " + value }

func (s *shapes) option() string {
	if s.one(3) {
		return s.string()
	}
	members := []string{entry(keyLabel, s.string())}
	for range s.n(3) {
		members = append(members, entry(s.of(keyDescription, keyPreview, keyMarkdown, keyLabel, "value"), s.string()))
	}
	return s.object(members)
}

func (s *shapes) question() string {
	if s.one(30) {
		return s.value(2)
	}
	members := []string{entry(keyQuestion, s.string()), entry(keyOptions, s.list(s.option))}
	if s.one(4) {
		members[0], members[1] = members[1], members[0]
	}
	for range s.n(4) {
		switch s.n(5) {
		case 0:
			members = append(members, entry(keyHeader, s.string()))
		case 1:
			members = append(members, entry(keyMultiSelect, s.of("true", "false", "null", "1")))
		case 2:
			members = append(members, entry(keyOptions, s.list(s.option)))
		case 3:
			members = append(members, entry(keyQuestion, s.string()))
		default:
			members = append(members, entry("id", s.value(2)))
		}
	}
	return s.object(members)
}

func (s *shapes) arguments() string {
	members := []string{entry(keyQuestions, s.list(s.question))}
	for range s.n(3) {
		switch key := s.of(keyMetadata, keyQuestions, keyAnswers, keyAnnotations, "title"); key {
		case keyQuestions:
			members = append(members, entry(key, s.list(s.question)))
		default:
			members = append(members, entry(key, s.value(3)))
		}
	}
	text := s.wrap(s.object(members))
	if s.one(10) {
		text = "```json\n" + text + "\n```"
	}
	return text
}

// FuzzAskShapes is FuzzAsk for inputs that come close to what the tool takes.
func FuzzAskShapes(f *testing.F) {
	random := rand.New(rand.NewSource(1))
	for i := range 300 {
		choices, cuts := make([]byte, 20+i), make([]byte, 20)
		random.Read(choices)
		random.Read(cuts)
		f.Add(choices, cuts, i%5 == 0, uint16(i))
	}
	f.Fuzz(func(t *testing.T, choices, cuts []byte, strict bool, limit uint16) {
		o := Options{Strict: strict, Limits: question.Limits{Parameter: 20 + int(limit)}}
		if limit%2 == 0 {
			o.Limits.Parameter = question.DefaultParameterLimit
		}
		input := []byte((&shapes{choices}).arguments())
		call := checkCuts(t, "ask", input, cuts, o).calls[0]
		if call.Err == nil {
			checkQuestionnaire(t, call.Questionnaire, o)
		}
		checkStrict(t, "ask", input)
		if t.Failed() {
			t.Logf("%s", input)
		}
	})
}
