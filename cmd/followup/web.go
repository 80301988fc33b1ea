package main

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/httpapi"
	"followup/internal/locale"
	"followup/internal/reach"
	"followup/internal/store"
	"followup/internal/web"
	"followup/internal/webhook"
)

// webOptions are the flags of "followup web".
type webOptions struct {
	serving
	notifying
	parent    int
	speak     locale.Tag
	noBrowser bool
	api       bool
}

// webCommand is "followup web": the interface in a browser.
func webCommand(p process) *cobra.Command {
	o := webOptions{serving: serving{level: logLevel{Level: zap.WarnLevel}}}
	c := &cobra.Command{
		Use:   "web",
		Short: "Answer questions in a browser",
		Long: "Serve the questions and the history to a browser, open it if this terminal is on a desktop, and print the address. The address\n" +
			"contains a secret that one browser can use once. That browser is admitted again after a restart, at the same port if it is free.\n\n" +
			"Other machines can connect only if --listen names another address. That needs a certificate, or --insecure inside your own\n" +
			"network or tunnel.\n\n" +
			"Exit status: 0 interrupted, 1 failed, 2 wrong usage.",
		Example: "  followup web\n  followup web --api --listen 127.0.0.1:7440\n  followup web --listen 0.0.0.0:7443 --tls-cert cert.pem --tls-key key.pem --host laptop.example",
		Args:    noArguments,
		RunE:    interruptible(func(ctx context.Context, _ []string) error { return serveWeb(ctx, p, o) }),
	}
	flags := c.Flags()
	o.serving.flags(c, p.env)
	o.notifying.flags(c)
	flags.Var(integer{&o.parent, 0, unbounded}, "parent", "exit when the process `PID` does (0 = never)")
	flags.BoolVar(&o.api, "api", false, "serve the HTTP API to your programs, and print the file with their token")
	flags.BoolVar(&o.noBrowser, "no-browser", false, "only print the address")
	localeFlag(c, flags, &o.speak, "the output", p.env)
	return c
}

func serveWeb(ctx context.Context, p process, o webOptions) error {
	folder, err := writtenStorageFolder(o.storage, p.env)
	if err != nil {
		return err
	}
	policy := webhook.Policy(o.callbacks)
	if policy != webhook.Off && !o.api {
		return wrongUsage("--callbacks needs --api")
	}
	notified, err := o.address(p.env, o.speak)
	if err != nil {
		return err
	}
	log := newWordsLog(p, "followup web", o.level)
	var devices *web.Devices
	if !store.IsDatabase(folder) {
		devices = web.OpenDevices(devicesFile(folder))
	}
	options, err := o.open(o.speak, log, devices)
	if err != nil {
		return err
	}
	defer func() { _ = options.Listener.Close() }() // if it is not served
	options.StorageFolder = folder
	options.Sidecar = p.relay(log)
	tokenFile, closeAPI := "", func() {}
	if o.api {
		own, err := reach.KeeperFolder(folder, p.env) // a database has its keeper's files in another folder
		if err != nil {
			return err
		}
		door, err := httpapi.OpenDoor(own, options.Sidecar)
		if err != nil {
			return err
		}
		api := httpapi.New(httpapi.Options{Enter: door.Enter, StorageFolder: folder, Callbacks: policy, Log: log})
		defer api.Close()
		closeAPI = api.Close
		tokenFile, options.Handlers = door.File, api.Handlers()
	}
	served, err := web.New(options)
	if err != nil {
		return err
	}
	ctx, end := untilSignal(ctx, syscall.SIGTERM)
	defer end()
	defer context.AfterFunc(ctx, closeAPI)() // its waiting requests are answered before the server ends
	if o.parent > 0 {
		defer watchParent(o.parent, end)()
	}
	if devices != nil {
		if err := devices.Announce(served.Address()); err != nil {
			log.Warn("could not announce the page's address to agents", zap.Error(err))
		}
		defer func() { _ = devices.Announce("") }() // the address is no longer valid
	}
	if notified.URL != "" {
		if !web.IsLoopback(o.listen) || len(o.hosts) > 0 {
			notified.Page = served.Address()
		}
		defer notifyWhile(p, log, folder, notified)()
	}
	opens := !o.noBrowser && web.IsLoopback(o.listen) && hasBrowser(p)
	if opens {
		remove, err := openPage(served.URL(), log)
		if opens = err == nil; opens {
			defer remove()
		} else {
			log.Warn("could not open the browser", zap.Error(err))
		}
	}
	if err := o.print(p, served, tokenFile, opens); err != nil {
		return err
	}
	return served.Serve(ctx)
}

// devicesFile returns the file, in a storage folder, where the page's server stores its browsers and its address.
func devicesFile(folder string) string { return filepath.Join(folder, "web.json") }

// print prints the address, on a terminal also as a QR code, and the API's address if the API is enabled.
func (o webOptions) print(p process, served *web.Server, tokenFile string, opened bool) error {
	url, api := served.URL(), served.Address()+"v1"
	if o.json {
		addresses := map[string]string{"url": url}
		if o.api {
			addresses["api"], addresses["tokenFile"] = api, tokenFile
		}
		return printJSON(p.stdout, addresses)
	}
	text := locale.Key("Open this address in your browser. It can be used once.")
	if opened {
		text = "Opening your browser. If it does not show the page, open this address. It can be used once."
	}
	if _, err := fmt.Fprintf(p.stdout, "%s\n\n  %s\n\n", o.speak.Text(text), url); err != nil {
		return err
	}
	showQR(p, url)
	if o.api {
		if _, err := fmt.Fprintf(p.stdout, "%s\n\n", o.speak.Text("Programs ask at {0}, with the token in\n{1}", api, tokenFile)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.stdout, "%s\n", o.speak.Text("Press Ctrl+C to stop."))
	return err
}
