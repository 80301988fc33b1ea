package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/archive"
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

// meter shows progress on a terminal, on a line that over erases. show calls text at intervals.
func meter(p process) (show func(text func() string), over func()) {
	const line, interval = "\r\x1b[K", 100 * time.Millisecond
	if p.env("TERM") == "dumb" || !isTerminal(p.stderr) {
		return func(func() string) {}, func() {}
	}
	var shown time.Time
	return func(text func() string) {
			if time.Since(shown) >= interval {
				shown = time.Now()
				fmt.Fprint(p.stderr, line, text())
			}
		}, func() {
			fmt.Fprint(p.stderr, line)
		}
}
