package mcp

import (
	"context"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
	"followup/internal/rpctest"
)

// No inbox is open, and the client has no form or declines it automatically: the user is notified, and the model continues after
// a while.
func TestNobodySeesTheQuestion(t *testing.T) {
	t.Parallel()
	declines := form(func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "decline"}, nil
	})
	for _, version := range []string{formVersion, inputRequests} {
		for name, client := range map[string]sdk.ClientOptions{"has no form": {}, "declines by itself": declines.options()} {
			t.Run(version+" "+name, func(t *testing.T) {
				folder := t.TempDir()
				notified := make(chan string, 10)
				a := start(t, starting{folder: folder, version: version, client: client, change: func(o *Options) {
					o.Reaction, o.NotShownAfter, o.Program = time.Hour, time.Millisecond, "followup"
					o.Notify = func(agent string, asked protocol.Payload) { notified <- agent + ": " + asked.Question }
				}})
				text := a.text(<-a.call(t.Context(), followup, `{"question":"Anybody?"}`))
				found := ticket.FindStringSubmatch(text)
				if found == nil || !strings.Contains(text, "no inbox is open") || !strings.Contains(text, "`followup answer`") {
					t.Fatalf("the model got %q", text)
				}
				if got := <-notified; got != "Test Agent: Anybody?" {
					t.Errorf("the user is notified of %q", got)
				}
				e := rpctest.ConnectTo(t, folder, nil)
				came := a.call(t.Context(), followup, `{"await":"`+found[1]+`"}`)
				typed(e, pending(e, "Anybody?").QuestionID, "me")
				if text := a.text(<-came); text != "<answer>\nme\n</answer>" {
					t.Errorf("got %q", text)
				}
				if len(notified) > 0 {
					t.Error("the user is notified again")
				}
			})
		}
	}
}

// If an inbox opens meanwhile, the call waits for the user.
func TestInboxOpensMeanwhile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open, proceed := make(chan struct{}), make(chan struct{})
	fill := form(func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		close(open)
		<-proceed
		return &sdk.ElicitResult{Action: "decline"}, nil
	})
	notified := make(chan struct{}, 1)
	a := start(t, starting{folder: folder, client: fill.options(), version: formVersion, change: func(o *Options) {
		o.Reaction, o.NotShownAfter = time.Hour, time.Millisecond
		o.Notify = func(string, protocol.Payload) { notified <- struct{}{} }
	}})
	came := a.call(t.Context(), followup, `{"question":"Anybody?"}`)
	<-open
	e := rpctest.ConnectTo(t, folder, nil)
	id := pending(e, "Anybody?").QuestionID
	rpctest.UntilShown(t, folder)
	close(proceed)
	<-notified
	typed(e, id, "me")
	if text := a.text(<-came); text != "<answer>\nme\n</answer>" {
		t.Errorf("got %q", text)
	}
}
