package keeper

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"followup/internal/program"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/server"
)

// Kinds of requests in the first message of a connection. It is the same in every version of the protocol.
const (
	wantConnect = "connect" // JSON-RPC follows
	wantStatus  = "status"
	wantStop    = "stop"
)

// hello is the client's half of the handshake.
type hello struct {
	Want     string        `json:"want"`
	Build    program.Build `json:"build"`
	Protocol int           `json:"protocol"`
}

// welcome is the keeper's half.
type welcome struct {
	Info     Info `json:"info"`
	Protocol int  `json:"protocol"`
	// Retiring means that this keeper ends, and that the client should start another one.
	Retiring bool `json:"retiring,omitempty"`
}

// patience limits how long each side of a handshake waits for the other.
var patience = patienceOf(os.Getenv(PatienceVariable))

// PatienceVariable sets it for tests.
const PatienceVariable = "FOLLOWUP_KEEPER_PATIENCE"

func patienceOf(set string) time.Duration {
	if long, err := time.ParseDuration(set); err == nil {
		return long
	}
	return 10 * time.Second
}

// Patience is how long a keeper may take to respond before it counts as hung.
func Patience() time.Duration { return patience }

// wire is a connection between a client and a keeper, with the framing of the Language Server Protocol.
type wire struct {
	conn    net.Conn
	in      *bufio.Reader
	writing sync.Mutex
}

func newWire(conn net.Conn) *wire { return &wire{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)} }

func (w *wire) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return w.write(body)
}

func (w *wire) write(body []byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	return rpc.WriteFrame(w.conn, body)
}

func (w *wire) receive(into any) error {
	body, err := rpc.ReadFrame(w.in)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}

// Read and Close make a wire the input of a server after the handshake.
func (w *wire) Read(b []byte) (int, error) { return w.in.Read(b) }
func (w *wire) Close() error               { return w.conn.Close() }

var _ io.ReadCloser = (*wire)(nil)

// Link is a client's connection to a keeper, in another process or in this one.
type Link struct{ wire *wire }

var _ relay.Link = (*Link)(nil)

// Read returns the next message.
func (l *Link) Read(context.Context) ([]byte, error) { return rpc.ReadFrame(l.wire.in) }

// Write sends a message.
func (l *Link) Write(_ context.Context, body []byte) error { return l.wire.write(body) }

// Watch does nothing: the system reports the end of the other process, and one that hangs is not given up.
func (l *Link) Watch(ctx context.Context) { <-ctx.Done() }

// Finish reports that nothing more will be written.
func (l *Link) Finish() {
	l.wire.writing.Lock()
	defer l.wire.writing.Unlock()
	if half, ok := l.wire.conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// Close ends the link.
func (l *Link) Close() { _ = l.wire.Close() }

// CloseNow ends the link.
func (l *Link) CloseNow() { l.Close() }

// Inside connects to a host in this process.
func Inside(host *server.Host) *Link {
	ours, theirs := newPipe()
	go func() {
		host.ServeClient(context.Background(), theirs, theirs)
		_ = theirs.Close()
	}()
	return &Link{wire: newWire(ours)}
}

// pipe is one end of a connection in memory that can be closed by halves.
type pipe struct {
	net.Conn          // reads
	out      net.Conn // writes
}

func newPipe() (a, b pipe) {
	oneRead, twoWrite := net.Pipe()
	twoRead, oneWrite := net.Pipe()
	return pipe{oneRead, oneWrite}, pipe{twoRead, twoWrite}
}

func (p pipe) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipe) CloseWrite() error           { return p.out.Close() }

func (p pipe) Close() error {
	_ = p.out.Close()
	return p.Conn.Close()
}
