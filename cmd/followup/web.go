package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"

	"github.com/mdp/qrterminal/v3"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"followup/internal/locale"
	"followup/internal/server"
	"followup/internal/web"
)

// webOptions are the flags of "followup web".
type webOptions struct {
	listen, cert, key string
	hosts             []string
	insecure, json    bool
	parent            int
	page              string
	storage, locale   string
	level             logLevel
}

// webCommand is "followup web": the interface in a browser.
func webCommand(p process) *cobra.Command {
	o := webOptions{level: logLevel{zap.WarnLevel}}
	c := &cobra.Command{
		Use:   "web",
		Short: "Show the questions and the history in a browser",
		Long: "Serves the questions and the history to a browser, and prints the address to open. The address holds a secret that one\n" +
			"browser can use once; every start has another. Only this machine can come, unless --listen names another address: then\n" +
			"with a certificate, or with --insecure inside a network or a tunnel of your own, which everybody in it can read.\n\n" +
			storageHelp + "\n\nExit status: 0 interrupted, 1 it could not be served, 2 wrong usage.",
		Example: "  followup web\n  followup web --listen 0.0.0.0:7443 --tls-cert cert.pem --tls-key key.pem --host laptop.example",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return interruptible(func(ctx context.Context) error { return serveWeb(ctx, p, o) })
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "the `address` to listen on; port 0 takes a free one")
	flags.StringVar(&o.cert, "tls-cert", "", "the `file` of the certificate, in PEM")
	flags.StringVar(&o.key, "tls-key", "", "the `file` of its key, in PEM")
	flags.BoolVar(&o.insecure, "insecure", false, "serve another address than this machine's own without a certificate")
	flags.StringArrayVar(&o.hosts, "host", nil, "a `name` by which browsers may come, or the whole address, as https://name, of a tunnel; may be repeated")
	flags.BoolVar(&o.json, "json", false, "print a JSON document with the address")
	flags.IntVar(&o.parent, "parent", 0, "end with the process that has this `id`")
	flags.StringVar(&o.page, "page", "", "the `folder` of the page, in place of the one that was built in")
	_ = flags.MarkHidden("page") // for those who change it
	flags.Var(&o.level, "log-level", "the least `level` that is logged: debug, info, warn or error")
	oneOf(c, "log-level", "debug", "info", "warn", "error")
	storageFlag(flags, &o.storage, p.env)
	localeFlag(c, flags, &o.locale, "what is printed", p.env)
	return c
}

func serveWeb(ctx context.Context, p process, o webOptions) error {
	speak := locale.Match(o.locale)
	certificate, err := o.certificate()
	if err != nil {
		return err
	}
	if certificate == nil && !o.insecure && !web.IsLoopback(o.listen) {
		return wrongUsage("%s", speak.Text(locale.WebNotSecure, o.listen))
	}
	folder, err := writtenStorageFolder(o.storage, p.env)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	log := newLog(p, o.level.Level)
	defer func() { _ = log.Sync() }()
	var files fs.FS
	if o.page != "" {
		files = os.DirFS(o.page)
	}
	served, err := web.New(web.Options{
		Files:    files,
		Listener: listener, TLS: certificate, Names: o.hosts, StorageFolder: folder, Log: log,
		Sidecar: func(ctx context.Context, in io.ReadCloser, out io.Writer) {
			server.Serve(ctx, server.Options{
				In: in, Out: out, Log: log, Version: version(), PID: os.Getpid(), OpenStore: openEngine, Env: p.env,
				Lease: server.DefaultLease, NewID: newID,
			})
		},
	})
	if err != nil {
		_ = listener.Close()
		return err
	}
	ctx, end := notifyContext(ctx, syscall.SIGTERM)
	defer end()
	if o.parent > 0 {
		defer watchParent(o.parent, end)()
	}
	if err := o.tell(p, speak, served.URL()); err != nil {
		_ = listener.Close()
		return err
	}
	return served.Serve(ctx)
}

// certificate is that of the files that are named; nil where none are.
func (o webOptions) certificate() (*tls.Config, error) {
	switch {
	case o.cert == "" && o.key == "":
		return nil, nil
	case o.cert == "" || o.key == "":
		return nil, wrongUsage("--tls-cert and --tls-key go together")
	}
	pair, err := tls.LoadX509KeyPair(o.cert, o.key)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// tell prints where the browser is to go; on a terminal for a phone's camera, too.
func (o webOptions) tell(p process, speak locale.Tag, url string) error {
	if o.json {
		return printJSON(p.stdout, map[string]string{"url": url})
	}
	if _, err := fmt.Fprintf(p.stdout, "%s\n\n  %s\n\n", speak.Text(locale.WebOpen), url); err != nil {
		return err
	}
	if file, ok := p.stdout.(*os.File); ok && term.IsTerminal(int(file.Fd())) && p.env("TERM") != "dumb" {
		qrterminal.GenerateHalfBlock(url, qrterminal.L, p.stdout)
	}
	_, err := fmt.Fprintf(p.stdout, "%s\n", speak.Text(locale.WebEnd))
	return err
}
