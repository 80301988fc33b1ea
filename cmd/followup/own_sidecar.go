package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/importing"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/person"
	"followup/internal/program"
	"followup/internal/protocol"
	"followup/internal/relay"
	"followup/internal/rpc"
	"followup/internal/server"
	"followup/internal/store"
)

// keeperProgram is the path of the program that clients start as a keeper. If empty, the keeper runs in this process.
var keeperProgram string

// How a client waits for its keeper.
const (
	firstRedial   = 5 * time.Millisecond
	lastRedial    = 100 * time.Millisecond
	steadyLink    = time.Second
	refusedFor    = time.Minute
	drainPatience = 5 * time.Second
)

// inbox connects a client to the keeper of a person's inbox.
type inbox struct {
	env func(string) string
	log *zap.Logger
	// alone runs the keeper in this process. Other clients of the folder connect to it as usual.
	alone bool
	// greeted is called with the peer's handshake, and may change it.
	greeted func(*protocol.InitializeParams)
	// outside shows a notice on the desktop; nil if the client has none.
	outside func(relay.OutsideParams)
	// hung is called with the user's words when the keeper does not answer, perhaps repeatedly. Optional.
	hung func(words string)

	speak locale.Tag
	host  *server.Host // nil unless this process keeps the inbox itself
	// release stops the keeper that keepHere started; nil before that.
	release func()
}

const keeperHangs locale.Key = "The process that keeps the questions does not answer. Nothing is lost or decided meanwhile. To " +
	"restart it, run: followup keeper restart"

// serve relays between a peer and the keeper of the folder that the peer names.
func (i *inbox) serve(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	defer func() {
		if i.host != nil {
			i.host.Close()
		}
		if i.release != nil {
			i.release()
		}
	}()
	options := relay.Options{
		In: in, Out: out, Log: i.log, Dial: i.dial, Greet: i.greet, Words: i.words,
		Broken: func(error) *relay.Failure { return &relay.Failure{AtOnce: true} },
		First:  firstRedial, Last: lastRedial, Steady: steadyLink, RefusedPause: refusedFor,
		Own:      map[string]func(json.RawMessage){relay.Outside.Method: i.outsideNotice},
		Drain:    drainPatience,
		Patience: keeper.Patience(), Hung: i.hangs,
	}
	return relay.Serve(ctx, options)
}

// greet answers the peer's handshake.
func (i *inbox) greet(p protocol.InitializeParams) (protocol.InitializeResult, protocol.InitializeParams, error) {
	theirs := p.InitializationOptions.ProtocolVersion
	if theirs != protocol.Version {
		mismatch := &jsonrpc2.Error{Code: protocol.CodeVersionMismatch, Message: fmt.Sprintf(
			"the editor's side speaks version %d of the protocol and followup %s speaks version %d; install matching versions of the two",
			theirs, version(), protocol.Version)}
		mismatch.SetError(protocol.VersionMismatch{ProtocolVersion: protocol.Version})
		return protocol.InitializeResult{}, p, mismatch
	}
	i.speak = locale.Match(p.InitializationOptions.Locale)
	if i.greeted != nil {
		i.greeted(&p)
	}
	p.InitializationOptions.LogVariables = importing.Variables(i.env) // the keeper has another environment
	p.ProcessID = 0                                                   // this process watches the editor
	return protocol.InitializeResult{
		ProtocolVersion: protocol.Version,
		ServerInfo:      protocol.ServerInfo{Name: "followup", Version: version(), PID: os.Getpid()},
	}, p, nil
}

const keeperOther locale.Key = "Another version of Followup ({0}) keeps the questions, and this one cannot talk to it. Reload the " +
	"window, or restart the agent."

