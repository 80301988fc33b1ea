package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/protocol"
	"followup/internal/store"
)

// hubParts need a PostgreSQL server. The tests start their own on Linux.
var hubParts = []part{hubTrip, hubAnswers, hubTakeover, hubPages, hubIdle}

// tripsInTurn is the number of questions per turn. Its 99th percentile is the second largest.
const tripsInTurn = 200

var hubTrip = part{
	"hubs: a question asked at one hub, shown at another, clicked there, and delivered to the agent; the measure: the same by two hubs on one SQLite file",
	printHubTrip,
}

// crossing is a pair of hubs with an agent at one and a person at the other.
type crossing struct {
	team          *team
	agent, person *guest
	session       string
	// each are the durations from asked to shown, from clicked to accepted, from clicked to delivered, and in total.
	each [4][]time.Duration
}

func newCrossing(program, place string) *crossing {
	t := &crossing{team: startTeam(program, place)}
	agent, person := t.team.invite("ci", true), t.team.invite("Ann", false)
	t.team.add()
	t.team.add()
	t.agent, t.session = t.team.hubs[0].agent(agent)
	t.person = t.team.hubs[1].person(person)
	return t
}

func (t *crossing) end() {
	t.agent.end()
	t.person.end()
	t.team.end()
}

func (t *crossing) cross() {
	began := time.Now()
	id, answered := t.agent.ask(t.session, "")
	t.person.see(id)
	shown := time.Now()
	t.person.click(id)
	taken := time.Now()
	check(<-answered)
	delivered := time.Now()
	for i, took := range []time.Duration{shown.Sub(began), taken.Sub(shown), delivered.Sub(shown), delivered.Sub(began)} {
		t.each[i] = append(t.each[i], took)
	}
}

func printHubTrip(w io.Writer, turns int) {
	dir, err := os.MkdirTemp("/tmp", "followup-bench-") // on the same disk
	check(err)
	server, end := startCluster()
	program := buildProgram(dir)
	file, database := newCrossing(program, filepath.Join(dir, "hub")), newCrossing(program, server.Place("hub"))
	bare := newBareDatabase(server.Place("bare"))
	var commits []time.Duration
	for n := range (turns + 1) * tripsInTurn {
		time.Sleep(readFor) // within an account's rate limit
		for i := range 2 {
			if (i+n)%2 == 0 {
				file.cross()
			} else {
				database.cross()
			}
		}
		commits = append(commits, passed(bare.insert)())
		if n == tripsInTurn { // the first turn warms up
			commits = nil
			file.each, database.each = [4][]time.Duration{}, [4][]time.Duration{}
		}
	}
	slices.Sort(commits)
	at := func(times []time.Duration, part float64) float64 {
		return float64(times[int(float64(len(times)-1)*part)])
	}
	fmt.Fprintln(w, "  \tp50\tp99\tp50 by the bare commit\tSQLite's p50\tp99, here and now\t")
	for i, name := range []string{"asked to shown", "clicked to taken", "clicked to delivered", "asked to delivered"} {
		one, other := slices.Sorted(slices.Values(file.each[i])), slices.Sorted(slices.Values(database.each[i]))
		fmt.Fprintf(w, "  %s\t%.2f×\t%.2f×\t%.1f×\t%.1f ms\t%.1f ms, and %.1f ms by SQLite\t\n", name, at(other, 0.5)/at(one, 0.5), at(other, 0.99)/at(one, 0.99),
			at(other, 0.5)/at(commits, 0.5), at(one, 0.5)/1e6, at(other, 0.99)/1e6, at(one, 0.99)/1e6)
	}
	fmt.Fprintf(w, "  the bare commit of a row in PostgreSQL, p50 and p99, here and now\t%.2f ms\t%.2f ms\t\t\t\t\n", at(commits, 0.5)/1e6, at(commits, 0.99)/1e6)
	bare.end()
	file.end()
	database.end()
	end()
	check(os.RemoveAll(dir))
}

// bareDatabase inserts an outcome into a table without indexes, in its own transaction.
type bareDatabase struct {
	conn   *pgx.Conn
	sample store.Outcome
}

func newBareDatabase(place string) bareDatabase {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, place)
	check(err)
	for _, query := range []string{
		"CREATE SCHEMA bare", "SET synchronous_commit = on",
		"CREATE TABLE outcomes (key bigint, ord bigint, outcome text, provenance text, closed_at bigint, deleted_at bigint, images int, text text, answer bytea)",
	} {
		_, err := conn.Exec(ctx, query)
		check(err)
	}
	return bareDatabase{conn, outcomeOf(newID(), newWriter().sentence(6), time.Time{})}
}

