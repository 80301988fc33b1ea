package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// A client with the extension MCP Apps shows an HTML page inside the conversation while a tool call waits:
// https://github.com/modelcontextprotocol/ext-apps, specification 2026-01-26. The page is the interface, and followup_page
// connects it to the sidecar.

const (
	// uiExtension is the extension's name among the capabilities.
	uiExtension = "io.modelcontextprotocol/ui"
	// appType is the media type of a page for a conversation.
	appType = "text/html;profile=mcp-app"
	// appURI is the page's address.
	appURI = "ui://followup/card.html"
	// pageTool is the tool that only the page may call.
	pageTool = "followup_page"
	// outcomeKey is the member of a result's _meta with the outcome, for a page that is opened again later.
	outcomeKey = "followup/outcome"
)

// App is the page inside a conversation, and the functions that it needs.
type App struct {
	// Page returns the page as one HTML document. It contains the key, which each of its calls repeats.
	Page func(key string) (string, error)
	// Texts returns the page's texts in a language, keyed by the English ones.
	Texts func(language string) map[string]string
	// Connect returns another connection to the sidecar, before its handshake, and a function that closes it.
	Connect func(*rpc.Router) (conn *rpc.Conn, end func())
}

//go:embed page_tool.json
var pageToolFile []byte

// showsApps reports whether a client can show pages inside the conversation.
func showsApps(can *sdk.ClientCapabilities) bool {
	if can == nil {
		return false
	}
	settings, _ := can.Extensions[uiExtension].(map[string]any)
	types, _ := settings["mimeTypes"].([]any)
	return slices.Contains(types, any(appType))
}

// apps reports whether the client of a request gets the page. At a hub no client does, since a team's questions are not only for
// the client's user.
func (s *Server) apps(req interface {
	ClientCapabilities() *sdk.ClientCapabilities
}) bool {
	return s.options.App != nil && s.options.Hub == nil && showsApps(req.ClientCapabilities())
}

// addApp adds the page and its tool to a server; showApp hides them from other clients.
func (s *Server) addApp(server *sdk.Server) error {
	var tool sdk.Tool
	if err := json.Unmarshal(pageToolFile, &tool); err != nil {
		return err
	}
	server.AddTool(&tool, s.callPage)
	server.AddResource(&sdk.Resource{URI: appURI, Name: "card", Title: "Followup", MIMEType: appType}, s.readApp)
	return nil
}

func (s *Server) readApp(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	if !s.apps(req) {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	text, err := s.options.App.Page(s.pageKey)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
		URI: appURI, MIMEType: appType, Text: text,
		Meta: sdk.Meta{"ui": map[string]any{"csp": map[string]any{}, "prefersBorder": false}},
	}}}, nil
}

// showApp adds the page to responses to clients that support it.
func (s *Server) showApp(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if r, is := req.(*sdk.CallToolRequest); is && r.Params.Name == pageTool && !s.apps(r) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", pageTool)}
		}
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch result := result.(type) {
		case *sdk.InitializeResult:
			r, _ := req.(*sdk.ServerRequest[*sdk.InitializeParams])
			result.Capabilities = s.capabilities(result.Capabilities, r != nil && showsApps(r.Params.Capabilities))
		case *sdk.DiscoverResult:
			r, _ := req.(*sdk.ServerRequest[*sdk.DiscoverParams])
			result.Capabilities = s.capabilities(result.Capabilities, r != nil && s.apps(r))
		case *sdk.ListToolsResult:
			r, _ := req.(*sdk.ListToolsRequest)
			result.Tools = tools(result.Tools, r != nil && s.apps(r))
		case *sdk.ListResourcesResult:
			if r, _ := req.(*sdk.ListResourcesRequest); r == nil || !s.apps(r) {
				result.Resources = []*sdk.Resource{}
			}
		}
		return result, nil
	}
}

func (s *Server) capabilities(all *sdk.ServerCapabilities, apps bool) *sdk.ServerCapabilities {
	can := *all
	if can.Resources = nil; apps {
		can.Resources = &sdk.ResourceCapabilities{}
		can.Extensions = map[string]any{uiExtension: map[string]any{"mimeTypes": []string{appType}}}
	}
	return &can
}

// tools returns the tools for a client.
func tools(all []*sdk.Tool, apps bool) (shown []*sdk.Tool) {
	for _, tool := range all {
		switch {
		case tool.Name == pageTool && !apps:
			continue
		case tool.Name != pageTool && apps:
			shown := *tool
			shown.Meta = sdk.Meta{
				"ui":             map[string]any{"resourceUri": appURI, "visibility": []string{"model", "app"}},
				"ui/resourceUri": appURI, // the older name
			}
			for key, value := range tool.Meta {
				shown.Meta[key] = value
			}
			tool = &shown
		}
		shown = append(shown, tool)
	}
	return shown
}

// appCall is a tool call that a page may show.
type appCall struct {
	// id is the call's JSON-RPC id, as JSON.
	id   string
	tool string
	// content is the arguments in canonical form.
	content string
	// question is the question's id; empty until it is known.
	question string
	// put means that the question was asked, over that the call has its answer.
	put, over bool
	// page is the connection that was opened with the call; nil once an app uses it.
	page *page
	// app is the id of the app that shows the call; empty if none does.
	app string
}

// maxCalls is how many calls are kept for pages that are opened again.
const maxCalls = 100

// beginCall records a call that a page may show, and opens its page. Until an app shows the page, the page counts as an open inbox, so
// the user gets no other notification.
func (c *calling) beginCall(ctx context.Context) {
	id, _ := c.req.Params.Meta[callIDKey].(string)
	call := &appCall{id: id, tool: c.req.Params.Name, content: string(canonical(c.req.Params.Arguments))}
	c.app = call
	c.mu.Lock()
	c.calls = append(c.calls, call)
	if len(c.calls) > maxCalls {
		c.calls = c.calls[1:]
	}
	c.mu.Unlock()
	c.callsChanged()
	p, err := c.openPage(ctx)
	if err != nil {
		c.log.Warn("could not connect the page in the conversation", zap.Error(err))
		return
	}
	c.mu.Lock()
	call.page = p
	c.mu.Unlock()
}

// askFor records the id of a call's question before it is asked.
func (c *calling) askFor(id string) {
	c.mu.Lock()
	c.app.question = id
	p := c.app.page
	c.mu.Unlock()
	if p != nil {
		p.show(id)
		p.attend(true)
		p.waitFor(appGrace, func() { c.dropPage(c.app) })
	}
}

// dropPage closes the page of a call if no app uses it.
func (s *Server) dropPage(call *appCall) {
	s.mu.Lock()
	p := call.page
	call.page = nil
	s.mu.Unlock()
	if p != nil {
		p.end()
	}
}

// wasPut records that a call's question was asked, and can be shown.
func (c *calling) wasPut() {
	c.mu.Lock()
	c.app.put = true
	c.mu.Unlock()
	c.callsChanged()
}

// endCall records that a call was answered. A question that stays open keeps its page.
func (c *calling) endCall() {
	c.mu.Lock()
	c.app.over = true
	if !c.app.put { // there is no question to show
		c.calls = slices.DeleteFunc(c.calls, func(call *appCall) bool { return call == c.app })
	}
	put := c.app.put
	c.mu.Unlock()
	if !put {
		c.dropPage(c.app)
	}
	c.callsChanged()
}

// callsChanged wakes the pages that wait for their calls.
func (s *Server) callsChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// outcomeOf returns the outcome, which a page needs besides the answer's text.
func outcomeOf(answer protocol.Answer) sdk.Meta { return sdk.Meta{outcomeKey: answer.Outcome} }
