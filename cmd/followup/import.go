package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/transcript"
)

const importUsage = `Usage: followup import [flags] PATH…

Brings what was asked and answered in other tools into the history: out of transcripts of Claude Code (~/.claude/projects), request
logs of cc-viewer, and task folders of Roo, Kilo Code and Cline. A PATH is a file or a folder, with all that is below it. Importing
the same twice adds nothing.
Exit status: 0 done, 1 it could not be done, or only in part, 2 wrong usage.

` + storageHelp + `
Flags:
`

// importLogs is "followup import".
func importLogs(p process) int {
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {
		flags.SetOutput(p.stdout)
		fmt.Fprint(p.stdout, importUsage)
		flags.PrintDefaults()
	}
	storage := storageFlag(flags, p.env)
	asJSON := flags.Bool("json", false, "print the result as one line of JSON")
	language := flags.String("locale", "", "`language` of what is said about calls and lines (default from LC_ALL, LC_MESSAGES, LANG)")
	err := flags.Parse(p.args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err == nil && flags.NArg() == 0:
		err = errors.New("no file or folder was named")
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "followup import: %v\nRun 'followup import -h' for the flags.\n", err)
		return exitUsage
	}
	if *language == "" {
		*language = environmentLocale(p.env)
	}
	result, err := runImport(*storage, flags.Args(), locale.Match(*language))
	if errors.Is(err, transcript.ErrUnknownFormat) {
		err = errors.New(locale.Match(*language).Text(locale.ImportUnknownFormat))
	}
	if *asJSON {
		line, _ := json.Marshal(result) // strings and numbers
		fmt.Fprintf(p.stdout, "%s\n", line)
	} else {
		printImport(p, result)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "followup import: %v\n", err)
		return exitFailed
	}
	return 0
}

func runImport(storage string, paths []string, t locale.Tag) (protocol.HistoryImportResult, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	none := importing.None()
	into, err := openStorage(ctx, storage, true)
	if err != nil {
		return none, err
	}
	result, err := importing.Import(ctx, into, paths, t, nil)
	if err == nil {
		err = into.Idle(ctx)
	}
	return result, errors.Join(err, into.Close())
}

func printImport(p process, r protocol.HistoryImportResult) {
	fmt.Fprintf(p.stdout, "%d added, %d known already, %d without an answer, out of %d files\n", r.Added, r.Known, r.Unanswered, r.Files)
	if r.DamagedCount == 0 {
		return
	}
	fmt.Fprintf(p.stderr, "%d places could not be read; the rest was\n", r.DamagedCount)
	for _, damage := range r.Damaged {
		at := damage.File
		if damage.Line > 0 {
			at = fmt.Sprintf("%s:%d", damage.File, damage.Line)
		}
		fmt.Fprintf(p.stderr, "  %s: %s\n", at, damage.Reason)
	}
}