func (b bareDatabase) insert() {
	o := b.sample
	_, err := b.conn.Exec(context.Background(), "INSERT INTO outcomes (ord, outcome, provenance, closed_at, images, text, answer) VALUES (1, $1, $2, $3, 0, $4, $5)",
		string(o.Outcome), string(o.Provenance), time.Now().UnixMilli(), o.Text, []byte(o.Answer))
	check(err)
}

func (b bareDatabase) end() { check(b.conn.Close(context.Background())) }

const (
	teams = 8
	// pairs is how many agents, each with a person, ask concurrently in all teams together.
	pairs = 32
	// pairTrips is how many questions each asks in a turn, within an account's burst limit.
	pairTrips = 20
	// settling is how long hubs take to agree on the teams' keepers.
	settling = 6 * time.Second
)

var hubAnswers = part{
	fmt.Sprintf("hubs: %d agents in %d teams ask at once, each a person of its own, %d times; the measure: through one hub on the same PostgreSQL database",
		pairs, teams, pairTrips),
	printHubAnswers,
}

func teamName(n int) string { return fmt.Sprint("team-", n%teams) }

func printHubAnswers(w io.Writer, turns int) {
	dir, err := os.MkdirTemp("/tmp", "followup-bench-")
	check(err)
	server, end := startCluster("max_connections=400")
	program := buildProgram(dir)
	var contenders []contender
	var ends []func()
	var spent []time.Duration
	for n, count := range []int{1, 2, 4} {
		t := startTeam(program, server.Place(fmt.Sprint("hubs", count)))
		ends = append(ends, t.end)
		tokens := make([][2]string, pairs)
		for i := range tokens {
			tokens[i] = [2]string{t.inviteTo(teamName(i), fmt.Sprint("agent ", i), true), t.inviteTo(teamName(i), fmt.Sprint("person ", i), false)}
		}
		for range count {
			t.add()
		}
		time.Sleep(settling)
		type pair struct {
			agent, person *guest
			session, name string
		}
		var all []pair
		for i, token := range tokens {
			p := pair{name: fmt.Sprint("person ", i)}
			p.agent, p.session = t.hubs[i%count].agent(token[0])
			p.person = t.hubs[(i+1)%count].person(token[1])
			ends = append(ends, p.agent.end, p.person.end)
			all = append(all, p)
		}
		used := func() (all time.Duration) {
			for _, h := range t.hubs {
				all += spentBy(h.process.Process.Pid)
			}
			return all
		}
		spent = append(spent, 0)
		contenders = append(contenders, contender{name: fmt.Sprintf("answers in a second, hubs: %d", count), turn: passed(func() {
			before := used()
			var group sync.WaitGroup
			for _, p := range all {
				group.Go(func() {
					for range pairTrips {
						id, answered := p.agent.ask(p.session, p.name)
						p.person.see(id)
						p.person.click(id)
						check(<-answered)
					}
				})
			}
			group.Wait()
			spent[n] += used() - before
		})})
	}
	medians := measure(contenders, turns)
	for i, c := range contenders {
		each := spent[i] / time.Duration((turns+1)*pairs*pairTrips)
		fmt.Fprintf(w, "  %s\t%.2f×\t%.0f, here and now\t%.2f× the processor for each, %s\t\n", c.name, float64(medians[0])/float64(medians[i]),
			pairs*pairTrips/medians[i].Seconds(), float64(spent[i])/float64(spent[0]), each.Round(time.Microsecond))
	}
	slices.Reverse(ends)
	for _, end := range ends {
		end()
	}
	end()
	check(os.RemoveAll(dir))
}

var hubTakeover = part{
	fmt.Sprintf("hubs: of two, one is killed or loses its link to PostgreSQL; from then until a question of a team that it kept is asked and answered at the other, of %d teams", teams),
	printHubTakeover,
}

