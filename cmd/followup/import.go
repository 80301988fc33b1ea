package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/archive"
	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/transcript"
)

// importOptions are what the command line asks for.
type importOptions struct {
	storage, locale string
	json            bool
	all             bool
	from            []string // names of tools
}

// importCommand is "followup import".
func importCommand(p process) *cobra.Command {
	o := &importOptions{}
	c := &cobra.Command{
		Use:   "import [PATH…]",
		Short: "Import questions from other tools' logs",
		Long: "Import what was asked and answered in other tools into the history: from the logs of Claude Code, cc-viewer, Codex, Gemini CLI,\n" +
			"Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline and Copilot CLI, and the chats of VS Code.\n\n" +
			"Without arguments, list the logs on this machine and how many of their questions are new; import nothing. PATH is a file, or a\n" +
			"folder to read with everything below it. Importing the same log again adds nothing.\n\n" + storageHelp + "\n\n" +
			"Exit status: 0 done, also if single lines were damaged; 1 failed, or some file could not be read or has no known format; 2 wrong usage.",
		Example: "  followup import\n  followup import --all\n  followup import --from codex --from 'Claude Code'\n" +
			"  followup import --json ~/backup/projects session.jsonl",
		RunE: func(_ *cobra.Command, args []string) error { return runImport(p, o, args) },
	}
	flags := c.Flags()
	storageFlag(flags, &o.storage, p.env)
	flags.BoolVar(&o.all, "all", false, "import all logs on this machine")
	flags.StringArrayVar(&o.from, "from", nil, "import the logs of `TOOL` on this machine (repeatable)")
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
	localeFlag(c, flags, &o.locale, "messages", p.env)
	oneOf(c, "from", importing.Tools()...)
	return c
}

func runImport(p process, o *importOptions, paths []string) error {
	for i, name := range o.from {
		known := slices.IndexFunc(importing.Tools(), func(tool string) bool { return plainName(tool) == plainName(name) })
		if known < 0 {
			return unknownName("tool", name, toolNames(), "there are "+strings.Join(importing.Tools(), ", "))
		}
		o.from[i] = importing.Tools()[known]
	}
	storage, err := storageFolder(o.storage, p.env)
	if err != nil {
		return err
	}
	var places []importing.Place
	if o.all || len(o.from) > 0 || len(paths) == 0 {
		places = importing.Places(p.env, storage)
	}
	if !o.all && len(o.from) == 0 && len(paths) == 0 {
		return listLogs(p, o, places)
	}
	var found []string
	for _, place := range places {
		if o.all || slices.Contains(o.from, place.Tool) {
			found = append(found, place.Paths...)
		}
		o.from = slices.DeleteFunc(o.from, func(tool string) bool { return tool == place.Tool })
	}
	if len(o.from) > 0 {
		return fmt.Errorf("there are no logs of %s on this machine; elsewhere they are imported by their path", strings.Join(o.from, " and "))
	}
	if len(found)+len(paths) == 0 {
		fmt.Fprintln(p.stderr, noLogs)
		return tellResult(p, o, importing.None())
	}
	return importLogs(p, o, found, paths)
}

// noLogs tells that there is nothing to list, or to import.
const noLogs = "There are no logs of other tools on this machine. Elsewhere they are imported by their path."

// toolNames are the tools as --from is given them without quotes: "claude-code" is "Claude Code".
func toolNames() (names []string) {
	for _, tool := range importing.Tools() {
		names = append(names, strings.ReplaceAll(strings.ToLower(tool), " ", "-"))
	}
	return names
}

// plainName is a tool's name as people may spell it: "claude-code" is "Claude Code".
func plainName(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
}

// importLogs imports what was found, and what was named.
func importLogs(p process, o *importOptions, found, paths []string) error {
	t := locale.Match(o.locale)
	result, opened := importing.None(), false
	err := interruptible(func(ctx context.Context) error {
		into, err := openStorage(ctx, o.storage, p.env)
		if err != nil {
			return err
		}
		opened = true
		progress, over := meter(p)
		result, err = importing.Import(ctx, into, found, paths, t, progress)
		if over(); err == nil {
			err = into.Idle(ctx)
		}
		if closing := closeIn(ctx, into); err == nil {
			err = closing
		}
		return err
	})
	if errors.Is(err, transcript.ErrUnknownFormat) {
		err = errors.New(t.Text(locale.ImportUnknownFormat))
	}
	if opened {
		err = errors.Join(err, tellResult(p, o, result))
	}
	if err == nil && result.SkippedCount > 0 {
		return status(exitFailed)
	}
	return err
}

// leaving is how long a process that was interrupted waits for the store to be closed. A store can be left open, as by a crash.
const leaving = 500 * time.Millisecond

// closeIn closes the store.
func closeIn(ctx context.Context, into store.Store) error {
	closed := make(chan error, 1)
	go func() { closed <- into.Close() }()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-closed:
		return err
	case <-time.After(leaving):
		return nil
	}
}

func tellResult(p process, o *importOptions, r protocol.HistoryImportResult) error {
	if o.json {
		return printJSON(p.stdout, r)
	}
	return tellImport(p, r)
}

func tellImport(p process, r protocol.HistoryImportResult) error {
	_, err := fmt.Fprintf(p.stdout, "%d added, %d known already, %d without an answer, out of %s\n", r.Added, r.Known, r.Unanswered, counted(r.Files, "file", "files"))
	for _, trouble := range []struct {
		words string
		first []protocol.DamagedRecord
		count int
	}{
		{counted(r.SkippedCount, "file was skipped", "files were skipped"), r.Skipped, r.SkippedCount},
		{counted(r.DamagedCount, "place could not be read; the rest was", "places could not be read; the rest was"), r.Damaged, r.DamagedCount},
	} {
		if trouble.count > 0 {
			fmt.Fprintln(p.stderr, trouble.words)
		}
		for _, damage := range trouble.first {
			at := archive.Inline(damage.File)
			if damage.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, damage.Line)
			}
			fmt.Fprintf(p.stderr, "  %s: %s\n", at, damage.Reason)
		}
		if more := trouble.count - len(trouble.first); more > 0 {
			fmt.Fprintf(p.stderr, "  and %d more\n", more)
		}
	}
	return err
}

// counted is a number with the word for one, or for several.
func counted(n int, one, several string) string {
	if n == 1 {
		several = one
	}
	return fmt.Sprintf("%d %s", n, several)
}
