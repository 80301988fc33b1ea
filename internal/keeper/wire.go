package keeper

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
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

// Link is a connection between a client and a keeper, in two processes or in one, with the framing of the Language Server Protocol.
type Link struct {
	conn    io.ReadWriteCloser
	in      *bufio.Reader
	writing sync.Mutex
}

var _ relay.Link = (*Link)(nil)

func newLink(conn io.ReadWriteCloser) *Link {
	return &Link{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
}

// send sends a message of the handshake.
func (l *Link) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return l.Write(context.Background(), body)
}

// receive reads a message of the handshake.
func (l *Link) receive(into any) error {
	body, err := rpc.ReadFrame(l.in)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}

// Read returns the next message.
func (l *Link) Read(context.Context) ([]byte, error) { return rpc.ReadFrame(l.in) }

// Write sends a message.
func (l *Link) Write(_ context.Context, body []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return rpc.WriteFrame(l.conn, body)
}

// Watch only waits for ctx: the system reports the end of the other process, and one that hangs keeps its link.
func (l *Link) Watch(ctx context.Context) { <-ctx.Done() }

// Finish reports that nothing more will be written.
func (l *Link) Finish() {
	l.writing.Lock()
	defer l.writing.Unlock()
	if half, ok := l.conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// Close ends the link.
func (l *Link) Close() { _ = l.conn.Close() }

// CloseNow ends the link.
func (l *Link) CloseNow() { l.Close() }

// serve serves the client at the other end until it leaves.
func (l *Link) serve(host *server.Host) {
	host.Serve(context.Background(), struct {
		io.Reader
		io.Closer
	}{l.in, l.conn}, l.conn, nil)
	l.Close()
}

// Inside connects to a host in this process.
func Inside(host *server.Host) *Link {
	toHost, fromClient := io.Pipe()
	toClient, fromHost := io.Pipe()
	go newLink(pipe{toHost, fromHost}).serve(host)
	return newLink(pipe{toClient, fromClient})
}

// pipe is one end of a connection in memory that can be closed by halves.
type pipe struct {
	in *io.PipeReader
	*io.PipeWriter
}

func (p pipe) Read(b []byte) (int, error) { return p.in.Read(b) }

// CloseWrite ends what the other end reads.
func (p pipe) CloseWrite() error { return p.PipeWriter.Close() }

// Close ends both directions.
func (p pipe) Close() error { return errors.Join(p.PipeWriter.Close(), p.in.Close()) }
