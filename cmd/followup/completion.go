package main

import (
	"github.com/spf13/cobra"
)

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
		return wrongUsage("there are no completions for %q: use bash, zsh, fish or powershell", args[0])
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
