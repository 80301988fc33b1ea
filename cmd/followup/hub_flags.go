package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/locale"
)

// The variables that name a team's hub, and what it takes to come to it.
const (
	hubVariable      = "FOLLOWUP_HUB"
	hubTokenVariable = "FOLLOWUP_HUB_TOKEN_FILE"
	hubRootsVariable = "FOLLOWUP_HUB_CA"
)

const hubHelp = `With --hub or FOLLOWUP_HUB, a team's hub takes the place of the storage (docs/team.md). A connection that breaks is
retried until it is back, and nothing is asked twice.`

// place is where questions are kept: a storage of one's own, or a team's hub.
type place struct {
	storage                   string
	url, tokenFile, rootsFile string
	insecure                  bool
	flags                     *pflag.FlagSet
}

// placeFlags adds --storage and those of a hub to a subcommand's flags.
func placeFlags(c *cobra.Command, at *place, env func(string) string) {
	at.flags = c.Flags()
	storageFlag(at.flags, &at.storage, env)
	at.flags.StringVar(&at.url, "hub", env(hubVariable), "use the team's hub at `URL` instead of a storage")
	at.flags.StringVar(&at.tokenFile, "hub-token-file", env(hubTokenVariable), "read the hub's token from `FILE`, which only you may be able to read")
	at.flags.StringVar(&at.rootsFile, "hub-ca", env(hubRootsVariable), "trust the certificates in `FILE` (PEM) besides the system's")
	at.flags.BoolVar(&at.insecure, "hub-insecure", false, "allow a hub without encryption, inside a network of your own")
	for _, file := range []string{"hub-token-file", "hub-ca"} {
		_ = c.MarkFlagFilename(file) // the flag is there
	}
}

// hub gives how to come to the hub, where that is the place; nil where it is a storage. What is named by a flag goes before what is
// named by a variable. Whom a question is for is the empty string for everybody.
func (at *place) hub(speak locale.Tag, log *zap.Logger, to string) (*hubclient.Options, error) {
	named, stored := at.flags.Changed("hub"), at.flags.Changed("storage")
	switch {
	case named && stored:
		return nil, wrongUsage("--hub and --storage do not go together")
	case at.url == "" || stored:
		if to != "" {
			return nil, wrongUsage("--to names a person or a group of a hub's; name the hub with --hub")
		}
		return nil, nil
	case at.tokenFile == "":
		return nil, wrongUsage("--hub needs --hub-token-file, or the variable %s", hubTokenVariable)
	}
	url, err := hubclient.ParseURL(at.url, at.insecure)
	if err != nil {
		return nil, usageError{error: inWords(err, speak)}
	}
	o := &hubclient.Options{
		URL: url, Log: log, Version: version(), Locale: speak,
		Token: func() (string, error) { return hubclient.ReadToken(at.tokenFile, url) },
	}
	if at.rootsFile != "" {
		if o.Roots, err = hubclient.ReadRoots(at.rootsFile); err != nil {
			return nil, inWords(err, speak)
		}
	}
	return o, nil
}

// settle gives how to come to the hub, or else the folder or the database that is written to.
func (at *place) settle(p process, speak locale.Tag, log *zap.Logger, to string) (hub *hubclient.Options, storage string, err error) {
	if hub, err = at.hub(speak, log, to); err != nil || hub != nil {
		return hub, "", err
	}
	storage, err = writtenStorageFolder(at.storage, p.env)
	return nil, storage, err
}

// toFlag adds --to to a subcommand's flags.
func toFlag(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "to", "", "ask the person or group called `NAME` at the hub (default: everybody)")
}

// inWords is an error in the user's language, where it has words of its own.
func inWords(err error, speak locale.Tag) error {
	var refusal *locale.Refusal
	if errors.As(err, &refusal) {
		return errors.New(refusal.In(speak))
	}
	return err
}