func printHubTakeover(w io.Writer, turns int) {
	dir, err := os.MkdirTemp("/tmp", "followup-bench-")
	check(err)
	server, end := startCluster("max_connections=400")
	t := startTeam(buildProgram(dir), server.Place("takeover"))
	direct, err := pgx.Connect(context.Background(), server.Place("takeover"))
	check(err)
	type pair struct{ agent, person string }
	all := map[string]pair{}
	for n := range teams {
		all[teamName(n)] = pair{t.inviteTo(teamName(n), "ci", true), t.inviteTo(teamName(n), "Ann", false)}
	}
	t.add()
	kept := func(at *teamHub) (names []string) {
		for name := range all {
			address := ""
			_ = direct.QueryRow(context.Background(), "SELECT address FROM "+pgx.Identifier{"takeover_" + name, "keeper"}.Sanitize()).Scan(&address) // or no hub yet
			if address == strings.TrimSuffix(at.url.String(), "/") {
				names = append(names, name)
			}
		}
		return names
	}
	for _, fault := range []string{"killed", "a half-open link"} {
		var took []time.Duration
		for range turns {
			link := newLink(server.Address())
			victim := t.start(server.PlaceAt(link.listener.Addr().String(), "takeover"))
			var names []string
			for len(names) == 0 {
				time.Sleep(settling)
				names = kept(victim)
			}
			type trip struct {
				agent, person *guest
				session       string
			}
			var trips []trip
			for _, name := range names {
				one := trip{person: t.hubs[0].person(all[name].person)}
				one.agent, one.session = t.hubs[0].agent(all[name].agent)
				trips = append(trips, one)
			}
			began := time.Now()
			if fault == "killed" {
				check(victim.process.Process.Kill())
			} else {
				link.lose()
			}
			var mu sync.Mutex
			var group sync.WaitGroup
			for _, one := range trips {
				group.Go(func() {
					id, answered := one.agent.ask(one.session, "")
					one.person.see(id)
					first := 0
					callGuest(one.person, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: &first})
					check(<-answered)
					mu.Lock()
					defer mu.Unlock()
					took = append(took, time.Since(began))
				})
			}
			group.Wait()
			_ = victim.process.Process.Kill()
			_ = victim.process.Wait() // it was killed
			link.close()
			for _, one := range trips {
				one.agent.end()
				one.person.end()
			}
		}
		slices.Sort(took)
		fmt.Fprintf(w, "  %s\tp50 %.1f s\tworst %.1f s\t%d teams\t\n", fault, took[len(took)/2].Seconds(), took[len(took)-1].Seconds(), len(took))
	}
	check(direct.Close(context.Background()))
	t.end()
	end()
	check(os.RemoveAll(dir))
}

// link carries connections to a server until it is lost: then they stay open and carry nothing, like new ones.
type link struct {
	listener net.Listener
	lost     chan struct{}
	lose     func()

	mu   sync.Mutex
	open []net.Conn
}

func newLink(to string) *link {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	l := &link{listener: listener, lost: make(chan struct{})}
	l.lose = sync.OnceFunc(func() { close(l.lost) })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			check(err)
			l.mu.Lock()
			l.open = append(l.open, near, far)
			l.mu.Unlock()
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
		select {
		case <-l.lost:
			return // without closing either end
		default:
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

func (l *link) close() {
	_ = l.listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.open {
		_ = conn.Close()
	}
}

const (
	idleAgents = 1000
	idleEach   = 200 // connections per account; the limit is 256
)

var hubIdle = part{
	fmt.Sprintf("hubs: %d agents connected to a hub that have nothing to do; the measure: another hub on the same database, to which nobody is", idleAgents),
	printHubIdle,
}

func printHubIdle(w io.Writer, _ int) {
	dir, err := os.MkdirTemp("/tmp", "followup-bench-")
	check(err)
	server, end := startCluster()
	t := startTeam(buildProgram(dir), server.Place("idle"))
	var tokens []string
	for i := range idleAgents / idleEach {
		tokens = append(tokens, t.invite(fmt.Sprint("agent ", i), true))
	}
	t.add()
	t.add()
	var guests []*guest
	for i := range idleAgents {
		g, _ := t.hubs[0].agent(tokens[i%len(tokens)])
		guests = append(guests, g)
	}
	time.Sleep(calm)
	spent := func(h *teamHub) time.Duration { return spentBy(h.process.Process.Pid) }
	own := func(h *teamHub) float64 { return memoryOf(h.process.Process.Pid, "Private_Dirty:", "Private_Clean:") }
	before := []time.Duration{spent(t.hubs[0]), spent(t.hubs[1])}
	time.Sleep(*idle)
	share := func(i int) float64 { return 100 * (spent(t.hubs[i]) - before[i]).Seconds() / idle.Seconds() }
	with, without := share(0), share(1)
	fmt.Fprintf(w, "  memory of its own\t%.2f×\t%.1f MiB by %.1f MiB: %.0f KiB each\n", own(t.hubs[0])/own(t.hubs[1]), own(t.hubs[0]), own(t.hubs[1]),
		(own(t.hubs[0])-own(t.hubs[1]))*1024/idleAgents)
	fmt.Fprintf(w, "  processor, over %s\t%.2f %% of a core\t%.2f %% without them\n", *idle, with, without)
	for _, g := range guests {
		g.end()
	}
	t.end()
	end()
	check(os.RemoveAll(dir))
}
