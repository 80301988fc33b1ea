package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
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
	"followup/internal/store/sqlstore"
)

// hubBenchmarks need a PostgreSQL server. The tests start their own on Linux.
var hubBenchmarks = []benchmark{
	{"hubs: a question asked at one hub, shown at another, clicked there, and delivered to the agent; the measure: the same by two hubs on one SQLite file", measureHubTrip},
	{fmt.Sprintf("hubs: %d agents in %d teams ask concurrently, each its own person, %d times; the measure: through one hub on the same PostgreSQL database",
		askers, teams, askerTrips), measureHubAnswers},
	{fmt.Sprintf("hubs: of two, one is killed or loses its link to PostgreSQL; from then until a question of a team that it kept is asked and answered at the other, of %d teams",
		teams), measureTakeover},
	{"the store in PostgreSQL: a page of the history, in the large store and in a small one; the measure: the newest 50 of the same store, by key", func(t *table) {
		server := t.startCluster()
		t.comparePages(t.openDatabase(server.Place("few"), fewEntries), t.openDatabase(server.Place("many"), *entries))
	}},
	{fmt.Sprintf("hubs: %d idle agents connected to a hub, and the hub before that", idleAgents), measureIdleAgents},
}

const (
	teams = 8
	// askers is how many agents, each with a person, ask concurrently in all teams together.
	askers = 32
	// askerTrips is how many questions each asks in a turn, within an account's burst limit.
	askerTrips = 20
	// settling is how long hubs take to agree on the teams' keepers.
	settling   = 6 * time.Second
	idleAgents = 1000
	idleEach   = 200 // connections per account; the limit is 256
)

// startCluster starts a database server that writes commits durably, on the temporary folder's disk.
func (t *table) startCluster() *cluster.Cluster {
	c, err := cluster.StartIn("/tmp", cluster.Listen, "fsync=on", "full_page_writes=on", "autovacuum=on", "shared_buffers=256MB", "max_wal_size=1GB", "max_connections=400")
	check(err)
	t.cleanup(func() { check(c.Close()) })
	return c
}

// hubs are hubs on one store, each in its own process.
type hubs struct {
	table          *table
	program, place string
	accounts       store.Store
	urls           []*url.URL
	pids           []int
}

// openPlace opens the store in a folder or a database, until the end of the benchmark.
func (t *table) openPlace(place string) store.Store {
	open := sqlite.Open
	if store.IsDatabase(place) {
		open = postgres.Open
	}
	s, _, err := open(context.Background(), place, store.Options{})
	check(err)
	t.cleanup(func() { check(s.Close()) })
	return s
}

// newHubs prepares hubs on the store in a place.
func (t *table) newHubs(program, place string) *hubs {
	return &hubs{table: t, program: program, place: place, accounts: t.openPlace(place)}
}

// start starts a hub that reaches the store at place.
func (h *hubs) start(place string) (*process, *url.URL) {
	p := start(h.program, "hub", "--json", "--name", "Bench", "--listen", "127.0.0.1:0", "--storage", place, "--log-level", "error")
	h.table.cleanup(func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // or it was killed
		_ = p.cmd.Wait()
	})
	var printed struct{ URL string }
	check(json.NewDecoder(p.out).Decode(&printed))
	address, err := url.Parse(printed.URL)
	check(err)
	return p, address
}

// add starts hubs.
func (h *hubs) add(count int) {
	for range count {
		p, address := h.start(h.place)
		h.urls, h.pids = append(h.urls, address), append(h.pids, p.pid())
	}
}

func (h *hubs) invite(team, name string, agent bool) (token string) {
	token, err := hub.Invite(context.Background(), h.accounts, hub.Invitation{Team: team, Name: name, Agent: agent})
	check(err)
	return token
}

// A pair is an agent and the person whom it asks.
type pair struct {
	hubs          *hubs
	tokens        [2]string
	name          string // the person's
	agent, person *peer
}

// pairs invites pairs, each to the next one of the teams.
func (h *hubs) pairs(count int) (all []*pair) {
	for n := range count {
		p := &pair{hubs: h, name: fmt.Sprint("person ", n)}
		p.tokens = [2]string{h.invite(teamName(n), fmt.Sprint("agent ", n), true), h.invite(teamName(n), p.name, false)}
		all = append(all, p)
	}
	return all
}

func teamName(n int) string { return fmt.Sprint("team-", n%teams) }

// connect connects both to hubs.
func (p *pair) connect(agentAt, personAt int) {
	p.agent, p.person = p.hubs.connect(agentAt, p.tokens[0]), p.hubs.connect(personAt, p.tokens[1])
	p.agent.newSession()
	p.person.subscribe()
}