// dial connects to the keeper and shakes hands.
func (i *inbox) dial(ctx context.Context, hello protocol.InitializeParams) (relay.Link, *relay.Failure) {
	link, err := i.connect(ctx, hello.InitializationOptions.StorageFolder)
	var other keeper.ProtocolError
	switch {
	case errors.As(err, &other):
		return nil, &relay.Failure{Why: locale.Refuse(keeperOther, other.Version), Final: true}
	case errors.Is(err, keeper.ErrHangs):
		i.hangs()
		return nil, &relay.Failure{Why: locale.Refuse(keeperHangs), AtOnce: true}
	case err != nil && ctx.Err() == nil:
		return nil, &relay.Failure{Why: locale.Refuse("The process that keeps the questions cannot be reached: {0}", err)}
	case err != nil:
		return nil, &relay.Failure{}
	}
	_, refused, err := relay.Greet(ctx, link, hello)
	if err == nil && refused == nil {
		return link, nil
	}
	link.CloseNow()
	if refused != nil {
		return nil, &relay.Failure{Why: refused, Final: true}
	}
	return nil, &relay.Failure{} // it ended just now
}

// hangs reports that the keeper does not answer, and returns the user's words for it.
func (i *inbox) hangs() string {
	words := i.speak.Text(keeperHangs)
	if i.hung != nil {
		i.hung(words)
	}
	return words
}

// connect connects to the keeper of a folder. Where there can be none, one runs inside this process.
func (i *inbox) connect(ctx context.Context, folder string) (*keeper.Link, error) {
	if i.alone && i.release == nil && folder != "" {
		i.keepHere(folder)
	}
	if i.host == nil && folder != "" && keeperProgram != "" {
		client, err := keeperOf(folder, i.env, i.log)
		if err != nil {
			return nil, err
		}
		link, err := client.Connect(ctx)
		if !errors.Is(err, keeper.ErrNone) {
			return link, err
		}
		i.log.Warn("everything is kept by this process alone", zap.Error(err))
	}
	if i.host == nil {
		i.host = server.NewHost(hostOptions(i.env, i.log))
		i.host.Keep(folder)
	}
	return keeper.Inside(i.host), nil
}

// keepHere runs the keeper of a folder in this process. If that fails, connect finds out why.
func (i *inbox) keepHere(folder string) {
	ctx, end := context.WithCancel(context.Background())
	over, ready := make(chan struct{}), make(chan struct{})
	i.release = func() {
		end()
		<-over
	}
	go func() {
		defer close(over)
		err := keeper.Serve(ctx, keeper.Options{
			Folder: folder, Build: thisBuild(), Log: i.log, Linger: keeper.DefaultLinger, Server: hostOptions(i.env, i.log), Ready: func() { close(ready) },
		})
		if err != nil {
			i.log.Warn("the inbox is not kept by this process", zap.Error(err))
		}
	}()
	select {
	case <-ready:
	case <-over:
	}
}

// keeperOf returns the client of the keeper of a folder or a database.
func keeperOf(place string, env func(string) string, log *zap.Logger) (keeper.Client, error) {
	folder, err := keeperFolder(place, env)
	return keeper.Client{Folder: folder, Build: thisBuild(), Log: log, Commands: func(folder string) (commands []*exec.Cmd) {
		for _, program := range keeperPrograms(folder, env, log) {
			commands = append(commands, exec.Command(program, "keeper", "run", "--storage", place, "--folder", folder))
		}
		return commands
	}}, err
}

// keeperPrograms returns the programs that can keep a folder, best first. In the person's folder that is the one at the stable
// path, which is installed or updated first, since an update removes the extension's own program. Agents' configurations name the
// same path.
func keeperPrograms(folder string, env func(string) string, log *zap.Logger) []string {
	own := []string{keeperProgram}
	person, err := person.Machine{Env: env}.Folder()
	if err != nil || release == development || folder != person && filepath.Dir(folder) != filepath.Join(person, databasesName) {
		return own
	}
	place := program.Place{Person: person}
	renewed, err := place.Renew(keeperProgram, thisBuild())
	switch {
	case err != nil:
		log.Warn("the keeper runs from the program of its client, since none can be installed", zap.String("program", keeperProgram), zap.Error(err))
		return own
	case renewed:
		log.Info("the program is installed", zap.String("program", place.Program()))
	}
	return append([]string{place.Program()}, own...)
}

