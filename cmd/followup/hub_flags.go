package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/locale"
)

// Environment variables for a team's hub and its credentials.
const (
	hubVariable      = "FOLLOWUP_HUB"
	hubTokenVariable = "FOLLOWUP_HUB_TOKEN_FILE"
	hubRootsVariable = "FOLLOWUP_HUB_CA"
)

// place is where questions are kept: in a local storage or at a team's hub.
type place struct {
	storage                   string
	url, tokenFile, rootsFile string
	insecure                  bool
	flags                     *pflag.FlagSet
}

// placeFlags adds --storage and the hub's flags to a command.
func placeFlags(c *cobra.Command, at *place, env func(string) string) {
	at.flags = c.Flags()
	storageFlag(at.flags, &at.storage, env)
	at.flags.StringVar(&at.url, "hub", env(hubVariable), "use the team's hub at `URL` instead of a storage (default: "+hubVariable+")")
	at.flags.StringVar(&at.tokenFile, "hub-token-file", env(hubTokenVariable), "read the hub's token from `FILE`, which must be readable only by you (default: "+hubTokenVariable+")")
	at.flags.StringVar(&at.rootsFile, "hub-ca", env(hubRootsVariable), "trust the certificates in `FILE` (PEM) in addition to the system's (default: "+hubRootsVariable+")")
	at.flags.BoolVar(&at.insecure, "hub-insecure", false, "allow a hub without encryption, inside your own network")
	explainedIn(topicHub, at.flags, "hub", "hub-token-file", "hub-ca", "hub-insecure")
	for _, name := range []string{"hub", "hub-token-file", "hub-ca"} {
		at.flags.Lookup(name).DefValue = "" // the usage names the variable
	}
	for _, file := range []string{"hub-token-file", "hub-ca"} {
		_ = c.MarkFlagFilename(file) // the flag exists
	}
}

// hub returns how to reach the hub; nil if the place is a storage. Flags override variables. If to is empty, questions are for
// everybody.
func (at *place) hub(speak locale.Tag, log *zap.Logger, to string) (*hubclient.Options, error) {
	named, stored := at.flags.Changed("hub"), at.flags.Changed("storage")
	switch {
	case named && stored:
		return nil, wrongUsage("--hub and --storage cannot be combined")
	case at.url == "" || stored:
		if to != "" {
			return nil, wrongUsage("--to needs --hub: it names a person or a group at a hub")
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

// settle returns how to reach the hub or, without one, the folder or database to write to.
func (at *place) settle(p process, speak locale.Tag, log *zap.Logger, to string) (hub *hubclient.Options, storage string, err error) {
	if hub, err = at.hub(speak, log, to); err != nil || hub != nil {
		return hub, "", err
	}
	storage, err = writtenStorageFolder(at.storage, p.env)
	return nil, storage, err
}

// toFlag adds --to to a command's flags.
func toFlag(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "to", "", "ask the person or group called `NAME` at the hub (default: everybody)")
	explainedIn(topicHub, flags, "to")
}

// inWords translates an error for the user, if it has a translation.
func inWords(err error, speak locale.Tag) error {
	var refusal *locale.Refusal
	if errors.As(err, &refusal) {
		return errors.New(refusal.In(speak))
	}
	return err
}
