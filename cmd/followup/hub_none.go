//go:build nohub

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// hubCommand says where a hub is to be had. What is packaged with the extension does without, which keeps it smaller by a tenth.
func hubCommand(process) *cobra.Command {
	return &cobra.Command{
		Use: "hub", Short: "Serve the questions of many agents to many people", Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("the program that comes with the extension serves no hub; use one that \"make build\" makes")
		},
	}
}
