package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/reach"
	"followup/internal/rpc"
	"followup/internal/secretfile"
)

// The variables with the address to notify, and its secret.
const (
	notifyVariable       = "FOLLOWUP_NOTIFY"
	notifySecretVariable = "FOLLOWUP_NOTIFY_SECRET"
)

// notifyAfter is how long a question waits before the address is notified, by default.
const notifyAfter = time.Minute

// notifying are the flags for an address that is notified of questions that nobody sees.
type notifying struct {
	url, secretFile string
	after           time.Duration
	hidden, private bool
}

// flags adds the flags to a command.
func (o *notifying) flags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&o.url, "notify", "", "send notifications of unseen questions to `URL`: a webhook, or ntfy://HOST/TOPIC (default: "+notifyVariable+")")
	flags.StringVar(&o.secretFile, "notify-secret-file", "", "read the webhook's secret (whsec_…) or ntfy's access token from `FILE`, which must be readable only by you "+
		"(default: the secret in "+notifySecretVariable+")")
	o.after = notifyAfter
	flags.Var((*span)(&o.after), "notify-after", "notify the address after a question has waited for `DURATION`")
	flags.BoolVar(&o.hidden, "notify-hidden", false, "send only the agent's name, without the question")
	flags.BoolVar(&o.private, "notify-private", false, "allow this machine, private networks and unencrypted addresses")
	_ = c.MarkFlagFilename("notify-secret-file") // the flag exists
	explainedIn(topicNotify, flags, "notify", "notify-secret-file", "notify-after", "notify-hidden", "notify-private")
}

// isGiven reports whether any flag is given.
func (o notifying) isGiven() bool {
	return o.url != "" || o.secretFile != "" || o.hidden || o.private || o.after != notifyAfter
}

// address returns the named address, or one with an empty URL.
func (o notifying) address(env func(string) string, speak locale.Tag) (push.Address, error) {
	a := push.Address{
		URL: cmp.Or(o.url, env(notifyVariable)), Secret: env(notifySecretVariable), Private: o.private, After: o.after, Hidden: o.hidden, Locale: string(speak),
	}
	switch {
	case a.URL == "" && o.isGiven():
		return a, wrongUsage("the --notify-… flags need --notify or the variable %s", notifyVariable)
	case a.URL == "":
		return push.Address{}, nil
	}
	if o.secretFile != "" {
		secret, err := secretfile.Read(o.secretFile)
		if err != nil {
			return a, wrongUsage("--notify-secret-file: %s", err)
		}
		a.Secret = secret
	}
	if err := a.Check(); err != nil {
		return a, wrongUsage("--notify: %s", err)
	}
	return a, nil
}

// notifyWhile makes the keeper of a storage notify an address until end is called.
func notifyWhile(p process, log *zap.Logger, storage string, a push.Address) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	own := p.reach(log).Dial(&rpc.Router{}, nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := own.Greet(ctx, protocol.InitializationOptions{StorageFolder: storage, Locale: a.Locale})
		if err == nil {
			_, err = rpc.CallUntil(ctx, own.Conn, jsonrpc2.ID{Str: newID(), IsString: true}, protocol.PushNotify, protocol.PushNotifyParams{
				URL: a.URL, Secret: a.Secret, Private: a.Private, Page: a.Page, After: int(a.After.Milliseconds()), Hidden: a.Hidden,
			})
		}
		if err != nil && ctx.Err() == nil {
			log.Error("could not notify the address", zap.Error(plainError(err)))
		}
	}()
	return func() {
		cancel()
		select { // the keeper may hang
		case <-ended:
		case <-time.After(reach.Leaving):
		}
		own.EndIn(ctx)
	}
}

// pushContactVariable is the contact for push services, as in push.Options.
const pushContactVariable = "FOLLOWUP_PUSH_CONTACT"

// pushContact returns the contact for push services; empty means the default.
func pushContact(env func(string) string) (string, error) {
	contact := env(pushContactVariable)
	if contact == "" {
		return "", nil
	}
	if err := push.CheckContact(contact); err != nil {
		return "", errors.New(pushContactVariable + ": " + err.Error())
	}
	return contact, nil
}
