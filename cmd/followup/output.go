package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"followup/internal/archive"
	"followup/internal/locale"
)

// printJSON prints a value as one line of JSON. It does not escape HTML, but escapes characters that control a terminal.
func printJSON(to io.Writer, value any) error {
	line, err := archive.Line(value)
	if err == nil {
		_, err = fmt.Fprintf(to, "%s\n", line)
	}
	return err
}

// Values of --color.
const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

// colourFlag adds --color to a command's flags.
func colourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", colourAuto, "use colours `WHEN`: auto (on a terminal, unless NO_COLOR is set), always or never")
	oneOf(c, "color", colourAuto, colourAlways, colourNever)
}

// coloured decides whether to use colours. See https://no-color.org for NO_COLOR.
func coloured(p process, when string) bool {
	if when == colourAuto {
		return p.env("NO_COLOR") == "" && p.env("TERM") != "dumb" && isTerminal(p.stdout)
	}
	return when == colourAlways
}

// Colours, as ISO 6429 codes.
const (
	dim  = "2"
	bold = "1"
	cyan = "36"
)

// paint gives a text a colour for a terminal.
func paint(text, colour string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }

// meter shows progress on a terminal, on a line that over erases. show calls text now and then.
func meter(p process) (show func(text func() string), over func()) {
	const line, interval = "\r\x1b[K", 100 * time.Millisecond
	file, ok := p.stderr.(*os.File)
	if !ok || p.env("TERM") == "dumb" || !term.IsTerminal(int(file.Fd())) {
		return func(func() string) {}, func() {}
	}
	var shown time.Time
	return func(text func() string) {
			if time.Since(shown) >= interval {
				shown = time.Now()
				fmt.Fprint(file, line, text())
			}
		}, func() {
			fmt.Fprint(file, line)
		}
}

// localeFlag adds --locale to a command's flags: the language of something.
func localeFlag(c *cobra.Command, flags *pflag.FlagSet, into *string, of string, env func(string) string) {
	flags.StringVar(into, "locale", environmentLocale(env), "use `LANGUAGE` for "+of+": en, fr, zh-CN or pt-BR; LC_ALL, LC_MESSAGES or LANG set the default")
	flags.Lookup("locale").DefValue = string(locale.Match(*into))
	completes(c, "locale", locales()...)
}

// locales returns the languages of the catalogue.
func locales() (all []string) {
	for _, t := range locale.Tags {
		all = append(all, string(t))
	}
	return all
}

// environmentLocale returns the locale of messages, in POSIX's order.
func environmentLocale(env func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := env(name); value != "" {
			return value
		}
	}
	return ""
}
