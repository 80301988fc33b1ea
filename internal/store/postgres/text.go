package postgres

import (
	"slices"
	"strconv"
	"strings"
)

// adapt numbers the parameters of a query, and replaces what PostgreSQL rejects in strings: the character 0 and invalid UTF-8.
// Questions and answers are stored as JSON, and stay exact.
func adapt(query string, args []any) (string, []any) {
	var numbered strings.Builder
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			numbered.WriteString("$" + strconv.Itoa(i))
		}
		numbered.WriteString(part)
	}
	args = slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = valid(arg)
		case []string:
			all := slices.Clone(arg)
			for n, text := range all {
				all[n] = valid(text)
			}
			args[i] = all
		}
	}
	return numbered.String(), args
}

func valid(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\ufffd"), "\ufffd")
}
