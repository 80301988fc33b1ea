package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/transcript"
)

// importOptions are what the command line asks for.
type importOptions struct {
	storage, locale string
	json            bool
}

// importCommand is "followup import".
func importCommand(p process) *cobra.Command {
	o := &importOptions{}
	c := &cobra.Command{
		Use:   "import PATH…",
		Short: "Bring what was asked and answered in other tools into the history",
		Long: "Brings what was asked and answered in other tools into the history: out of the logs of Claude Code, cc-viewer, Codex,\n" +
			"Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob and Cline, and out of the chats of VS Code.\n" +
			"A PATH is a file or a folder, with all that is below it. Importing the same twice adds nothing.\n\n" +
			"Exit status: 0 done, also where single lines were damaged; 1 it could not be done, or some file could not be read or is\n" +
			"no log of a known kind; 2 wrong usage.\n\n" + storageHelp,
		Example: "  followup import ~/.claude/projects ~/.codex/sessions\n  followup import --json ~/.local/share/opencode/opencode.db",
		RunE:    func(_ *cobra.Command, args []string) error { return runImport(p, o, args) },
	}
	flags := c.Flags()
	storageFlag(flags, &o.storage, p.env)
	flags.BoolVar(&o.json, "json", false, "print the result as one JSON document")
	flags.StringVar(&o.locale, "locale", environmentLocale(p.env), "`language` of what is said about calls and lines, by default that of LC_ALL, LC_MESSAGES or LANG")
	oneOf(c, "locale", locales()...)
	return c
}

func runImport(p process, o *importOptions, paths []string) error {
	if len(paths) == 0 {
		return wrongUsage("no file or folder was named")
	}
	t := locale.Match(o.locale)
	result := importing.None()
	err := interruptible(func(ctx context.Context) error {
		into, err := openStorage(ctx, o.storage)
		if err != nil {
			return err
		}
		if result, err = importing.Import(ctx, into, paths, t, nil); err == nil {
			err = into.Idle(ctx)
		}
		return errors.Join(err, into.Close())
	})
	if errors.Is(err, transcript.ErrUnknownFormat) {
		err = errors.New(t.Text(locale.ImportUnknownFormat))
	}
	if o.json {
		err = errors.Join(err, printJSON(p.stdout, result))
	} else {
		err = errors.Join(err, tellImport(p, result))
	}
	if err == nil && result.SkippedCount > 0 {
		return status(exitFailed)
	}
	return err
}

func tellImport(p process, r protocol.HistoryImportResult) error {
	_, err := fmt.Fprintf(p.stdout, "%d added, %d known already, %d without an answer, out of %d files\n", r.Added, r.Known, r.Unanswered, r.Files)
	for _, trouble := range []struct {
		words string
		count int
		first []protocol.DamagedRecord
	}{
		{"%d files were skipped\n", r.SkippedCount, r.Skipped}, {"%d places could not be read; the rest was\n", r.DamagedCount, r.Damaged},
	} {
		if trouble.count > 0 {
			fmt.Fprintf(p.stderr, trouble.words, trouble.count)
		}
		for _, damage := range trouble.first {
			at := damage.File
			if damage.Line > 0 {
				at = fmt.Sprintf("%s:%d", damage.File, damage.Line)
			}
			fmt.Fprintf(p.stderr, "  %s: %s\n", at, damage.Reason)
		}
		if more := trouble.count - len(trouble.first); more > 0 {
			fmt.Fprintf(p.stderr, "  and %d more\n", more)
		}
	}
	return err
}