func (p *pair) exchange() { exchange(p.agent, p.person, p.name) }

// connect connects to a hub with the product's own client until the end of the table, and waits for the connection.
func (h *hubs) connect(at int, token string) *peer {
	toClient, fromGuest := io.Pipe()
	toGuest, fromClient := io.Pipe()
	there, ended := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(there) })
	go func() {
		defer close(ended)
		hubclient.Serve(context.Background(), hubclient.Options{
			In: toClient, Out: fromClient, Log: zap.NewNop(), URL: h.urls[at], Version: "bench", Locale: locale.English, First: 10 * time.Millisecond,
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
	p := dial(toGuest, fromGuest, "")
	rpc.Notify(p.conn, protocol.Initialized, protocol.None{})
	<-there
	h.table.cleanup(func() {
		_ = fromGuest.Close()
		p.conn.Close()
		<-ended
	})
	return p
}

func measureHubTrip(t *table) {
	dir, server := t.folder("/tmp"), t.startCluster() // on the same disk
	program := build(dir, "./cmd/followup", "")
	var phases [3][2]*row
	trip := func(at int, place string) func() float64 {
		h := t.newHubs(program, place)
		p := h.pairs(1)[0]
		h.add(2)
		p.connect(0, 1)
		add := func(phase int, since time.Time) {
			r := phases[phase][at]
			r.samples = append(r.samples, time.Since(since).Seconds())
		}
		return func() float64 {
			time.Sleep(readFor) // within an account's rate limit
			began := time.Now()
			id, answered := p.agent.ask("")
			p.person.see(id)
			add(0, began)
			shown := time.Now()
			p.person.click(id)
			add(1, shown)
			check(<-answered)
			add(2, shown)
			return time.Since(began).Seconds()
		}
	}
	t.measure("asked to delivered, by SQLite", trip(0, filepath.Join(dir, "hub")))
	whole := t.row("asked to delivered", "", trip(1, server.Place("hub")))
	for i, name := range []string{"asked to shown", "clicked to accepted", "clicked to delivered"} {
		phases[i] = [2]*row{t.measure(name+", by SQLite", nil), t.row(name, "", nil)}
	}
	bare := t.measure("the bare commit of a row in PostgreSQL", timed(newBareDatabase(t, server.Place("bare"))))
	for _, r := range []*row{whole, phases[0][1], phases[1][1], phases[2][1]} {
		t.compared(r.name+", by the bare commit", "", r, bare)
	}
	t.alternate(answersInTurn, nil)
}

// newBareDatabase returns a function that inserts an outcome into a table without indexes, in its own transaction.
func newBareDatabase(t *table, place string) func() {
	conn := t.connectDatabase(place)
	run := func(query string, args ...any) {
		_, err := conn.Exec(context.Background(), query, args...)
		check(err)
	}
	run("CREATE SCHEMA bare")
	run("SET synchronous_commit = on")
	run("CREATE TABLE outcomes (outcome text, provenance text, closed_at bigint, text text, answer bytea)")
	o := outcomeOf(newID(), newWriter().sentence(6), time.Time{})
	return func() {
		run("INSERT INTO outcomes VALUES ($1, $2, $3, $4, $5)", string(o.Outcome), string(o.Provenance), time.Now().UnixMilli(), o.Text, []byte(o.Answer))
	}
}

func (t *table) connectDatabase(place string) *pgx.Conn {
	conn, err := pgx.Connect(context.Background(), place)
	check(err)
	t.cleanup(func() { check(conn.Close(context.Background())) })
	return conn
}

func measureHubAnswers(t *table) {
	server := t.startCluster()
	program := build(t.folder(""), "./cmd/followup", "")
	for _, count := range []int{1, 2, 4} {
		h := t.newHubs(program, server.Place(fmt.Sprint("hubs", count)))
		all := h.pairs(askers)
		h.add(count)
		time.Sleep(settling)
		for n, p := range all {
			p.connect(n%count, (n+1)%count)
		}
		spent := t.row(fmt.Sprintf("processor for each answer, hubs: %d", count), "", nil)
		rate := t.row(fmt.Sprintf("answers, hubs: %d", count), "", func() float64 {
			began, before := time.Now(), processor(h.pids...)
			var asking sync.WaitGroup
			for _, p := range all {
				asking.Go(func() {
					for range askerTrips {
						p.exchange()
					}
				})
			}
			asking.Wait()
			spent.samples = append(spent.samples, (processor(h.pids...)-before)/(askers*askerTrips))
			return askers * askerTrips / time.Since(began).Seconds()
		})
		rate.unit, spent.by, rate.by = "in a second", t.rows[0], t.rows[1]
	}
	t.alternate(1, nil)
}

func measureTakeover(t *table) {
	server := t.startCluster()
	h := t.newHubs(build(t.folder(""), "./cmd/followup", ""), server.Place("takeover"))
	direct := t.connectDatabase(server.Place("takeover"))
	all := h.pairs(teams)
	h.add(1)
	for _, p := range all {
		p.connect(0, 0)
	}
	for _, fault := range []string{"killed", "a half-open link"} {
		r := t.figure(fault, "", "s")
		for range t.turns {
			link := newLink(server.Address())
			victim, address := h.start(server.PlaceAt(link.Addr().String(), "takeover"))
			var kept []*pair
			for len(kept) == 0 {
				time.Sleep(settling)
				for n, p := range all {
					keeper := ""
					_ = direct.QueryRow(context.Background(), "SELECT address FROM "+pgx.Identifier{"takeover_" + teamName(n), "keeper"}.Sanitize()).Scan(&keeper) // or no hub yet
					if keeper == strings.TrimSuffix(address.String(), "/") {
						kept = append(kept, p)
					}
				}
			}
			began := time.Now()
			if fault == "killed" {
				check(victim.cmd.Process.Kill())
			} else {
				link.lost.Store(true)
			}
			took := make([]float64, len(kept))
			var asking sync.WaitGroup
			for n, p := range kept {
				asking.Go(func() {
					p.exchange()
					took[n] = time.Since(began).Seconds()
				})
			}
			asking.Wait()
			r.samples = append(r.samples, took...)
			_ = victim.cmd.Process.Kill() // unless it was
			check(link.Close())
		}
	}
}

// link forwards connections to a server until it is lost. Then these and new ones stay open, and it forwards nothing.
type link struct {
	net.Listener
	lost atomic.Bool
}

func newLink(to string) *link {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	l := &link{Listener: listener}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			check(err)
			go l.pass(near, far)
			go l.pass(far, near)
		}
	}()
	return l
}

