package main

import (
	"crypto/tls"
	"net"
	"os"

	"github.com/mdp/qrterminal/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/web"
	"followup/internal/webhook"
)

// serving are the flags of commands that serve the page.
type serving struct {
	listen, cert, key string
	hosts             []string
	insecure, json    bool
	page, storage     string
	level             logLevel
	callbacks         string
}

// flags adds the flags to a command.
func (o *serving) flags(c *cobra.Command, env func(string) string) {
	flags := c.Flags()
	o.listen = "127.0.0.1:0"
	flags.Var(hostPort{&o.listen}, "listen", "listen on `ADDRESS`; port 0 is any free one")
	flags.StringVar(&o.cert, "tls-cert", "", "serve TLS with the certificate in `FILE` (PEM)")
	flags.StringVar(&o.key, "tls-key", "", "read the certificate's key from `FILE` (PEM)")
	flags.BoolVar(&o.insecure, "insecure", false, "let other machines connect without encryption")
	flags.StringArrayVar(&o.hosts, "host", nil, "accept browsers that open `NAME`, or https://name of a tunnel (repeatable)")
	flags.BoolVar(&o.json, "json", false, "print the address as one JSON document")
	flags.StringVar(&o.callbacks, "callbacks", "", "send outcomes to callbacks in `NETWORKS`: public (https only), or private to add private networks (default: none)")
	explainedIn(topicServing, flags, "callbacks", "host", "insecure", "listen", "tls-cert", "tls-key")
	oneOf(c, "callbacks", string(webhook.Public), string(webhook.Private))
	pageFlag(flags, &o.page)
	wordsLogFlag(c, &o.level)
	storageFlag(flags, &o.storage, env)
}

const webNotSecure locale.Key = "other machines can reach {0}: name a certificate with --tls-cert and --tls-key, or use --insecure " +
	"to allow it without one"

// open starts to listen as the flags specify. If devices is not nil, it remembers the port.
func (o serving) open(speak locale.Tag, log *zap.Logger, devices *web.Devices) (web.Options, error) {
	options := web.Options{Names: o.hosts, Log: log, Devices: devices}
	for _, name := range o.hosts {
		if err := web.CheckName(name); err != nil {
			return options, wrongUsage("--host: %w", err)
		}
	}
	var err error
	if options.TLS, err = o.certificate(log); err != nil {
		return options, err
	}
	if options.TLS == nil && !o.insecure && !web.IsLoopback(o.listen) {
		return options, wrongUsage("%s", speak.Text(webNotSecure, o.listen))
	}
	if o.page != "" {
		options.Files = os.DirFS(o.page)
	}
	if devices != nil {
		options.Listener, err = devices.Listen(o.listen)
	} else {
		options.Listener, err = net.Listen("tcp", o.listen)
	}
	return options, err
}

// certificate loads the named files; nil if no files are named.
func (o serving) certificate(log *zap.Logger) (*tls.Config, error) {
	switch {
	case o.cert == "" && o.key == "":
		return nil, nil
	case o.cert == "" || o.key == "":
		return nil, wrongUsage("--tls-cert and --tls-key go together")
	}
	return web.Certificate(o.cert, o.key, log)
}

// showQR prints an address as a QR code.
func showQR(p process, url string) {
	if isTerminal(p.stdout) && p.env("TERM") != "dumb" {
		qrterminal.GenerateHalfBlock(url, qrterminal.L, p.stdout)
	}
}

// pageFlag adds a flag for developers of the page.
func pageFlag(flags *pflag.FlagSet, page *string) {
	flags.StringVar(page, "page", "", "serve the page in `DIR` instead of the built-in one")
	_ = flags.MarkHidden("page")
}
