package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

const guideHubToken locale.Key = "Your token for {0}, as printed by “followup hub invite”. It is kept in the editor's secret " +
	"storage."

// hub asks for a hub's address and the user's token, tries them, and saves them in the editor unless the hub rejects the token.
// An empty address removes the hub.
func (g *guide) hub(ctx context.Context) ([]protocol.GuideMessage, error) {
	var set protocol.HubConnectParams
	if g.params.Hub != nil {
		set = *g.params.Hub
	}
	var err error
	if set.URL, err = g.askAddress(ctx, set.URL); errors.Is(err, errLeft) {
		return nil, nil
	}
	if err == nil && set.URL != "" {
		set.Token, err = g.input(ctx, protocol.GuideInputParams{Prompt: g.text(guideHubToken, set.URL), Password: true})
		if errors.Is(err, errLeft) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	now := protocol.HubState{State: protocol.HubOff}
	if set.URL != "" {
		shown := protocol.GuideProgressParams{Title: g.text("Connecting to {0}…", set.URL), Fixed: true}
		rpc.Notify(g.editor, protocol.GuideProgress, shown)
		err = g.atKeeper(ctx, nil, func(ctx context.Context, conn *rpc.Conn) (err error) {
			now, err = rpc.Call(ctx, conn, protocol.HubConnect, set)
			return err
		})
		if err != nil {
			return nil, g.failed("The connection to the hub failed: {0}", ctx, err)
		}
	}
	if now.State == protocol.HubRefused {
		again := protocol.GuideRunParams{Guide: protocol.GuideHub, Hub: &protocol.HubConnectParams{
			URL: set.URL, Certificates: set.Certificates,
		}}
		return []protocol.GuideMessage{{
			Severity: protocol.GuideError, Text: cmp.Or(now.Problem, string(now.State)),
			Buttons: []protocol.GuideButton{{Title: g.text("Try Again"), Guide: &again}},
		}}, nil
	}
	if _, err := rpc.Call(ctx, g.editor, protocol.GuideSaveHub, set); err != nil {
		return nil, g.failed("The connection to the hub failed: {0}", ctx, err)
	}
	switch now.State {
	case protocol.HubOff:
		return information(g.text("Disconnected from the hub.")), nil
	case protocol.HubConnected:
		return information(g.text("Connected to the hub {0} as {1}.", cmp.Or(now.Name, set.URL), now.Account)), nil
	}
	return warning(g.text("The connection to the hub failed: {0}", now.Problem)), nil // the keeper keeps trying, which the view shows
}

// errLeft means that the user has cancelled a dialog.
var errLeft = errors.New("the user has cancelled")

func (g *guide) input(ctx context.Context, p protocol.GuideInputParams) (string, error) {
	result, err := rpc.Call(ctx, g.editor, protocol.GuideInput, p)
	switch {
	case err != nil:
		return "", err
	case result.Text == nil:
		return "", errLeft
	}
	return strings.TrimSpace(*result.Text), nil
}

// askAddress asks until the address is valid or empty. The keeper checks that it is encrypted.
func (g *guide) askAddress(ctx context.Context, value string) (string, error) {
	for problem := ""; ; {
		text, err := g.input(ctx, protocol.GuideInputParams{
			Prompt:      g.text("The address of your team's hub; leave it empty to disconnect"),
			Placeholder: "https://hub.example", Value: value, Problem: problem,
		})
		if err != nil || text == "" {
			return "", err
		}
		if _, err := hubclient.ParseURL(text, true); err == nil {
			return strings.TrimRight(text, "/"), nil
		}
		value, problem = text, g.text("Enter an address such as https://hub.example")
	}
}
