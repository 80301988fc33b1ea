//go:build !nohub

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"followup/internal/hub"
	"followup/internal/locale"
	"followup/internal/store"
)

// inviteOptions are the flags of "followup hub invite".
type inviteOptions struct {
	hub.Invitation
	expires      time.Duration
	url, storage string
	speak        locale.Tag
	json         bool
}

// inviteCommand is "followup hub invite".
func inviteCommand(p process) *cobra.Command {
	var o inviteOptions
	c := &cobra.Command{
		Use:   "invite NAME",
		Short: "Invite a person or an agent, and print the token",
		Long: "Invite a person, or an agent with --agent, and print the token once: only its hash is kept. With --url, print a link that the person\n" +
			"opens. The hub need not run. " + hubStorageHelp + "\n\n" + plainStatuses,
		Example: "  followup hub invite Ann --group on-call --url https://hub.example\n  (umask 077; followup hub invite ci --agent --team web > token)",
		Args:    oneArgument("NAME"),

		ValidArgsFunction: p.accounts(&o.storage, &o.Team),
		RunE: interruptible(func(ctx context.Context, args []string) error {
			o.Name = args[0]
			if o.expires > 0 {
				o.Until = time.Now().Add(o.expires)
			}
			if o.url != "" && !isHubURL(o.url) {
				return wrongUsage("%q is not the address of a hub, such as https://hub.example", o.url)
			}
			if err := o.Check(); err != nil { // before a store is created
				return usageError{error: err}
			}
			return withAccounts(ctx, p, o.storage, func(in store.Store) error {
				if has, err := hasOnlyQuestions(ctx, in); has || err != nil {
					return cmp.Or(err, personalInbox(o.storage))
				}
				return invite(ctx, p, o, in)
			}, func(place string) error {
				_, err := fmt.Fprintln(p.stderr, o.speak.Text("Creating a new store in {0}.", store.Redacted(place)))
				return err
			})
		}),
	}
	flags := c.Flags()
	flags.StringVar(&o.Team, "team", hub.DefaultTeam, "invite to the team called `NAME`")
	flags.BoolVar(&o.Agent, "agent", false, "invite an agent, which sees only its own questions")
	flags.StringArrayVar(&o.Groups, "group", nil, "add the person to the group called `NAME` (repeatable)")
	flags.BoolFunc("may-approve", "let the person decide on requests for permission; --may-approve=false with --renew revokes it", func(text string) error {
		may, err := strconv.ParseBool(text)
		o.MayApprove = &may
		return err
	})
	flags.BoolVar(&o.Renew, "renew", false, "replace the token of an account, which keeps its groups unless you name others")
	flags.Var((*span)(&o.Grace), "grace", "with --renew, keep the old token valid for `DURATION`, such as 1h or 2d")
	flags.Var((*span)(&o.expires), "expires", "let the token expire after `DURATION`, such as 12h or 90d (default: never)")
	flags.StringVar(&o.url, "url", "", "print a link to the hub at `URL`")
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
	storageFlag(flags, &o.storage, p.env)
	localeFlag(c, flags, &o.speak, "messages", p.env)
	completesWith(c, "team", p.teams(&o.storage))
	completesWith(c, "group", p.groups(&o.storage, &o.Team))
	return c
}

// hasOnlyQuestions reports whether a store has questions and no accounts: it is a person's inbox, since a hub's questions are in the stores
// of its teams.
func hasOnlyQuestions(ctx context.Context, in store.Store) (bool, error) {
	accounts, err := in.Accounts(ctx)
	if err != nil || len(accounts) > 0 {
		return false, err
	}
	open, err := in.OpenQuestions(ctx, 0, 1)
	if err != nil || len(open) > 0 {
		return err == nil, err
	}
	past, err := in.History(ctx, store.Filter{}, 0, 1)
	return len(past.Entries) > 0, err
}

func invite(ctx context.Context, p process, o inviteOptions, in store.Store) error {
	token, err := hub.Invite(ctx, in, o.Invitation)
	if err != nil {
		return err
	}
	link := ""
	if o.url != "" && !o.Agent {
		link = strings.TrimSuffix(o.url, "/") + "/#" + token
	}
	if o.json {
		invitation := map[string]string{"team": o.Team, "name": o.Name, "token": token}
		if link != "" {
			invitation["link"] = link
		}
		return printJSON(p.stdout, invitation)
	}
	fmt.Fprintln(p.stderr, o.speak.Text("The token of {0}; it cannot be shown again:", o.Name))
	if link == "" {
		link = token
	}
	if _, err := fmt.Fprintln(p.stdout, link); err != nil {
		return err
	}
	if link != token {
		showQR(p, link)
	}
	return nil
}

// isHubURL reports whether a text looks like the address of a hub.
func isHubURL(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.Fragment == ""
}

