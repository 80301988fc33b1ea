// Package web serves the interface to browsers: the files of the page, and for each page that is open a sidecar of its own on the
// user's store, which it speaks to over a WebSocket, one JSON-RPC message in each text frame. Whoever comes is a stranger until
// the browser has exchanged the secret for a cookie, and a page is passed no method but the interface's.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"go.uber.org/zap"
)

// Options are what a server runs on. Only main touches the process.
type Options struct {
	// Listener is where browsers come.
	Listener net.Listener
	// TLS, where it is not nil, holds the certificate.
	TLS *tls.Config
	// Names are hosts by which browsers may name this server, besides the addresses that it listens on, or the whole addresses of
	// what stands between: an editor that forwards a port, a tunnel.
	Names []string
	// Sidecar speaks the protocol until its input ends; each page has one.
	Sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	// Door, where it is not nil, says who comes in, with whose sidecar, in place of a secret for one browser. Programs come as well then,
	// by their tokens, at "/rpc", whatever name they call this server by.
	Door Door
	// Path is where the pages' socket is; empty: somewhere else at each start.
	Path string
	// Handlers are what this server answers besides, by patterns as http.ServeMux has them, to whoever asks.
	Handlers map[string]http.HandlerFunc
	// Proxies are the addresses of the proxies that are trusted to tell the client's address, by X-Forwarded-For. The log has it.
	Proxies []netip.Prefix
	// Devices, where it is not nil, remembers the browsers that were let in.
	Devices *Devices
	// StorageFolder is where the user's questions are kept.
	StorageFolder string
	// Files are the page. Nil: those that were built into the program.
	Files fs.FS
	// Log must not be nil. It gets every refusal.
	Log *zap.Logger
	// Now is the clock that wrong secrets are counted by. Nil: the system's.
	Now func() time.Time
	// Patience is how long a browser may take to read a message, and how often it is looked whether it is there. 0: 30 s.
	Patience time.Duration
	// MaxPages is how many pages and programs may be connected at the same time. 0: 16.
	MaxPages int
	// MaxMessage bounds one message of a page's, in bytes. 0: 32 MiB, an answer with all the images that it may have.
	MaxMessage int64
}

// How much a browser may ask of the server, and how long it may take.
const (
	// maxPages is Options.MaxPages where nothing else was said.
	maxPages = 16
	// maxMessage is Options.MaxMessage where nothing else was said.
	maxMessage = 32 << 20
	// patience is Options.Patience where nothing else was said.
	patience = 30 * time.Second
	// headerTime is how long a request's header may take.
	headerTime = 10 * time.Second
	// requestTime is how long a request may take, its answer, and the silence after it; a socket is no longer a request.
	requestTime = time.Minute
	// loginTime is how long the exchange of the secret may take.
	loginTime = 10 * time.Second
	// maxHeader bounds a request's header, in bytes.
	maxHeader = 16 << 10
)

// Server serves one user.
type Server struct {
	options Options
	log     *zap.Logger
	hosts   map[string]string // the scheme that the page has there, by the Host header; one with http may be reached by https as well
	between map[string]string // the folder of the page where something stands between, by the origin that browsers see
	urls    []string
	http    *http.Server
	end     context.CancelFunc
	ended   context.Context
	pages   sync.WaitGroup
	door    Door
	secret  string // what the door wants to be shown; "" where it is not this server's own
	path    string // of the socket, which is told to whoever was let in

	mu   sync.Mutex
	open int // pages
}

// New makes a server. Its secret is new, too.
func New(o Options) (*Server, error) {
	if o.Files == nil {
		o.Files = builtIn()
	}
	if o.Patience == 0 {
		o.Patience = patience
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = maxMessage
	}
	if o.MaxPages == 0 {
		o.MaxPages = maxPages
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Path == "" {
		o.Path = "/" + random()
	}
	s := &Server{options: o, log: o.Log, door: o.Door, path: o.Path}
	if s.door == nil {
		s.secret = random()
		s.door = &secretDoor{secret: s.secret, sidecar: o.Sidecar, wrong: NewWrong(wrongSecrets, o.Now), devices: o.Devices, now: o.Now}
	}
	if err := s.addresses(); err != nil {
		return nil, err
	}
	s.ended, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.handler(), TLSConfig: o.TLS, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: requestTime, IdleTimeout: requestTime,
		ErrorLog: zap.NewStdLog(o.Log), BaseContext: func(net.Listener) context.Context { return s.ended },
	}
	return s, nil
}

// Serve serves until ctx ends, and then ends every page. It returns nil then.
func (s *Server) Serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, s.stop)
	defer stop()
	err := s.serve()
	s.stop()
	s.pages.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// stop takes nobody in any more, and has every page told that the server goes away.
func (s *Server) stop() {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	_ = s.http.Close()
}

func (s *Server) serve() error {
	if s.options.TLS != nil {
		return s.http.ServeTLS(s.options.Listener, "", "")
	}
	return s.http.Serve(s.options.Listener)
}

// handler is what a browser finds.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", s.files)
	mux.HandleFunc("GET /l10n/texts", s.texts)
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	mux.HandleFunc("GET "+s.path+"/socket", s.socket)
	guarded := s.guarded(mux)
	if s.options.Door == nil && len(s.options.Handlers) == 0 {
		return s.forwarded(guarded)
	}
	all := http.NewServeMux()
	all.Handle("/", guarded)
	if s.options.Door != nil {
		all.HandleFunc("GET /rpc", s.rpc)
	}
	for pattern, handle := range s.options.Handlers {
		all.HandleFunc(pattern, handle)
	}
	return s.forwarded(all)
}