func (l *link) pass(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if l.lost.Load() {
			return // without closing either end
		}
		if err == nil {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

func measureIdleAgents(t *table) {
	server := t.startCluster()
	h := t.newHubs(build(t.folder(""), "./cmd/followup", ""), server.Place("idle"))
	all := h.pairs(idleAgents / idleEach)
	h.add(1)
	share := idleShares(h.pids)[0]
	before := memory(h.pids[0], private...)
	for i := range idleAgents {
		h.connect(0, all[i%len(all)].tokens[0]).newSession()
	}
	t.figure(fmt.Sprintf("processor, over %s, without agents", *watched), "", "% of a core", share...)
	t.figure(fmt.Sprintf("processor, over %s", *watched), "at most 2 %", "% of a core", idleShares(h.pids)[0]...)
	after := memory(h.pids[0], private...)
	t.figure("private memory, without agents", "", "B", before...)
	t.figure("private memory", "", "B", after...)
	t.figure("the difference, for each agent", "about 90 KiB", "B", (after[0]-before[0])/idleAgents)
}

// filledDatabase is how many questions of a history in a database are imported; a larger one contains copies of these.
const filledDatabase = 5000

// openDatabase creates a store with a history of count questions in a database.
func (t *table) openDatabase(place string, count int) store.Store {
	s, conn := t.openPlace(place), t.connectDatabase(place)
	fillStore(s, min(count, filledDatabase))
	run := func(query string, args ...any) {
		_, err := conn.Exec(context.Background(), query, args...)
		check(err)
	}
	if copies := count/filledDatabase - 1; copies > 0 {
		run("DROP INDEX search_tokens") // rebuilt at the end
		const shift = int64(filledDatabase * interval / time.Millisecond)
		run(`INSERT INTO entries SELECT (jsonb_populate_record(e, jsonb_build_object('ord', ord + c * $1, 'id', id || '-' || c,
			'key', key + c * $2 * $3::bigint, 'closed_at', closed_at + c * $2::bigint))).* FROM entries e, generate_series(1, $4::bigint) c`,
			filledDatabase, shift, sqlstore.KeysPerMilli, copies)
		run("INSERT INTO search SELECT rowid + c * $1::bigint, tokens FROM search, generate_series(1, $2::bigint) c", shift*sqlstore.KeysPerMilli, copies)
		run("CREATE INDEX search_tokens ON search USING gin (tokens)")
	}
	run("VACUUM ANALYZE")
	return s
}
