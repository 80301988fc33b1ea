//go:build nohub

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// hubCommand explains how to get a hub. The packaged extension excludes the hub, which makes the program a tenth smaller.
func hubCommand(process) *cobra.Command {
	return &cobra.Command{
		Use: "hub", Short: "Serve the questions of many agents to many people", Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("the extension's program cannot serve a hub; install the program by itself, for example with npm install --global followup")
		},
	}
}
