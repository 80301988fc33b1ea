package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is an error in the arguments.
type usageError struct {
	error
	// meant are the likely intended values, quoted; empty if none is similar.
	meant string
}

func wrongUsage(format string, args ...any) error {
	return usageError{error: fmt.Errorf(format, args...)}
}

// Error returns the problem and the likely intended values.
func (e usageError) Error() string {
	if e.meant == "" {
		return e.error.Error()
	}
	return fmt.Sprintf("%v; did you mean %s?", e.error, e.meant)
}

func (e usageError) Unwrap() error { return e.error }

// unknownName returns the error for an unknown name. It suggests similar ones; if there are none, it adds otherwise.
func unknownName(kind, name string, known []string, otherwise string) error {
	e := usageError{error: fmt.Errorf("unknown %s %q", kind, name), meant: alternatives(nearest(name, known))}
	if e.meant == "" && otherwise != "" {
		e.error = fmt.Errorf("%w; %s", e.error, otherwise)
	}
	return e
}

// nearest returns the names of which typed is a typo or a prefix. A short name may differ by one edit, a longer one by two.
func nearest(typed string, names []string) (near []string) {
	typed = strings.ToLower(typed)
	for most := 1; most <= max(1, min(2, len(typed)/3)) && typed != "" && len(near) == 0; most++ {
		for _, name := range names {
			if known := strings.ToLower(name); strings.HasPrefix(known, typed) || edits(typed, known) <= most {
				near = append(near, name)
			}
		}
	}
	slices.Sort(near)
	return near
}

// alternatives returns names for a message: "a", "b" or "c".
func alternatives(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	if last := len(quoted) - 1; last > 0 {
		return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
	}
	return strings.Join(quoted, "")
}

// edits returns how many edits turn a into b: insertions, deletions, replacements, and exchanges of neighbours (the optimal string
// alignment distance).
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// otherNames are names that other programs give to flags.
var otherNames = map[string]string{
	"port": "listen", "bind": "listen", "addr": "listen", "cert": "tls-cert", "key": "tls-key", "lang": "locale", "language": "locale",
}

// commandNames returns the names of the commands in a command's help.
func commandNames(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// wrongFlag rewords an error of pflag, so that it says what to write instead.
func wrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return usageError{err, alternatives(similarFlags(c, unknown))}
	case errors.As(err, &value):
		why := value.Unwrap()
		if strings.HasPrefix(value.GetFlag().Value.Type(), "bool") {
			why = errors.New("it must be true or false")
		}
		return wrongUsage("%q is wrong for --%s: %w", value.GetValue(), value.GetFlag().Name, why)
	}
	return usageError{error: err}
}

// similarFlags returns the flags that an unknown one may mean.
func similarFlags(c *cobra.Command, unknown *pflag.NotExistError) (similar []string) {
	typed := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()) // the former has all letters of -storage
	if len(typed) == 1 {
		return nil // too short to be a typo
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case f.Name == otherNames[typed]:
			similar = []string{f.Name}
		default:
			names = append(names, f.Name)
		}
	})
	if similar == nil {
		similar = nearest(typed, names)
	}
	for i, name := range similar {
		similar[i] = "--" + name
	}
	return similar
}

// noArguments rejects positional arguments.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownName("argument", args[0], commandNames(c), "")
	}
	return nil
}

// takesNone rejects positional arguments, and adds the reason or an alternative.
func takesNone(why string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return wrongUsage("unexpected argument %q: %s", args[0], why)
		}
		return nil
	}
}

// oneArgument requires exactly one argument.
func oneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return wrongUsage("%s is missing", what)
		case len(args) > 1:
			return wrongUsage("unknown argument %q", args[1])
		}
		return nil
	}
}
