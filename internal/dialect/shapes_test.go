package dialect

import (
	"encoding/json"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"followup/internal/question"
)

// shapes generates arguments like those of a model that half knows the tool. The fuzzer's bytes make the choices.
type shapes struct{ choices []byte }

// intn returns a number below limit, or 0 if the choices are used up.
func (s *shapes) intn(limit int) int {
	if len(s.choices) == 0 {
		return 0
	}
	c := s.choices[0]
	s.choices = s.choices[1:]
	return int(c) % limit
}

// oneIn returns true once in so many times.
func (s *shapes) oneIn(in int) bool { return s.intn(in) == in-1 }

func (s *shapes) pick(words ...string) string { return words[s.intn(len(words))] }

func (s *shapes) text() string {
	return `"` + s.pick("A?", "B?", "c", "d", "e (Recommended)", "", " ", `x\ny `, `\ud83d\ude00`, `\ud83d`, "\r\n é", `a\r\n`) + `"`
}

// value returns any JSON value of at most the given depth.
func (s *shapes) value(depth int) string {
	switch kind := s.intn(8); {
	case kind == 0 && depth > 0:
		return "[" + s.value(depth-1) + "," + s.value(depth-1) + s.pick("", ",") + "]"
	case kind == 1 && depth > 0:
		return `{"k":` + s.value(depth-1) + "}"
	case kind < 6:
		return s.pick("null", "-12.5e3", "true", "false", "[]", "{}")
	}
	return s.text()
}

// string usually returns a string.
func (s *shapes) string() string {
	if s.oneIn(12) {
		return s.value(1)
	}
	return s.text()
}

// wrap sometimes encodes JSON, or only its beginning, as a string.
func (s *shapes) wrap(text string) string {
	if !s.oneIn(6) {
		return text
	}
	if s.oneIn(6) {
		text = text[:s.intn(256)%len(text)]
	}
	b, _ := json.Marshal(text)
	return string(b)
}

// list returns at most one item more than the tool allows.
func (s *shapes) list(item func() string) string {
	if s.oneIn(20) {
		return s.value(2)
	}
	var items []string
	for range s.intn(question.MaxOptions + 2) {
		items = append(items, item())
	}
	list := "[" + strings.Join(items, s.pick(",", ", ")) + s.pick("", "", "", ",") + "]"
	if s.oneIn(10) {
		list = s.object([]string{entry(s.pick("item", "items", "suggest", keyQuestions, "choices"), list)})
	}
	return s.wrap(list)
}

// content returns a list in the tag form's content, as a string.
func (s *shapes) content() string {
	return s.pick(
		`"- A\n- B"`, `"<suggest>A</suggest><suggest mode=\"code\">B</suggest>"`, `"1. A"`, `"A"`, `"<item>A</item>"`, `"[\"A\", \"B\"]}"`,
	)
}

func (s *shapes) object(members []string) string {
	return "{" + strings.Join(members, s.pick(",", ",\n")) + s.pick("", "", "", ",") + "}"
}

func entry(key, value string) string { return strconv.Quote(key) + ": " + value }

func (s *shapes) option() string {
	if s.oneIn(3) {
		return s.pick(s.string(), s.string(), `"{\"label\": \"A\"}"`, "["+s.string()+"]", `{"item": `+s.string()+"}")
	}
	members := []string{entry(s.pick(keyLabel, keyLabel, "title", "text", "value"), s.string())}
	for range s.intn(3) {
		members = append(members, entry(s.pick(keyDescription, keyPreview, keyMarkdown, keyLabel, "value", "name"), s.string()))
	}
	return s.object(members)
}