// revokeCommand is "followup hub revoke".
func revokeCommand(p process) *cobra.Command {
	storage, team, withdraw := "", "", false
	c := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Revoke the token of a person or an agent",
		Long: "Revoke the token of a person or an agent. Every hub closes its connections at once, or as soon as it reaches the storage again.\n" +
			"Questions and answers stay; with --withdraw, the account's open questions are withdrawn. " + hubStorageHelp + "\n\n" + plainStatuses,
		Example: "  followup hub revoke ci\n  followup hub revoke ci --withdraw",
		Args:    oneArgument("NAME"),

		ValidArgsFunction: p.accounts(&storage, &team),
		RunE: interruptible(func(ctx context.Context, args []string) error {
			return withAccounts(ctx, p, storage, func(in store.Store) error { return hub.Revoke(ctx, in, team, args[0], withdraw) }, noHub)
		}),
	}
	c.Flags().StringVar(&team, "team", hub.DefaultTeam, "revoke an account of the team called `NAME`")
	c.Flags().BoolVar(&withdraw, "withdraw", false, "withdraw the open questions of the account")
	storageFlag(c.Flags(), &storage, p.env)
	completesWith(c, "team", p.teams(&storage))
	return c
}

// account is an account in the output of "followup hub list".
type account struct {
	Team    string   `json:"team"`
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Groups  []string `json:"groups"`
	Revoked bool     `json:"revoked"`
	// MayApprove means that the person may decide on requests for permission.
	MayApprove bool `json:"mayApprove"`
	// Tokens are the valid tokens, newest first.
	Tokens []token `json:"tokens"`
}

// token is a token in the output of "followup hub list". Times are in UTC; empty ones are omitted.
type token struct {
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires,omitzero"`
	Used    time.Time `json:"used,omitzero"`
}

// accountsCommand is "followup hub list".
func accountsCommand(p process) *cobra.Command {
	storage, team, asJSON := "", "", false
	c := &cobra.Command{
		Use:   "list",
		Short: "List people and agents",
		Long: "List the people and agents that were invited, with their teams, whether they may approve, groups and tokens: when each was created,\n" +
			"when it expires and, to about an hour, when it was last used. " + hubStorageHelp + "\n\n" + plainStatuses,
		Example: "  followup hub list --json",
		Args:    noArguments,
		RunE: interruptible(func(ctx context.Context, _ []string) error {
			return withAccounts(ctx, p, storage, func(in store.Store) error { return listAccounts(ctx, p, in, team, asJSON) }, noHub)
		}),
	}
	c.Flags().StringVar(&team, "team", "", "list only the team called `NAME` (default: all teams)")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	storageFlag(c.Flags(), &storage, p.env)
	completesWith(c, "team", p.teams(&storage))
	return c
}

func listAccounts(ctx context.Context, p process, in store.Store, team string, asJSON bool) error {
	all, err := in.Accounts(ctx)
	if err != nil {
		return err
	}
	listed := []account{}
	for _, a := range all {
		if team != "" && a.Team != team {
			continue
		}
		role := "person"
		if a.Agent {
			role = "agent"
		}
		one := account{Team: a.Team, Name: a.Name, Role: role, Groups: append([]string{}, a.Groups...), Revoked: len(a.Tokens) == 0, MayApprove: a.MayApprove, Tokens: []token{}}
		for _, t := range a.Tokens {
			one.Tokens = append(one.Tokens, token{Issued: toSecond(t.Issued), Expires: toSecond(t.Until), Used: toSecond(t.Used)})
		}
		listed = append(listed, one)
	}
	if asJSON {
		return printJSON(p.stdout, map[string]any{"accounts": listed})
	}
	now := time.Now()
	out := tabwriter.NewWriter(p.stdout, 0, 0, len(columnGap), ' ', 0)
	line := func(cells ...string) {
		_, _ = fmt.Fprintln(out, strings.TrimRight(strings.Join(cells, "\t"), "\t")) // Flush returns the error
	}
	for _, a := range listed {
		groups, role := strings.Join(a.Groups, ", "), a.Role
		if a.MayApprove {
			role += ", may approve"
		}
		if a.Revoked {
			line(a.Team, a.Name, role, "revoked", "", "", groups)
		}
		for _, t := range a.Tokens {
			used, expires := "never used", ""
			if !t.Used.IsZero() {
				used = "used " + t.Used.Format(time.RFC3339)
			}
			switch {
			case t.Expires.IsZero():
			case now.Before(t.Expires):
				expires = "expires " + t.Expires.Format(time.RFC3339)
			default:
				expires = "expired"
			}
			line(a.Team, a.Name, role, t.Issued.Format(time.RFC3339), used, expires, groups)
		}
	}
	return out.Flush()
}

func toSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// noHub returns the error for a place without a store, since its name may be a typo.
func noHub(place string) error {
	return fmt.Errorf("there is no hub in %s", store.Redacted(place))
}

// withAccounts calls do with the accounts of a hub's store, which may be in use. If there is no store, it calls missing, and
// creates one if that returns nil.
func withAccounts(ctx context.Context, p process, storage string, do func(store.Store) error, missing func(place string) error) error {
	place, err := hubStorage(storage, p.env)
	if err != nil {
		return err
	}
	if !storeExists(ctx, place) {
		if err := missing(place); err != nil {
			return err
		}
	}
	in, err := openStorage(ctx, place, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(in), in.Close())
}
