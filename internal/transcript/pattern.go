package transcript

import (
	"regexp"
	"sync"
)

// pattern gives a regular expression that is compiled when it is first needed: every process has these, and few read logs.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
