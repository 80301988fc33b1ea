package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/hub"
	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/store/postgres"
	"followup/internal/store/postgres/cluster"
	"followup/internal/store/sqlite"
)

// startCluster starts a database server that writes commits durably, on the temporary folder's disk.
func startCluster(settings ...string) (c *cluster.Cluster, end func()) {
	c, err := cluster.StartIn("/tmp", append([]string{
		cluster.Listen, "fsync=on", "full_page_writes=on", "autovacuum=on", "shared_buffers=256MB", "max_wal_size=1GB", "max_connections=100",
	}, settings...)...)
	check(err)
	return c, func() { check(c.Close()) }
}

// team is hubs on one store, each in its own process, and the teams that they serve.
type team struct {
	program, place string
	accounts       store.Store
	hubs           []*teamHub
}

type teamHub struct {
	process *exec.Cmd
	url     *url.URL
}

// buildProgram builds the program as shipped for servers.
func buildProgram(dir string) string {
	check(os.Setenv("CGO_ENABLED", "0")) // as in the Makefile
	program := filepath.Join(dir, "followup")
	command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/followup")
	return program
}

// startTeam opens a folder or a database for hubs.
func startTeam(program, place string) *team {
	t := &team{program: program, place: place}
	open := sqlite.Open
	if store.IsDatabase(place) {
		open = postgres.Open
	}
	var err error
	t.accounts, _, err = open(context.Background(), place, store.Options{})
	check(err)
	return t
}

// add starts another hub.
func (t *team) add() { t.hubs = append(t.hubs, t.start(t.place)) }

// start starts a hub on the store, which it reaches at place.
func (t *team) start(place string) *teamHub {
	h := &teamHub{process: exec.Command(t.program, "hub", "--json", "--name", "Bench", "--listen", "127.0.0.1:0", "--storage", place, "--log-level", "error")}
	h.process.Stderr = os.Stderr
	out, err := h.process.StdoutPipe()
	check(err)
	check(h.process.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	check(err)
	var printed struct{ URL string }
	check(json.Unmarshal(line, &printed))
	h.url, err = url.Parse(printed.URL)
	check(err)
	return h
}

func (t *team) end() {
	for _, h := range t.hubs {
		check(h.process.Process.Signal(os.Interrupt))
		check(h.process.Wait())
	}
	check(t.accounts.Close())
}

func (t *team) invite(name string, agent bool) (token string) {
	return t.inviteTo(hub.DefaultTeam, name, agent)
}

// inviteTo is invite for one of several teams.
func (t *team) inviteTo(team, name string, agent bool) (token string) {
	token, err := hub.Invite(context.Background(), t.accounts, hub.Invitation{Team: team, Name: name, Agent: agent})
	check(err)
	return token
}

// guest is a program connected to a hub with the product's own client.
type guest struct {
	conn    *rpc.Conn
	pending chan protocol.InboxItem
	end     func()
}

// come connects to a hub, and waits for the connection.
func (h *teamHub) come(token string) *guest {
	toClient, fromGuest := io.Pipe()
	toGuest, fromClient := io.Pipe()
	g := &guest{pending: make(chan protocol.InboxItem, 1<<12)}
	there, ended := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(there) })
	go func() {
		defer close(ended)
		hubclient.Serve(context.Background(), hubclient.Options{
			In: toClient, Out: fromClient, Log: zap.NewNop(), URL: h.url, Version: "bench", Locale: locale.English, First: 10 * time.Millisecond,
			Token: func() (string, error) { return token, nil },
			StateChanged: func(s hubclient.State) {
				if s.State == protocol.HubConnected {
					once()
				} else if s.State == protocol.HubRefused && s.Problem != "" {
					fmt.Fprintln(os.Stderr, "bench:", s.Problem) // until the hub has read the account
				}
			},
		})
		_ = fromClient.Close()
	}()
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, p protocol.InboxChange) error {
		for _, item := range p.Items {
			if item.State == protocol.ItemPending {
				g.pending <- item
			}
		}
		return nil
	})
	g.conn = rpc.Dial(context.Background(), router, rpc.Options{In: toGuest, Out: fromGuest, Log: zap.NewNop()})
	callGuest(g, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version}})
	rpc.Notify(g.conn, protocol.Initialized, protocol.None{})
	<-there
	g.end = func() {
		_ = fromGuest.Close()
		g.conn.Close()
		<-ended
	}
	return g
}

func callGuest[P, R any](g *guest, m protocol.Request[P, R], params P) R {
	result, err := rpc.Call(context.Background(), g.conn, m, params)
	check(err)
	return result
}

// agent and person are guests after the handshake.
func (h *teamHub) agent(token string) (g *guest, session string) {
	g = h.come(token)
	return g, callGuest(g, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "bench", Key: newID()}).Session
}

func (h *teamHub) person(token string) *guest {
	g := h.come(token)
	callGuest(g, protocol.InboxSubscribe, protocol.None{})
	return g
}

// ask asks a question, and reports when it is answered.
func (g *guest) ask(session, to string) (id string, answered <-chan error) {
	id = newID()
	came := make(chan error, 1)
	go func() {
		_, err := rpc.Call(context.Background(), g.conn, protocol.QuestionAsk, protocol.AskParams{
			Session: session, QuestionID: id, Tool: tool, Envelope: protocol.Envelope{To: to},
			Input: []byte(`{"question":"Which port?","follow_up":[{"text":"8080"},{"text":"3000"}]}`),
		})
		came <- err
	}()
	return id, came
}

// see waits for a question. It may be sent again, such as for its owner.
func (g *guest) see(id string) {
	for (<-g.pending).QuestionID != id {
	}
}

func (g *guest) click(id string) {
	first := 0
	result := callGuest(g, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &first})
	if !result.Accepted {
		check(errors.New("somebody else answered"))
	}
}
