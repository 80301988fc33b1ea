package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/cobra"

	"followup/internal/agentfolder"
	"followup/internal/archive"
	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// importOptions are the flags of "followup import".
type importOptions struct {
	storage string
	speak   locale.Tag
	json    bool
	all     bool
	from    []string // names of tools
}

// importCommand is "followup import".
func importCommand(p process) *cobra.Command {
	o := &importOptions{}
	c := &cobra.Command{
		Use:   "import [PATH…]",
		Short: "Import questions from other tools' logs",
		Long: "Import other tools' questions and answers into the history: from the logs of Claude Code, cc-viewer, Codex, Gemini CLI,\n" +
			"Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI and Kimi Code, and the chats of VS Code.\n\n" +
			"Without arguments, list the logs on this machine and how many of their questions are new; import nothing. PATH is a file, or a\n" +
			"folder to read with everything below it. Importing the same log again adds nothing.\n\n" +
			"Exit status: 0 done, even if single lines were damaged; 1 failed, or a file could not be read or is not a known log; 2 wrong usage.",
		Example: "  followup import\n  followup import --all\n  followup import --from codex --from 'Claude Code'\n" +
			"  followup import --json ~/backup/projects session.jsonl",
		RunE: interruptible(func(ctx context.Context, args []string) error { return runImport(ctx, p, o, args) }),
	}
	flags := c.Flags()
	storageFlag(flags, &o.storage, p.env)
	flags.BoolVar(&o.all, "all", false, "import all logs on this machine")
	flags.StringArrayVar(&o.from, "from", nil, "import the logs of `TOOL` on this machine (repeatable)")
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
	localeFlag(c, flags, &o.speak, "messages", p.env)
	completes(c, "from", toolNames()...) // a shell would have to quote the others
	return c
}

func runImport(ctx context.Context, p process, o *importOptions, paths []string) error {
	for i, name := range o.from {
		known := slices.IndexFunc(agentfolder.Tools(), func(tool string) bool { return plainName(tool) == plainName(name) })
		if known < 0 {
			return unknownName("tool", name, toolNames(), "use one of "+strings.Join(agentfolder.Tools(), ", "))
		}
		o.from[i] = agentfolder.Tools()[known]
	}
	if empty := slices.Index(paths, ""); empty >= 0 { // a script's variable that is not set
		return wrongUsage("PATH %d of %d is empty", empty+1, len(paths))
	}
	storage, err := writtenStorageFolder(o.storage, p.env)
	if err != nil {
		return err
	}
	var places []agentfolder.Place
	if o.all || len(o.from) > 0 || len(paths) == 0 {
		places = agentfolder.Places(p.env, storage)
	}
	if !o.all && len(o.from) == 0 && len(paths) == 0 {
		return listLogs(ctx, p, o, storage, places)
	}
	var found []string
	for _, place := range places {
		if o.all || slices.Contains(o.from, place.Tool) {
			found = append(found, place.Paths...)
		}
		o.from = slices.DeleteFunc(o.from, func(tool string) bool { return tool == place.Tool })
	}
	if len(o.from) > 0 {
		return fmt.Errorf("there are no logs of %s on this machine; to import one from elsewhere, give its path", strings.Join(o.from, " and "))
	}
	if len(found)+len(paths) == 0 {
		fmt.Fprintln(p.stderr, o.speak.Text(noLogs))
		return printImport(p, o, importing.None())
	}
	return importLogs(ctx, p, o, storage, found, paths)
}

// noLogs is the message if there is nothing to list or import.
const noLogs locale.Key = "There are no logs of other tools on this machine. To import logs from elsewhere, give their paths."

// andMore ends a list that is cut.
const andMore locale.Key = "and {0} more"

// toolNames returns the tools' names as --from accepts them.
func toolNames() (names []string) {
	for _, tool := range agentfolder.Tools() {
		names = append(names, strings.ReplaceAll(strings.ToLower(tool), " ", "-"))
	}
	return names
}

