package main

import (
	"os"

	"github.com/spf13/cobra"

	"followup/internal/manpage"
)

// manCommand is "followup man": the texts of --help as man pages.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long: "Write a man page for each command and each topic of the help into DIR, which is created if necessary: followup.1, followup-ask.1,\n" +
			"followup-help-storage.1, and so on.\n\n" + plainStatuses,
		Example: "  followup man ~/.local/share/man/man1 && man followup-ask",
		Args:    oneArgument("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := newRoot(process{env: func(string) string { return "" }}) // defaults do not depend on this user
			root.InitDefaultVersionFlag()
			return manpage.Write(root, args[0], release)
		},
	}
}
