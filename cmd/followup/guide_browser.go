package main

import (
	"context"
	"net/url"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/web"
)

// browser serves the page and opens it in the user's browser until the editor ends the guide. Each address works once: if the
// user starts the guide again, browser serves a new one on the same port.
func (g *guide) browser(ctx context.Context) ([]protocol.GuideMessage, error) {
	folder := editorStorage(g.p, g.log, g.params.Options)
	var devices *web.Devices
	if !store.IsDatabase(folder) {
		devices = web.OpenDevices(devicesFile(folder))
		defer func() { _ = devices.Announce("") }()
	}
	for {
		if err := g.browse(ctx, folder, devices); err != nil || ctx.Err() != nil {
			return nil, g.failed("The page for the browser could not be opened: {0}", ctx, err)
		}
	}
}

// browse serves until the user starts the guide again, or ctx ends.
func (g *guide) browse(ctx context.Context, folder string, devices *web.Devices) error {
	options, err := serving{listen: "127.0.0.1:0"}.open(g.speak, g.log, devices)
	if err != nil {
		return err
	}
	defer func() { _ = options.Listener.Close() }() // if it is not served
	options.StorageFolder = folder
	options.Names = g.forwarded(ctx, options.Listener.Addr().String())
	options.Sidecar = g.p.relay(g.log)
	served, err := web.New(options)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(ctx) }()
	if devices != nil {
		if err := devices.Announce(served.Address()); err != nil {
			g.log.Warn("could not announce the page's address to agents", zap.Error(err))
		}
	}
	if _, err := rpc.Call(ctx, g.editor, protocol.GuideBrowse, protocol.GuideAddress{Address: served.URL()}); err != nil {
		return err
	}
	select {
	case err := <-ended:
		return err
	case <-g.again:
	case <-ctx.Done():
	}
	stop()
	return <-ended
}

// forwarded returns the address under which the user's browser reaches host, if the editor forwards it.
func (g *guide) forwarded(ctx context.Context, host string) []string {
	own := "http://" + host + "/"
	there, err := rpc.Call(ctx, g.editor, protocol.GuideForward, protocol.GuideAddress{Address: own})
	if err != nil {
		g.log.Warn("the editor could not forward the page's address", zap.String("address", own), zap.Error(err))
		return nil
	}
	at, err := url.Parse(there.Address)
	if err != nil || at.Host == "" || at.Scheme+"://"+at.Host+at.Path == own {
		return nil
	}
	return []string{at.Scheme + "://" + at.Host + at.Path}
}