// plainName returns a tool's name as --from accepts it: "claude-code" for "Claude Code".
func plainName(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
}

// importLogs sends found and named logs to the keeper for import.
func importLogs(ctx context.Context, p process, o *importOptions, storage string, found, paths []string) error {
	named := namedPaths{named: paths}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		named.absolute = append(named.absolute, absolute)
	}
	result, began := importing.None(), false
	router, over := importMeter(p, o.speak)
	err := atKeeper(ctx, p, storage, o.speak, router, func(ctx context.Context, conn *rpc.Conn) (err error) {
		began = true
		result, err = rpc.CallOrLeave(ctx, conn, importID, protocol.HistoryImport, protocol.HistoryImportParams{
			Paths: append(found, named.absolute...), Token: importID.Str,
		})
		var wrong *jsonrpc2.Error
		if errors.As(err, &wrong) && wrong.Data != nil {
			err = errors.Join(err, json.Unmarshal(*wrong.Data, &result))
		}
		return err
	})
	over()
	if began && !errors.Is(err, context.Canceled) {
		result.Summary = ""
		named.restore(result.Skipped)
		named.restore(result.Damaged)
		err = errors.Join(err, printImport(p, o, result))
	}
	if err == nil && result.SkippedCount > 0 {
		return status(exitFailed)
	}
	return err
}

// importID is the id of the import request, and its progress token.
var importID = jsonrpc2.ID{Str: "logs", IsString: true}

// importMeter shows the progress of an import on a terminal, on a line that over erases.
func importMeter(p process, speak locale.Tag) (router *rpc.Router, over func()) {
	show, over := meter(p)
	router = &rpc.Router{}
	rpc.OnNotification(router, protocol.HistoryDidImport, func(_ context.Context, now protocol.HistoryImportProgress) error {
		show(func() string {
			return speak.Count(now.Found, "{1} MB read, {0} question found", "{1} MB read, {0} questions found", now.Read/1_000_000)
		})
		return nil
	})
	return router, over
}

// namedPaths are paths as the user wrote them, and the absolute ones for the keeper, which has another working folder.
type namedPaths struct{ named, absolute []string }

// restore replaces absolute paths by the user's own spelling.
func (n namedPaths) restore(records []protocol.DamagedRecord) {
	for i := range records {
		for j, whole := range n.absolute {
			if below, ok := strings.CutPrefix(records[i].File, whole); ok && (below == "" || os.IsPathSeparator(below[0])) {
				records[i].File = filepath.Join(n.named[j], below)
				break
			}
		}
	}
}

func printImport(p process, o *importOptions, r protocol.HistoryImportResult) error {
	if o.json {
		return printJSON(p.stdout, r)
	}
	_, err := fmt.Fprintln(p.stdout, o.speak.Count(r.Files, "{1} added, {2} already known, {3} without an answer, out of {0} file",
		"{1} added, {2} already known, {3} without an answer, out of {0} files", r.Added, r.Known, r.Unanswered))
	for _, trouble := range []struct {
		one, other locale.Key
		first      []protocol.DamagedRecord
		count      int
	}{
		{"{0} file was skipped", "{0} files were skipped", r.Skipped, r.SkippedCount},
		{"{0} place could not be read; the rest was", "{0} places could not be read; the rest was", r.Damaged, r.DamagedCount},
	} {
		if trouble.count > 0 {
			fmt.Fprintln(p.stderr, o.speak.Count(trouble.count, trouble.one, trouble.other))
		}
		for _, damage := range trouble.first {
			at := archive.Inline(damage.File)
			if damage.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, damage.Line)
			}
			fmt.Fprintf(p.stderr, "  %s: %s\n", at, archive.Inline(damage.Reason))
		}
		if more := trouble.count - len(trouble.first); more > 0 {
			fmt.Fprintln(p.stderr, " ", o.speak.Text(andMore, more))
		}
	}
	return err
}