func (s *shapes) question() string {
	if s.oneIn(30) {
		return s.value(2)
	}
	members := []string{entry(s.pick(keyQuestion, keyQuestion, keyPrompt), s.string()), entry(keyOptions, s.list(s.option))}
	if s.oneIn(4) {
		members[0], members[1] = members[1], members[0]
	}
	for range s.intn(4) {
		switch s.intn(5) {
		case 0:
			members = append(members, entry(keyHeader, s.string()))
		case 1:
			key := s.pick(keyMultiSelect, "multiple", "allow_multiple")
			members = append(members, entry(key, s.pick("true", "false", "null", "1", `"true"`, `" False"`, `"some"`)))
		case 2:
			members = append(members, entry(keyOptions, s.pick(s.list(s.option), s.content())))
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
	for range s.intn(3) {
		switch key := s.pick(keyMetadata, keyQuestions, keyAnswers, keyAnnotations, "title"); key {
		case keyQuestions:
			members = append(members, entry(key, s.list(s.question)))
		default:
			members = append(members, entry(key, s.value(3)))
		}
	}
	object := s.object(members)
	if s.oneIn(10) {
		object = s.question() // one question without a list
	}
	return s.around(object)
}

// suggestions returns the arguments of ask_followup_question.
func (s *shapes) suggestions() string {
	members := []string{entry(keyQuestion, s.string())}
	for range 1 + s.intn(2) {
		key := s.pick(tagFollowUp, tagFollowUp, keyOptions, "suggest", "suggestions", "choices", "followUp", "hint")
		members = append(members, entry(key, s.pick(s.list(s.suggestion), s.list(s.suggestion), s.content())))
	}
	if s.oneIn(8) {
		members = append(members, entry(s.pick("follow_up[0].text", "follow_up[1].mode", "options[2]", "follow_up.a"), s.string()))
	}
	return s.around(s.object(members))
}

func (s *shapes) suggestion() string {
	if s.oneIn(3) {
		return s.pick(s.string(), s.string(), `"<suggest>A</suggest>"`, "8080", `"{\"text\": \"A\"}"`, `"{\"a\": 1}"`, "["+s.string()+"]")
	}
	if s.oneIn(8) {
		return s.object([]string{entry(s.pick("item", "suggest", "option"), s.pick(s.string(), s.object([]string{entry("answer", s.string())})))})
	}
	members := []string{entry(s.pick("text", "answer", keyLabel, "content", "name"), s.string())}
	for range s.intn(3) {
		members = append(members, entry(s.pick("mode", "text", keyDescription, "x"), s.pick(s.string(), `{"mode_slug": "code"}`, `"null"`)))
	}
	return s.object(members)
}

// around wraps the arguments as models sometimes do.
func (s *shapes) around(object string) string {
	if s.oneIn(10) {
		object = s.object([]string{entry(s.pick("arguments", "input", "params"), s.wrap(object)), entry("tool", s.text())})
	}
	text := s.wrap(object) + s.pick("", "", "", "", "}", "\n```")
	if s.oneIn(10) {
		text = "```json\n" + text + "\n```"
	}
	return text
}

// FuzzAskShapes is FuzzAsk for nearly valid inputs.
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

// FuzzFollowupShapes is FuzzInput for nearly valid inputs. A call without repairs and notices must contain everything
// the input did.
func FuzzFollowupShapes(f *testing.F) {
	random := rand.New(rand.NewSource(2))
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
		input := []byte((&shapes{choices}).suggestions())
		call := checkCuts(t, "json", input, cuts, o).calls[0]
		checkStrict(t, "json", input)
		checkNothingLost(t, input, call)
		if t.Failed() {
			t.Logf("%s", input)
		}
	})
}

// checkNothingLost checks that every text of the input is in the payload, unless a code reports a loss.
func checkNothingLost(t *testing.T, input []byte, call question.Call) {
	t.Helper()
	advice := []question.Code{question.NoticePlaceholder, question.NoticeTooManySuggestions}
	reported := slices.ContainsFunc(call.Notices, func(c question.Code) bool { return !slices.Contains(advice, c) })
	var read map[string]any
	if call.Err != nil || reported || len(call.Repairs) > 0 || json.Unmarshal(input, &read) != nil {
		return
	}
	if read[tagFollowUp] != nil && read[keyOptions] != nil {
		return // follow_up wins without a notice
	}
	kept := map[string]bool{call.Followup.Question: true}
	for _, s := range call.Followup.Suggest {
		kept[s.Answer] = true
	}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case string:
			text := trim(unixLines(v))
			encoded := strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") // it has a code unless it is empty
			if text != "" && !encoded && !kept[text] {
				t.Errorf("%q is missing from the payload", text)
			}
		case []any:
			for _, item := range v {
				look(item)
			}
		case map[string]any:
			for key, member := range v {
				if key != "mode" {
					look(member)
				}
			}
		}
	}
	look(read)
}
