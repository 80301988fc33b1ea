package keeper

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"followup/internal/program"
	"followup/internal/rpc"
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
