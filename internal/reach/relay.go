package reach

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/agentfolder"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/server"
)

// How a client waits for its keeper.
const (
	firstRedial   = 5 * time.Millisecond
	lastRedial    = 100 * time.Millisecond
	steadyLink    = time.Second
	refusedFor    = time.Minute
	drainPatience = 5 * time.Second
)

// firstRetry is the pause before a process that keeps the inbox itself tries to start a keeper. It doubles up to lastRetry, because each
// attempt starts a process, and in a sandbox none succeeds.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

// Relay connects a peer, such as an editor or a page, to the keeper of the storage that the peer names in its handshake.
type Relay struct {
	Reach
	// Alone runs the keeper in this process. Other clients of the folder connect to it as usual.
	Alone bool
	// Greeted, if not nil, is called with the peer's handshake, and may change it.
	Greeted func(*protocol.InitializeParams)
	// Outside, if not nil, shows a notice on the desktop.
	Outside func(relay.OutsideParams)
	// Hung, if not nil, is called with the user's words when the keeper does not answer, perhaps repeatedly.
	Hung func(words string)

	speak locale.Tag
	host  *server.Host // nil unless this process keeps the inbox itself
	// release stops the keeper that keepHere started; nil before that.
	release func()
}

// KeeperHangs is what users read while the keeper does not answer.
const KeeperHangs locale.Key = "The process that keeps the questions does not respond. Nothing is lost or decided meanwhile. To " +
	"restart it, run: followup keeper restart"

// Serve relays between the peer and the keeper until in ends.
func (r *Relay) Serve(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	defer func() {
		if r.host != nil {
			r.host.Close()
		}
		if r.release != nil {
			r.release()
		}
	}()
	options := relay.Options{
		In: in, Out: out, Log: r.Log, Dial: r.dial, Greet: r.greet, Words: func(err error) string { return r.speak.Words(err) },
		Broken: func(error) *relay.Failure { return &relay.Failure{AtOnce: true} },
		First:  firstRedial, Last: lastRedial, Steady: steadyLink, RefusedPause: refusedFor,
		Outside: r.Outside, Drain: drainPatience, Patience: keeper.Patience(), Hung: r.hangs,
	}
	return relay.Serve(ctx, options)
}

// greet answers the peer's handshake.
func (r *Relay) greet(p protocol.InitializeParams) (protocol.InitializeResult, protocol.InitializeParams, error) {
	theirs := p.InitializationOptions.ProtocolVersion
	if theirs != protocol.Version {
		mismatch := &jsonrpc2.Error{Code: protocol.CodeVersionMismatch, Message: fmt.Sprintf(
			"the editor's side speaks version %d of the protocol and followup %s speaks version %d; install matching versions of the two",
			theirs, r.Build.Version, protocol.Version)}
		mismatch.SetError(protocol.VersionMismatch{ProtocolVersion: protocol.Version})
		return protocol.InitializeResult{}, p, mismatch
	}
	r.speak = locale.Match(p.InitializationOptions.Locale)
	if r.Greeted != nil {
		r.Greeted(&p)
	}
	p.InitializationOptions.LogVariables = agentfolder.Variables(r.Env) // the keeper has another environment
	p.ProcessID = 0                                                     // this process watches the editor
	return protocol.InitializeResult{
		ProtocolVersion: protocol.Version,
		ServerInfo:      protocol.ServerInfo{Name: "followup", Version: r.Build.Version, PID: os.Getpid()},
	}, p, nil
}

const keeperOther locale.Key = "Another version of Followup ({0}) keeps the questions, and this one cannot talk to it. Reload the " +
	"window, or restart the agent."

