//go:build !nohub

package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"followup/internal/store"
)

// fromAccounts completes with what values returns for each account of a hub. Nothing is created or repaired.
func (p process) fromAccounts(storage *string, values func(store.Account) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), completionTime)
		defer cancel()
		var all []string
		place, err := hubStorage(*storage, p.env)
		if err == nil && storeExists(ctx, place) {
			in, _, err := openEngine(ctx, place, store.Options{KeepDamaged: true})
			if err == nil {
				accounts, _ := in.Accounts(ctx)
				for _, a := range accounts {
					all = append(all, values(a)...)
				}
				_ = in.Close()
			}
		}
		slices.Sort(all)
		return completed(slices.Compact(all), typed)
	}
}

// accounts completes the name of an account of a team.
func (p process) accounts(storage, team *string) cobra.CompletionFunc {
	names := p.fromAccounts(storage, func(a store.Account) []string {
		if a.Team != *team {
			return nil
		}
		return []string{a.Name}
	})
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(c, args, typed)
	}
}

// teams completes the name of a team.
func (p process) teams(storage *string) cobra.CompletionFunc {
	return p.fromAccounts(storage, func(a store.Account) []string { return []string{a.Team} })
}

// groups completes the name of a group of a team.
func (p process) groups(storage, team *string) cobra.CompletionFunc {
	return p.fromAccounts(storage, func(a store.Account) []string {
		if a.Team != *team {
			return nil
		}
		return a.Groups
	})
}
