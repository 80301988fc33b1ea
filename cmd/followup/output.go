package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// printJSON prints a value as one document, with markup in it as it is.
func printJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// When colours are used.
const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

// colourFlag adds --color to a command's flags.
func colourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", colourAuto, "`when` to use colours: auto (on a terminal, unless NO_COLOR is set), always or never")
	oneOf(c, "color", colourAuto, colourAlways, colourNever)
}

// coloured decides whether colours are used; https://no-color.org says what NO_COLOR means.
func coloured(p process, when string) (bool, error) {
	switch when {
	case colourAlways:
		return true, nil
	case colourNever:
		return false, nil
	case colourAuto:
		file, ok := p.stdout.(*os.File)
		return ok && p.env("NO_COLOR") == "" && p.env("TERM") != "dumb" && isatty.IsTerminal(file.Fd()), nil
	}
	return false, wrongUsage("there is no colour mode %q; there are auto, always and never", when)
}

// Colours, as codes of ISO 6429.
const (
	dim  = "2"
	bold = "1"
	cyan = "36"
)

// paint gives a text a colour for a terminal.
func paint(text, colour string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }
