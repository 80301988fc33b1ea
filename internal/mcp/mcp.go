// Package mcp is the server for agents that speak the Model Context Protocol (https://modelcontextprotocol.io). It has two tools
// that ask questions. It is a client of a sidecar in the same process, which keeps the questions. It shows no inbox itself: an
// inbox in any of the person's processes answers them.
package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/imagefile"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// defaultGrace limits the time to write the last responses.
const defaultGrace = 2 * time.Second

// defaultProgress is the interval of progress notifications.
const defaultProgress = 15 * time.Second

// Options configure a server.
type Options struct {
	// In and Out carry the protocol: JSON-RPC, one message per line.
	In  io.ReadCloser
	Out io.Writer
	// Log must not be nil.
	Log *zap.Logger
	// Version is the program's version.
	Version string
	// Sidecar is a connection to a sidecar before the handshake.
	Sidecar *rpc.Conn
	// StorageFolder is the storage folder.
	StorageFolder string
	// Hub has the options of a team's hub. If nil, the person's own inbox is asked.
	Hub *Hub
	// App is the page for clients that show one inside the conversation. If nil, there is no page.
	App *App
	// Reading are options for parsing calls.
	Reading Reading
	// Locale is the language of messages to agents and their users.
	Locale locale.Tag
	// Env returns environment variables, which identify some agents.
	Env func(name string) string
	// Folder is the working folder, which is the project's in all agents.
	Folder string
	// Parent is the parent's process id. It distinguishes conversations of agents that do not name them.
	Parent int
	// Limit is when a call gets a ticket. If nil, it depends on the client. Zero means never.
	Limit *time.Duration
	// Progress is the interval of progress notifications to clients that want them. Zero means 15 s.
	Progress time.Duration
	// Grace bounds the time to write the last responses when serving ends, since a client may not read. Zero means 2 s.
	Grace time.Duration
	// NotShownAfter is how long a call waits if nobody can see its question, before it returns that as its result. Zero means 10
	// s, and a negative value means no special limit.
	NotShownAfter time.Duration
	// Notify, if not nil, notifies the user of a question that nobody can see.
	Notify func(agent string, asked protocol.Payload)
	// WebPage, if not nil, returns the address of the user's own page in a browser, without any secret; empty if it is not served.
	WebPage func() string
	// Program is the command line that starts this program.
	Program string
	// Reaction is the minimum time after which a declined form counts as declined by the user. Zero means 1 s.
	Reaction time.Duration
}

// Reading are options for parsing calls, as in protocol.SessionOpenParams. The zero value means the defaults.
type Reading struct {
	Strict       *bool
	MistakeLimit *int
	Limits       *protocol.Limits
}

// Hub are options for a team's hub.
type Hub struct {
	// To is the person or the group to ask. If empty, everybody.
	To string
	// Machine distinguishes machines, whose processes may have the same ids.
	Machine string
}

// instructions explain the server to an agent's model. The tools' descriptions repeat them, since not every agent shows its
// model the instructions.
const instructions = "To ask the user anything, call ask_followup_question, or AskUserQuestion for several questions with options. " +
	"Both wait for the user, who may take long; if you are given an id instead of an answer, call the tool again with {\"await\": id}."

//go:embed tools.json
var toolsFile []byte

// Tools returns the tools for clients. Their schemas describe the arguments but reject nothing: the parser reports and counts the
// errors of a call.
func Tools() (tools []*sdk.Tool) {
	if err := json.Unmarshal(toolsFile, &tools); err != nil {
		panic(err) // the JSON is embedded in the program
	}
	return tools
}

// Server serves one client.
type Server struct {
	options Options
	log     *zap.Logger
	began   int64           // in milliseconds since 1970
	ending  <-chan struct{} // closed when serving should end
	lastID  atomic.Int64
	pageKey string // proves that a call comes from the page; models do not see it

	mu          sync.Mutex
	calls       []*appCall           // oldest first
	pages       map[string]*page     // the apps' pages, by their ids
	changed     chan struct{}        // closed when the calls have changed
	images      imagefile.Folder     // images that are sent as paths
	undelivered map[string]bool      // questions asked here whose answers reached no call, whether collected or not
	forms       map[string]time.Time // when the client was sent a question's form
}

// Serve serves the client until the input or ctx ends. Then its calls end, and the questions stay open.
func Serve(ctx context.Context, o Options) error {
	o.Progress = cmp.Or(o.Progress, defaultProgress)
	o.Grace = cmp.Or(o.Grace, defaultGrace)
	o.Reaction = cmp.Or(o.Reaction, defaultReaction)
	o.NotShownAfter = cmp.Or(o.NotShownAfter, DefaultNotShownAfter)
	s := &Server{
		options: o, log: o.Log, began: time.Now().UnixMilli(), ending: ctx.Done(), pageKey: rand.Text(),
		pages: map[string]*page{}, changed: make(chan struct{}), undelivered: map[string]bool{}, forms: map[string]time.Time{},
	}
	defer s.removeImages()
	defer s.closePages()
	never := -1
	_, err := rpc.Call(ctx, o.Sidecar, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{
			ProtocolVersion: protocol.Version, Locale: string(o.Locale), StorageFolder: o.StorageFolder,
			WorkspaceFolders: s.folders(), NotShownAfter: &never,
		},
	})
	if err != nil {
		return fmt.Errorf("could not start the sidecar: %w", err)
	}
	rpc.Notify(o.Sidecar, protocol.Initialized, protocol.None{})

	server := sdk.NewServer(&sdk.Implementation{Name: "followup", Title: "Followup", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, tool := range Tools() {
		server.AddTool(tool, s.call)
	}
	if o.App != nil {
		if err := s.addApp(server); err != nil {
			return err
		}
		server.AddReceivingMiddleware(s.showApp)
	}
	server.AddSendingMiddleware(keepContent)
	c := newConnection(o.Out, o.Log)
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, req)
			if initialized, is := result.(*sdk.InitializeResult); is && err == nil {
				c.batches.Store(initialized.ProtocolVersion == batchVersion)
			}
			return result, err
		}
	})
	read, served := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(read)
		c.read(o.In)
	}()
	go func() { served <- server.Run(ctx, c) }()
	select {
	case err = <-served:
	case <-read:
		err = s.last(served)
	case <-ctx.Done():
		err = s.last(served)
	}
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// last waits until the last responses are written, for a limited time: the library's own wait has no limit.
func (s *Server) last(served <-chan error) error {
	select {
	case err := <-served:
		return err
	case <-time.After(s.options.Grace):
		s.log.Warn("the client does not read its responses")
		return nil
	}
}

// removeImages removes the image files, since nothing will read them any more.
func (s *Server) removeImages() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.images.Remove(); err != nil {
		s.log.Warn("could not remove images", zap.Error(err))
	}
}
