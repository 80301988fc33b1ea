package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"followup/internal/locale"
	"followup/internal/question"
)

// integer is the value of a flag: a whole number within bounds.
type integer struct {
	value       *int
	least, most int
}

// unbounded is the largest number.
const unbounded = math.MaxInt

func (n integer) Set(text string) error {
	value, err := strconv.Atoi(text)
	switch {
	case err == nil && value >= n.least && value <= n.most:
		*n.value = value
		return nil
	case n.most == unbounded:
		return fmt.Errorf("it must be a whole number, %d or more", n.least)
	}
	return fmt.Errorf("it must be a whole number from %d to %d", n.least, n.most)
}

func (n integer) String() string { return strconv.Itoa(*n.value) }

func (integer) Type() string { return "int" }

// span is the value of a flag: a duration that is not negative, or a number of days such as 90d.
type span time.Duration

func (s *span) Set(text string) error {
	duration, err := parseSpan(text)
	if err == nil {
		*s = span(duration)
	}
	return err
}

func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	text := time.Duration(*s).String() // such as 1h0m0s
	for _, zero := range []string{"0s", "0m"} {
		if rest := strings.TrimSuffix(text, zero); strings.HasSuffix(rest, "m") || strings.HasSuffix(rest, "h") {
			text = rest
		}
	}
	return text
}

func (*span) Type() string { return "duration" }

func parseSpan(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		duration = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || duration < 0 {
		return 0, errors.New("write a number with its unit, such as 30s, 5m, 12h or 90d")
	}
	return duration, nil
}

// hostPort is the value of a flag: an address to listen on.
type hostPort struct{ address *string }

func (a hostPort) Set(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return errors.New("it must be a host and a port, such as 127.0.0.1:7440 or :7440")
	}
	*a.address = text
	return nil
}

func (a hostPort) String() string { return *a.address }

func (hostPort) Type() string { return "address" }

// choice is the value of a flag with a fixed set of names.
type choice struct {
	pflag.Value
	names []string
}

func (c choice) Set(text string) error {
	if !slices.Contains(c.names, text) {
		return fmt.Errorf("use one of %s", strings.Join(c.names, ", "))
	}
	return c.Value.Set(text)
}

// oneOf restricts a flag to names, and completes it with them.
func oneOf(c *cobra.Command, flag string, names ...string) {
	f := c.Flag(flag)
	f.Value = choice{f.Value, names}
	completes(c, flag, names...)
}

// required is the value of a flag that must not be empty.
type required struct{ pflag.Value }

func (r required) Set(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	return r.Value.Set(text)
}

// notEmpty rejects empty values of flags, such as that of a script's variable that is not set.
func notEmpty(c *cobra.Command, flags ...string) {
	for _, name := range flags {
		f := c.Flag(name)
		f.Value = required{f.Value}
	}
}

// completes completes a flag with values.
func completes(c *cobra.Command, flag string, values ...string) {
	err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist
	}
}

// language is the value of a flag: a supported language, also with a region or as a POSIX locale.
type language locale.Tag

func (l *language) Set(text string) error {
	found, ok := locale.Find(text)
	if !ok {
		return fmt.Errorf("use one of %s", strings.Join(languages(), ", "))
	}
	*l = language(found)
	return nil
}

func (l *language) String() string { return string(*l) }

func (*language) Type() string { return "string" }

// languages returns the supported languages.
func languages() (names []string) {
	for _, tag := range locale.Tags {
		names = append(names, string(tag))
	}
	return names
}

// localeFlag adds --locale, the language of something, to a command's flags. The default is the system's language, or English if that
// is not supported.
func localeFlag(c *cobra.Command, flags *pflag.FlagSet, into *locale.Tag, of string, env func(string) string) {
	*into = locale.Match(cmp.Or(env("LC_ALL"), env("LC_MESSAGES"), env("LANG"))) // in POSIX's order
	flags.Var((*language)(into), "locale", "write "+of+" in `LANGUAGE`: en, fr, zh-CN or pt-BR (default: the system's)")
	flags.Lookup("locale").DefValue = ""
	completes(c, "locale", languages()...)
}

// readingFlags adds the flags for parsing calls.
func readingFlags(flags *pflag.FlagSet, strict *bool, limits *question.Limits) {
	*limits = limits.WithDefaults()
	flags.BoolVar(strict, "strict", false, "reject malformed calls instead of repairing them")
	flags.Var(integer{&limits.Questions, question.MaxQuestions, question.MaxRaised}, "max-questions", "allow `N` questions in a questionnaire, 4 to 12")
	flags.Var(integer{&limits.Options, question.MaxOptions, question.MaxRaised}, "max-options", "allow `N` options in a question, 4 to 12")
}
