package hook

import (
	"encoding/json"
	"fmt"
)

// distinct returns the arguments of a questionnaire with unique labels of options, and unique texts of questions: answers name both
// by their texts. Models get repeated ones back as invalid, but an agent has checked its own question.
func distinct(input json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	var questions []map[string]json.RawMessage
	if json.Unmarshal(input, &all) != nil || json.Unmarshal(all["questions"], &questions) != nil {
		return input
	}
	isChanged := number(questions, "question")
	for _, q := range questions {
		var options []map[string]json.RawMessage
		if json.Unmarshal(q["options"], &options) != nil {
			continue // also of texts only, which are read as they are
		}
		counts := countTexts(options, "label")
		for _, o := range options {
			if label, description := text(o["label"]), text(o["description"]); counts[label] > 1 && description != "" {
				o["label"], _ = json.Marshal(label + ": " + description) // a string
				isChanged = true
			}
		}
		isChanged = number(options, "label") || isChanged
		q["options"], _ = json.Marshal(options) // parsed JSON
	}
	if !isChanged {
		return input
	}
	all["questions"], _ = json.Marshal(questions) // parsed JSON
	input, _ = json.Marshal(all)
	return input
}

// number appends a number to every text that an earlier item has, and reports whether there is one.
func number(items []map[string]json.RawMessage, name string) (isChanged bool) {
	counts, seen := countTexts(items, name), map[string]bool{}
	for _, item := range items {
		first := text(item[name])
		unique := first
		for n := 2; first != "" && (seen[unique] || unique != first && counts[unique] > 0); n++ {
			unique = fmt.Sprintf("%s (%d)", first, n)
		}
		if seen[unique] = true; unique != first {
			item[name], _ = json.Marshal(unique) // a string
			isChanged = true
		}
	}
	return isChanged
}

func countTexts(items []map[string]json.RawMessage, name string) map[string]int {
	counts := map[string]int{}
	for _, item := range items {
		counts[text(item[name])]++
	}
	return counts
}

// text returns a string in JSON, or "".
func text(from json.RawMessage) (s string) {
	_ = json.Unmarshal(from, &s) // any other value has no text
	return s
}
