// Package web serves the interface to browsers: the page's files, and for each open page its own sidecar on the user's store, over
// a WebSocket with one JSON-RPC message per text frame. A browser must first exchange the secret for a cookie. A page may only use
// the interface's methods.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
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

// Options configure a server. Only main touches the process.
type Options struct {
	// Listener accepts the browsers' connections.
	Listener net.Listener
	// TLS, if not nil, has the certificate.
	TLS *tls.Config
	// Names are hosts that browsers may use for this server, in addition to its listening addresses, or complete
	// addresses of proxies, such as a tunnel or an editor that forwards a port.
	Names []string
	// Sidecar speaks the protocol until its input ends; each page has one.
	Sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
	// Door, if not nil, authenticates visitors and provides their sidecars, instead of a secret for one browser. It also admits
	// programs at "/rpc" by their tokens, under any host name.
	Door Door
	// Path is the path of the pages' socket. If empty, it is random.
	Path string
	// Handlers are further handlers, by patterns of http.ServeMux, without authentication.
	Handlers map[string]http.HandlerFunc
	// Proxies are the addresses of proxies whose X-Forwarded-For is trusted, for the log.
	Proxies []netip.Prefix
	// Devices, if not nil, stores the admitted browsers.
	Devices *Devices
	// StorageFolder is the user's storage folder.
	StorageFolder string
	// Files are the page's files. If nil, the built-in ones.
	Files fs.FS
	// Log must not be nil. It gets every refusal.
	Log *zap.Logger
	// Now is the clock for counting wrong secrets. If nil, it is the system's.
	Now func() time.Time
	// Patience is how long a browser may take to read a message, and the interval of pings. Zero means 30 s.
	Patience time.Duration
	// MaxPages limits the connected pages and programs. Zero means 16.
	MaxPages int
	// MaxMessage limits a page's message in bytes. Zero means 32 MiB, enough for an answer with the most images.
	MaxMessage int64
}

// Limits for a browser's requests.
const (
	// maxPages is the default of Options.MaxPages.
	maxPages = 16
	// maxMessage is the default of Options.MaxMessage.
	maxMessage = 32 << 20
	// patience is the default of Options.Patience.
	patience = 30 * time.Second
	// headerTime limits the time for a request's header.
	headerTime = 10 * time.Second
	// requestTime limits a request, its response and the idle time after it. It does not apply to sockets.
	requestTime = time.Minute
	// loginTime limits the exchange of the secret.
	loginTime = 10 * time.Second
	// stopGrace limits how long running requests may take to answer when the server ends.
	stopGrace = 500 * time.Millisecond
	// maxHeader limits a request's header in bytes.
	maxHeader = 16 << 10
)

// Server serves one user.
type Server struct {
	options Options
	log     *zap.Logger
	hosts   map[string]string // the page's scheme by Host header; http hosts may also be reached by https
	between map[string]string // the page's folder behind a proxy, by the origin that browsers see
	urls    []string
	http    *http.Server
	end     context.CancelFunc
	ended   context.Context
	pages   sync.WaitGroup
	door    Door
	secret  string // for the server's own door; otherwise empty
	path    string // of the socket; admitted visitors get it

	mu   sync.Mutex
	open int // pages
}

// New returns a server with a new secret.
func New(o Options) (*Server, error) {
	if o.Files == nil {
		o.Files = builtIn()
	}
	o.Patience = cmp.Or(o.Patience, patience)
	o.MaxMessage = cmp.Or(o.MaxMessage, maxMessage)
	o.MaxPages = cmp.Or(o.MaxPages, maxPages)
	o.Path = cmp.Or(o.Path, "/"+rand.Text())
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{options: o, log: o.Log, door: o.Door, path: o.Path}
	if s.door == nil {
		s.secret = rand.Text()
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

// Serve serves until ctx ends, closes every page and returns nil.
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

// stop rejects new visitors, and notifies every page that the server is going away. Running requests end with their contexts, and get
// a moment to answer: a program that waits for an outcome then reads that it should try again.
func (s *Server) stop() {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	_ = s.http.Shutdown(ctx) // the rest is cut off
	_ = s.http.Close()
}

func (s *Server) serve() error {
	if s.options.TLS != nil {
		return s.http.ServeTLS(s.options.Listener, "", "")
	}
	return s.http.Serve(s.options.Listener)
}

// handler returns the server's handler.
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
