package keeper

import (
	"context"
	"net"

	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/server"
)

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
