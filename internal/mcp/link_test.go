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

// opens is a client that opens links but cannot show forms.
func opens(open func(*sdk.ElicitParams) string, done chan<- string) sdk.ClientOptions {
	return sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: open(r.Params)}, nil
		},
		ElicitationCompleteHandler: func(_ context.Context, r *sdk.ElicitationCompleteNotificationRequest) { done <- r.Params.ElicitationID },
	}
}

// linkVersion has links, and closes them again.
const linkVersion = "2025-11-25"

// If the user's own page is served and nobody has it open, the client opens it, and learns that the question was answered there.
func TestTheClientOpensThePage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	done := make(chan string, 1)
	opened := make(chan protocol.InboxItem, 1)
	client := opens(func(p *sdk.ElicitParams) string {
		if p.Mode != "url" || p.URL != "http://127.0.0.1:7000/" || p.Message != "Which port?" || p.RequestedSchema != nil {
			t.Errorf("asked %+v", p)
		}
		item := pending(rpctest.ConnectTo(t, folder, nil), "Which port?")
		if p.ElicitationID != item.QuestionID {
			t.Errorf("the link is %q, the question %q", p.ElicitationID, item.QuestionID)
		}
		opened <- item
		return "accept"
	}, done)
	a := start(t, starting{folder: folder, version: linkVersion, client: client, change: func(o *Options) {
		o.NotShownAfter = time.Millisecond
		o.WebPage = func() string { return "http://127.0.0.1:7000/" }
		o.Notify = func(string, protocol.Payload) { t.Error("the user is notified, too") }
	}})
	came := a.call(t.Context(), followup, `{"question":"Which port?"}`)
	item := <-opened
	e := rpctest.ConnectTo(t, folder, nil)
	typed(e, item.QuestionID, "8080")
	if text := a.text(<-came); text != "<answer>\n8080\n</answer>" {
		t.Errorf("got %q", text)
	}
	if id := <-done; id != item.QuestionID {
		t.Errorf("%q is done", id)
	}
}

// A user who declines the link dismisses the question.
func TestTheUserDeclinesTheLink(t *testing.T) {
	t.Parallel()
	client := opens(func(*sdk.ElicitParams) string {
		tick()
		return "decline"
	}, make(chan string, 1))
	a := start(t, starting{
		folder: t.TempDir(), version: linkVersion, client: client,
		change: func(o *Options) {
			o.Reaction = time.Nanosecond
			o.WebPage = func() string { return "http://127.0.0.1:7000/" }
		},
	})
	if text := a.text(<-a.call(t.Context(), followup, `{"question":"Really?"}`)); !strings.Contains(text, "declined to answer") {
		t.Errorf("got %q", text)
	}
}

// Without a page, such a client cannot ask its user.
func TestNoPageIsServed(t *testing.T) {
	t.Parallel()
	client := opens(func(p *sdk.ElicitParams) string {
		t.Errorf("asked %+v", p)
		return "decline"
	}, make(chan string, 1))
	a := start(t, starting{folder: t.TempDir(), version: linkVersion, client: client, change: func(o *Options) {
		o.NotShownAfter = time.Millisecond
		o.WebPage = func() string { return "" }
	}})
	if text := a.text(<-a.call(t.Context(), followup, `{"question":"Anybody?"}`)); !strings.Contains(text, "no inbox is open") {
		t.Errorf("got %q", text)
	}
}
