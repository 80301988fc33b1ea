// Package mcp is the way in for agents that speak the Model Context Protocol (https://modelcontextprotocol.io): a server with the two
// tools that ask. It is a peer of a sidecar in the same process, which keeps the questions, and shows no inbox itself: whoever does, in
// any process of the person's, answers them.
package mcp

import (
	"context"
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

// defaultGrace is how long the last answers may take to be written.
const defaultGrace = 2 * time.Second

// defaultProgress is how often a client that wants to know is told that the user has not answered yet.
const defaultProgress = 15 * time.Second

// Options are what a server runs on.
type Options struct {
	// In and Out carry the protocol: JSON-RPC, one message a line.
	In  io.ReadCloser
	Out io.Writer
	// Log must not be nil.
	Log *zap.Logger
	// Version is the program's.
	Version string
	// Sidecar is a connection to a sidecar that is fresh, with which hands are shaken here.
	Sidecar *rpc.Conn
	// StorageFolder is where everything is kept.
	StorageFolder string
	// Hub is there where the questions are asked at a team's hub.
	Hub *Hub
	// App is the page for clients that show one inside the conversation; nil if there is none.
	App *App
	// Reading is how calls are read.
	Reading Reading
	// Locale is the language of what agents and their users are told.
	Locale locale.Tag
	// Env gives the variables of the environment, by which some agents tell what they are.
	Env func(name string) string
	// Folder is the working folder: the project's, in all agents.
	Folder string
	// Parent is the process id of whoever started this one: it tells conversations apart whose agents do not name them.
	Parent int
	// Limit is after how long a call is answered though the user has not; nil: by what is known of the client. 0: never.
	Limit *time.Duration
	// Progress is how often a client that wants to know is told that nothing has happened; 0: every 15 s.
	Progress time.Duration
	// Grace is how long the last answers may take to be written once serving is to end: a client may not read any more. 0: 2 s.
	Grace time.Duration
	// NotShownAfter is how long a call waits where nobody can see its question, before its model is told so. 0: 10 s; negative: as any other.
	NotShownAfter time.Duration
	// Notify tells the user that an agent asks what nobody can see; nil if there is no way to.
	Notify func(agent string, asked protocol.Payload)
	// WebPage returns the address of the user's own page in a browser, without any secret; empty if none is served. May be nil.
	WebPage func() string
	// Program is what the user types to start this program.
	Program string
	// Reaction is the shortest time after which a declined form counts as declined by the user; 0: 1 s.
	Reaction time.Duration
}

// Reading is how calls are read, with the fields of protocol.SessionOpenParams. The zero value means the defaults.
type Reading struct {
	Strict       *bool
	MistakeLimit *int
	Limits       *protocol.Limits
}

// Hub is what there is to say at a team's hub.
type Hub struct {
	// To is the person or the group that is asked; empty: everybody there.
	To string
	// Machine tells machines apart, on which processes have the same numbers.
	Machine string
}

// instructions tell an agent's model what the server is for. The tools' descriptions say the same, since not every agent shows these.
const instructions = "To ask the user anything, call ask_followup_question, or AskUserQuestion for several questions with options. " +
	"Both wait for the user, who may take long; if you are given an id instead of an answer, call the tool again with {\"await\": id}."

//go:embed tools.json
var toolsFile []byte

// Tools are the tools as clients are told of them. Their schemas describe and do not forbid: what is wrong with a call is told by the
// reader, which counts it.
func Tools() (tools []*sdk.Tool) {
	if err := json.Unmarshal(toolsFile, &tools); err != nil {
		panic(err) // embedded
	}
	return tools
}

// Server is one client's.
type Server struct {
	options Options
	log     *zap.Logger
	began   int64           // in milliseconds since 1970
	ending  <-chan struct{} // closed when serving is to end
	lastID  atomic.Int64
	pageKey string // proves that a call is the page's

	mu      sync.Mutex
	calls   []*appCall           // the oldest first
	pages   map[string]*page     // of the apps, by their own ids
	changed chan struct{}        // closed when calls have changed
	images  imagefile.Folder     // those that are given by their paths
	untold  map[string]bool      // questions that were asked here whose answers no call was told, be they collected or not
	forms   map[string]time.Time // when the client was sent the form of a question
}

// Serve speaks the protocol until the input ends, or ctx does. Whoever waits then is gone; the questions stay.
func Serve(ctx context.Context, o Options) error {
	if o.Progress <= 0 {
		o.Progress = defaultProgress
	}
	if o.Grace <= 0 {
		o.Grace = defaultGrace
	}
	if o.Reaction <= 0 {
		o.Reaction = defaultReaction
	}
	if o.NotShownAfter == 0 {
		o.NotShownAfter = DefaultNotShownAfter
	}
	s := &Server{
		options: o, log: o.Log, began: time.Now().UnixMilli(), ending: ctx.Done(), untold: map[string]bool{}, forms: map[string]time.Time{},
	}
	s.pageKey, s.pages, s.changed = newKey(), map[string]*page{}, make(chan struct{})
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
		return fmt.Errorf("the sidecar does not start: %w", err)
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

// last waits until the last answers are written, as long as that may take: the library waits for good.
func (s *Server) last(served <-chan error) error {
	select {
	case err := <-served:
		return err
	case <-time.After(s.options.Grace):
		s.log.Warn("the client does not read what it is answered")
		return nil
	}
}

// removeImages removes what was given by its path: whoever was to read it is gone.
func (s *Server) removeImages() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.images.Remove(); err != nil {
		s.log.Warn("could not remove images", zap.Error(err))
	}
}