// dial connects to the keeper and performs the handshake.
func (r *Relay) dial(ctx context.Context, hello protocol.InitializeParams) (relay.Link, *relay.Failure) {
	link, err := r.connect(ctx, hello.InitializationOptions.StorageFolder)
	if err != nil {
		return nil, r.failure(ctx, err)
	}
	greeting, cancel := context.WithTimeoutCause(ctx, keeper.Patience(), keeper.ErrHangs)
	defer cancel()
	_, err = relay.Greet(greeting, link, hello)
	if err == nil {
		return link, nil
	}
	link.CloseNow()
	var refused *jsonrpc2.Error
	switch {
	case errors.As(err, &refused):
		return nil, &relay.Failure{Why: refused, Final: true}
	case greeting.Err() != nil:
		return nil, r.failure(ctx, context.Cause(greeting))
	}
	return nil, &relay.Failure{} // it ended just now
}

// failure returns the reason why the keeper cannot be reached.
func (r *Relay) failure(ctx context.Context, err error) *relay.Failure {
	var other keeper.ProtocolError
	switch {
	case ctx.Err() != nil:
		return &relay.Failure{}
	case r.Joins:
		return &relay.Failure{Why: err, Final: true}
	case errors.As(err, &other):
		return &relay.Failure{Why: locale.Refuse(keeperOther, other.Version), Final: true}
	case errors.Is(err, keeper.ErrHangs):
		r.hangs()
		return &relay.Failure{Why: locale.Refuse(KeeperHangs), AtOnce: true}
	}
	return &relay.Failure{Why: locale.Refuse("The process that keeps the questions cannot be reached: {0}", err)}
}

// hangs reports that the keeper does not answer, and returns the user's words for it.
func (r *Relay) hangs() string {
	words := r.speak.Text(KeeperHangs)
	if r.Hung != nil {
		r.Hung(words)
	}
	return words
}

// connect connects to the keeper of a folder. If none can be started, a host runs inside this process until one can.
func (r *Relay) connect(ctx context.Context, folder string) (*keeper.Link, error) {
	if r.Alone && r.release == nil && folder != "" {
		r.keepHere(folder)
	}
	if r.Joins {
		client, err := r.Keeper(folder)
		if err != nil {
			return nil, err
		}
		return client.Join(ctx)
	}
	startable := folder != "" && r.Program != ""
	if startable {
		link, err := r.find(ctx, folder)
		if !errors.Is(err, keeper.ErrNone) {
			if err == nil && r.host != nil {
				r.host.Close() // the keeper opens the store now, and has everything that is saved
				r.host = nil
			}
			return link, err
		}
		r.Log.Warn("no keeper can be started: this process keeps the inbox", zap.Error(err))
	}
	if r.host == nil {
		r.host = server.NewHost(r.Host)
		r.host.Keep(folder)
	}
	link := keeper.Inside(r.host)
	if startable {
		go r.leave(ctx, folder, r.host, link)
	}
	return link, nil
}

// find connects to the keeper of a folder, and starts it if there is none.
func (r *Relay) find(ctx context.Context, folder string) (*keeper.Link, error) {
	client, err := r.Keeper(folder)
	if err != nil {
		return nil, err
	}
	return client.Connect(ctx)
}

// leave closes the link to the host in this process once there is a keeper, which the relay then connects to. Otherwise this process
// would hold the store, and other clients could not use it, although the cause has gone: a full disk, a read-only folder.
func (r *Relay) leave(ctx context.Context, folder string, host *server.Host, link *keeper.Link) {
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if found, err := r.find(ctx, folder); err == nil {
			found.Close()
			r.Log.Info("there is a keeper now")
			host.Retire()
			link.Close()
			return
		}
	}
}

// keepHere runs the keeper of a folder in this process. If that fails, connect finds out why.
func (r *Relay) keepHere(folder string) {
	ctx, end := context.WithCancel(context.Background())
	over, ready := make(chan struct{}), make(chan struct{})
	r.release = func() {
		end()
		<-over
	}
	go func() {
		defer close(over)
		err := keeper.Serve(ctx, keeper.Options{
			Folder: folder, Build: r.Build, Log: r.Log, Linger: keeper.DefaultLinger, Server: r.Host, Ready: func() { close(ready) },
		})
		if err != nil {
			r.Log.Warn("this process does not keep the inbox", zap.Error(err))
		}
	}()
	select {
	case <-ready:
	case <-over:
	}
}
