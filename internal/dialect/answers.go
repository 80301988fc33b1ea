package dialect

import (
	"encoding/json"
	"strings"
)

// between separates several answers to one question.
const between = ", "

// JoinAnswers joins several answers like Claude Code 2.1.330, which quotes an answer as JSON if it could be misread.
func JoinAnswers(answers []string) string {
	parts := make([]string, len(answers))
	for i, answer := range answers {
		if parts[i] = answer; strings.Contains(answer, between) || strings.Contains(answer, `"`) {
			var quoted strings.Builder
			encoder := json.NewEncoder(&quoted)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(answer) // a string
			parts[i] = strings.TrimSuffix(quoted.String(), "\n")
		}
	}
	return strings.Join(parts, between)
}

// SplitAnswers splits the result of JoinAnswers. It returns nil for anything else.
func SplitAnswers(text string) (answers []string) {
	for {
		answer, rest, more := strings.Cut(text, between)
		if strings.HasPrefix(text, `"`) {
			quoted := json.NewDecoder(strings.NewReader(text))
			if quoted.Decode(&answer) != nil {
				return nil
			}
			if rest, more = strings.CutPrefix(text[quoted.InputOffset():], between); !more && rest != "" {
				return nil
			}
		} else if strings.Contains(answer, `"`) {
			return nil
		}
		if answers = append(answers, answer); !more {
			return answers
		}
		text = rest
	}
}

// SplitChosen splits the result of JoinAnswers if own words only follow labels. It returns nil for anything else.
func SplitChosen(text string, isLabel func(string) bool) []string {
	answers := SplitAnswers(text)
	for i, answer := range answers {
		if i < len(answers)-1 && !isLabel(answer) {
			return nil
		}
	}
	return answers
}
