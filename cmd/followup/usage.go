package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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
	e := usageError{error: fmt.Errorf("unknown %s %q", kind, name), meant: quotedNearest(name, known)}
	if e.meant == "" && otherwise != "" {
		e.error = fmt.Errorf("%w; %s", e.error, otherwise)
	}
	return e
}

// quotedNearest returns, for a message, the names of which typed is a typo or a prefix. As in cobra, the edit distance is at most 2.
func quotedNearest(typed string, names []string) string {
	var near []string
	for distance := 1; distance <= 2 && typed != "" && len(near) == 0; distance++ {
		all := cobra.Command{SuggestionsMinimumDistance: distance}
		for _, name := range names {
			all.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
		}
		near = all.SuggestionsFor(typed)
	}
	for i, name := range near {
		near[i] = fmt.Sprintf("%q", name)
	}
	if last := len(near) - 1; last > 0 {
		return strings.Join(near[:last], ", ") + " or " + near[last]
	}
	return strings.Join(near, "")
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
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		slices.Sort(names)
		letters := unknown.GetSpecifiedShortnames() // all letters of -storage
		typed := "--" + cmp.Or(letters, unknown.GetSpecifiedName())
		if len(letters) == 1 {
			typed = "" // too short to be a typo
		}
		return usageError{err, quotedNearest(typed, names)}
	case errors.As(err, &value):
		why := value.Unwrap()
		if strings.HasPrefix(value.GetFlag().Value.Type(), "bool") {
			why = errors.New("it must be true or false")
		}
		return wrongUsage("%q is wrong for --%s: %w", value.GetValue(), value.GetFlag().Name, why)
	}
	return usageError{error: err}
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