// databasesName is the folder, in the person's folder, with those of the keepers of databases.
const databasesName = "databases"

// keeperFolder returns where a keeper has its lock, socket and log: the folder itself, or for a database a folder in the person's
// folder.
func keeperFolder(place string, env func(string) string) (string, error) {
	if !store.IsDatabase(place) {
		return place, nil
	}
	own, err := storageFolder("", env)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(own, databasesName, hex.EncodeToString(sum[:12])), nil
}

// graceVariable overrides how long questions of bound sessions wait for their clients after a restart.
const graceVariable = "FOLLOWUP_KEEPER_GRACE"

// pushPrivateVariable, if not empty, permits push services in private networks and without encryption.
const pushPrivateVariable = "FOLLOWUP_PUSH_PRIVATE"

// hostOptions returns the options of a keeper, in any process.
func hostOptions(env func(string) string, log *zap.Logger) server.Options {
	grace, _ := time.ParseDuration(env(graceVariable)) // zero means the default
	contact, err := pushContact(env)
	if err != nil {
		log.Warn("push services get the usual contact", zap.Error(err))
	}
	return server.Options{
		Log: log, Version: version(), PID: os.Getpid(), OpenStore: openEngine, Env: env, Grace: grace, NewID: newID,
		PushPrivate: env(pushPrivateVariable) != "", PushContact: contact,
	}
}

func (i *inbox) words(why error) string {
	var refusal *locale.Refusal
	if errors.As(why, &refusal) {
		return refusal.In(i.speak)
	}
	return why.Error()
}

func (i *inbox) outsideNotice(params json.RawMessage) {
	var p relay.OutsideParams
	if i.outside != nil && json.Unmarshal(params, &p) == nil {
		go i.outside(p)
	}
}

// ownSidecar is a command's connection to the keeper or to a hub.
type ownSidecar struct {
	conn  *rpc.Conn
	input io.Closer
	ended chan struct{}
	// client is the command's name in the history.
	client string
	// hung is called with the user's words when the keeper does not answer, perhaps repeatedly. Optional; set before greet.
	hung func(words string)
}

// startOwnSidecar returns a connection to the keeper, or to hub if it is not nil. The router handles its messages. The caller calls
// greet next.
func startOwnSidecar(p process, log *zap.Logger, router *rpc.Router, hub *hubclient.Options) *ownSidecar {
	toSidecar, fromUs := io.Pipe()
	toUs, fromSidecar := io.Pipe()
	s := &ownSidecar{input: fromUs, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer func() { _ = fromSidecar.Close() }()
		if hub != nil {
			link := *hub
			link.In, link.Out = toSidecar, fromSidecar
			hubclient.Serve(context.Background(), link)
			return
		}
		reach := inbox{env: p.env, log: log, hung: func(words string) {
			if s.hung != nil {
				s.hung(words)
			}
		}}
		_ = reach.serve(context.Background(), toSidecar, fromSidecar) // its input is this process's
	}()
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toUs, Out: fromUs, Log: log})
	return s
}

// greet shakes hands. It sets the patience to unlimited, so no question expires unseen.
func (s *ownSidecar) greet(ctx context.Context, o protocol.InitializationOptions) error {
	o.ProtocolVersion = protocol.Version
	o.NotShownAfter = new(int)
	*o.NotShownAfter = -1
	if _, err := rpc.Call(ctx, s.conn, protocol.Initialize, protocol.InitializeParams{
		ClientInfo: lsp.ClientInfo{Name: s.client}, InitializationOptions: o,
	}); err != nil {
		return err
	}
	rpc.Notify(s.conn, protocol.Initialized, protocol.None{})
	return nil
}

// end closes the connection. Pending writes are finished first, and questions asked here become orphaned.
func (s *ownSidecar) end() {
	_ = s.input.Close()
	<-s.ended
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
