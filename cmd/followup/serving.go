package main

import (
	"crypto/tls"
	"net"
	"os"

	"github.com/mdp/qrterminal/v3"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/locale"
	"followup/internal/web"
)

// serving are the flags of what serves the page.
type serving struct {
	listen, cert, key string
	hosts             []string
	insecure, json    bool
	page, storage     string
	level             logLevel
}

// flags adds them to a command.
func (o *serving) flags(c *cobra.Command, env func(string) string) {
	flags := c.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "the `address` to listen on; port 0 takes a free one")
	flags.StringVar(&o.cert, "tls-cert", "", "the `file` of the certificate, in PEM; it is read anew when it changes")
	flags.StringVar(&o.key, "tls-key", "", "the `file` of its key, in PEM")
	flags.BoolVar(&o.insecure, "insecure", false, "serve another address than this machine's own without a certificate")
	flags.StringArrayVar(&o.hosts, "host", nil, "a `name` by which browsers may come, or the whole address, as https://name, of a tunnel; may be repeated")
	flags.BoolVar(&o.json, "json", false, "print a JSON document with the address")
	flags.StringVar(&o.page, "page", "", "the `folder` of the page, in place of the one that was built in")
	_ = flags.MarkHidden("page") // for those who change it
	wordsLogFlag(c, &o.level)
	storageFlag(flags, &o.storage, env)
}

// open listens as the flags say.
func (o serving) open(speak locale.Tag, log *zap.Logger) (web.Options, error) {
	options := web.Options{Names: o.hosts, Log: log}
	var err error
	if options.TLS, err = o.certificate(log); err != nil {
		return options, err
	}
	if options.TLS == nil && !o.insecure && !web.IsLoopback(o.listen) {
		return options, wrongUsage("%s", speak.Text(locale.WebNotSecure, o.listen))
	}
	if o.page != "" {
		options.Files = os.DirFS(o.page)
	}
	options.Listener, err = net.Listen("tcp", o.listen)
	return options, err
}

// certificate is that of the files that are named; nil where none are.
func (o serving) certificate(log *zap.Logger) (*tls.Config, error) {
	switch {
	case o.cert == "" && o.key == "":
		return nil, nil
	case o.cert == "" || o.key == "":
		return nil, wrongUsage("--tls-cert and --tls-key go together")
	}
	return web.Certificate(o.cert, o.key, log)
}

// showQR shows an address to a phone's camera, on a terminal.
func showQR(p process, url string) {
	if file, ok := p.stdout.(*os.File); ok && term.IsTerminal(int(file.Fd())) && p.env("TERM") != "dumb" {
		qrterminal.GenerateHalfBlock(url, qrterminal.L, p.stdout)
	}
}
