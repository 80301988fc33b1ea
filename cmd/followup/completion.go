package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/reach"
	"followup/internal/rpc"
)

// completionTime limits the wait for values from a keeper or a store.
const completionTime = time.Second

// mostValues is how many questions are offered.
const mostValues = 50

// whileKept calls do with a connection to the keeper of a storage if it runs. It starts none, and writes nothing.
func (p process) whileKept(storage string, router *rpc.Router, do func(context.Context, *rpc.Conn) error) error {
	folder, err := storageFolder(storage, p.env)
	if err != nil || !reach.IsKept(folder, p.env) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	running := p.reach(zap.NewNop())
	running.Joins = true
	own := running.Dial(router, nil)
	defer own.EndIn(ctx)
	if err := own.Greet(ctx, protocol.InitializationOptions{StorageFolder: folder}); err != nil {
		return err
	}
	return do(ctx, own.Conn)
}

// completed returns values that begin with what was typed, for cobra. Completion ignores errors, which would garble the command line.
func completed(values []string, typed string) ([]string, cobra.ShellCompDirective) {
	var matching []string
	for _, value := range values {
		if strings.HasPrefix(value, typed) {
			matching = append(matching, value)
		}
	}
	return matching, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// openQuestions completes the id of an open question of a place.
func (p process) openQuestions(at *place) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var ids []string
		if at.url == "" || at.flags.Changed("storage") { // not at a hub
			router := &rpc.Router{}
			open := inboxclient.New(router)
			_ = p.whileKept(at.storage, router, func(ctx context.Context, conn *rpc.Conn) error {
				items, err := snapshot(ctx, conn, open)
				for _, item := range items {
					ids = append(ids, described(asEntry(protocol.FoundQuestion{Item: &item})))
				}
				return err
			})
		}
		return completed(ids, typed)
	}
}

// questions completes the id of a question of the history or the inbox: the newest ones until something is typed.
func (p process) questions(o *historyOptions) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string
		_ = p.whileKept(o.storage, &rpc.Router{}, func(ctx context.Context, conn *rpc.Conn) error {
			if typed == "" {
				return eachEntry(ctx, conn, protocol.HistorySearchParams{}, mostValues, false, func(e protocol.HistoryEntry) error {
					ids = append(ids, described(e))
					return nil
				})
			}
			found, err := rpc.Call(ctx, conn, protocol.HistoryFind, protocol.HistoryFindParams{Prefix: typed, Limit: mostValues})
			for _, q := range found.Questions {
				ids = append(ids, described(asEntry(q)))
			}
			return err
		})
		if typed == "" {
			pending, _ := p.openQuestions(&place{storage: o.storage})(c, args, typed)
			ids = append(pending, ids...)
		}
		return completed(ids, typed)
	}
}

// describedWidth is the most cells of a question's text beside its id.
const describedWidth = 60

// described returns a question's id with its text, as cobra separates them.
func described(e protocol.HistoryEntry) string {
	return e.QuestionID + "\t" + cut(archive.Inline(archive.QuestionSummary(locale.English, e)), describedWidth)
}

// agents completes the name of an agent in the history.
func (p process) agents(o *historyOptions) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (names []string, _ cobra.ShellCompDirective) {
		_ = p.whileKept(o.storage, &rpc.Router{}, func(ctx context.Context, conn *rpc.Conn) error {
			facets, err := rpc.Call(ctx, conn, protocol.HistoryFacets, protocol.None{})
			names = facets.Agents
			return err
		})
		return completed(names, typed)
	}
}

// completesWith completes a flag by a function.
func completesWith(c *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag does not exist
	}
}

// describeCompletion words the help of cobra's command "completion", whose subcommands print a script for a shell.
func describeCompletion(p process, c *cobra.Command) {
	c.Use, c.DisableFlagsInUseLine = "completion SHELL", true
	c.Short = "Print a script that completes commands in a shell"
	c.Long = "Print a script for a shell that completes commands, flags, agents, questions' ids and accounts."
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return helpless(p, c)
		}
		return unknownName("shell", args[0], commandNames(c), "use one of "+strings.Join(commandNames(c), ", "))
	}
	examples := map[string]string{
		"bash": "  source <(followup completion bash)    # this shell; the package bash-completion is needed\n" +
			"  followup completion bash > ~/.local/share/bash-completion/completions/followup    # every new one",
		"zsh": "  source <(followup completion zsh)    # this shell\n" +
			"  followup completion zsh > \"${fpath[1]}/_followup\"    # every new one",
		"fish": "  followup completion fish | source    # this shell\n" +
			"  followup completion fish > ~/.config/fish/completions/followup.fish    # every new one",
		"powershell": "  followup completion powershell | Out-String | Invoke-Expression    # this shell\n" +
			"  followup completion powershell >> $PROFILE    # every new one",
	}
	for _, shell := range c.Commands() {
		shell.Short = "Print the script for " + shell.Name()
		shell.Long = ""
		shell.Example = examples[shell.Name()]
		shell.Args = noArguments
		shell.Flags().Lookup("no-descriptions").Usage = "complete names without descriptions"
	}
}
