//go:build soak && !nohub && !nopostgres

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"followup/internal/protocol"
	"followup/internal/store/postgres/cluster"
	"followup/internal/waits"
)

// hubs are hubs of the real binary on one database. People and agents share one passage to them. Each hub has its own passage to
// the database, and one from the other hubs.
type hubs struct {
	t        *testing.T
	server   *cluster.Cluster
	schema   string
	front    *passage
	database []*passage
	between  []*passage
	binaries []string
	commands []*exec.Cmd
	logs     []*processLog
	targets  []string // empty: the hub is not running
	held     []heldUp
}

func startHubs(t *testing.T, count int, seed uint64, settings ...string) *hubs {
	t.Helper()
	server, err := cluster.Start(append(settings, cluster.Listen, "max_connections=300")...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	h := &hubs{
		t: t, server: server, schema: "hubs", commands: make([]*exec.Cmd, count), logs: make([]*processLog, count), targets: make([]string, count),
	}
	passages := uint64(0)
	passage := func() *passage {
		passages++
		p, err := newPassage(rand.New(rand.NewPCG(seed, passages))) //nolint:gosec // not for security
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.close)
		return p
	}
	h.front = passage()
	for range count {
		h.database, h.between, h.binaries = append(h.database, passage()), append(h.between, passage()), append(h.binaries, binary)
		h.database[len(h.database)-1].lead(server.Address())
	}
	return h
}

// place returns the database's address without a passage.
func (h *hubs) place() string { return h.server.Place(h.schema) }

func (h *hubs) start(i int) {
	h.t.Helper()
	command := exec.Command(h.binaries[i], "hub", "--json", "--name", "Team", "--listen", "127.0.0.1:0",
		"--host", "127.0.0.1", "--host", "http://"+h.front.address(), "--address", "http://"+h.between[i].address(),
		"--storage", h.server.PlaceAt(h.database[i].address(), h.schema))
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // with the test's thread, which the cluster keeps
	origin, _, log := serves(h.t, command)
	h.commands[i], h.logs[i], h.targets[i] = command, log, strings.TrimSuffix(strings.TrimPrefix(origin, "http://"), "/")
	h.lead()
}

// kill kills a hub.
func (h *hubs) kill(i int) {
	h.targets[i] = ""
	h.lead()
	_ = h.commands[i].Process.Kill()
	_ = h.commands[i].Wait() // it returns that the process was killed
}

func (h *hubs) lead() {
	running := func(target string) bool { return target != "" }
	h.front.lead(slices.DeleteFunc(slices.Clone(h.targets), func(target string) bool { return !running(target) })...)
	for i, p := range h.between {
		if running(h.targets[i]) {
			p.lead(h.targets[i])
		} else {
			p.lead()
		}
	}
}

// keeper returns the hub that keeps a team or kept it last; 0 if none has.
func (h *hubs) keeper(team string) int {
	h.t.Helper()
	conn, err := pgx.Connect(h.t.Context(), h.place())
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	address := ""
	_ = conn.QueryRow(h.t.Context(), "SELECT address FROM "+pgx.Identifier{h.schema + "_" + team, "keeper"}.Sanitize()).Scan(&address) // there may be no row yet
	return max(0, slices.IndexFunc(h.between, func(p *passage) bool { return address == "http://"+p.address() }))
}

func (h *hubs) invite(team, name string, args ...string) (token string) {
	h.t.Helper()
	status, token, stderr := shell(h.t, h.place(), append([]string{"hub", "invite", name, "--team", team}, args...)...)
	if status != 0 {
		h.t.Fatal(stderr)
	}
	return strings.TrimSpace(token)
}

// The faults are numbered in the order in which they are drawn.
const (
	killOne = iota
	killItsKeeper
	killAll
	stopDatabase
	killWhileStopped
	cutPeople
	cutDatabase
	cutHubs
	holdPeople
	holdDatabase
	loseDatabase
	killWhileHeld
	freeze
	faults
)

// fault causes a fault of a hub or of a team's keeper, and undoes it. lasts returns the duration, up to a maximum. Stalled links
// are released later.
func (h *hubs) fault(kind, hub int, team string, part float64, lasts func(time.Duration) time.Duration, later func(time.Duration, func())) {
	h.t.Helper()
	wait := func(most time.Duration) {
		if long := lasts(most); long > 0 {
			<-time.After(long) // the duration is the point of the long run
		}
	}
	stopped := func(meanwhile func()) {
		if err := h.server.Stop(); err != nil {
			h.t.Fatal(err)
		}
		meanwhile()
		wait(10 * time.Second)
		if err := h.server.Run(); err != nil {
			h.t.Fatal(err)
		}
	}
	const held = 30 * time.Second
	switch kind {
	case killOne, killItsKeeper:
		if kind == killItsKeeper {
			hub = h.keeper(team)
		}
		h.kill(hub)
		wait(10 * time.Second)
		h.start(hub)
	case killAll:
		for i := range h.commands {
			h.kill(i)
		}
		wait(5 * time.Second)
		for i := range h.commands {
			h.start((hub + i) % len(h.commands))
		}
	case stopDatabase:
		stopped(func() {})
	case killWhileStopped:
		stopped(func() {
			h.kill(hub)
			h.start(hub)
		})
	case cutPeople:
		h.front.cut(part)
	case cutDatabase:
		h.database[hub].cut(part)
	case cutHubs: // while the database stays available
		h.between[hub].lead()
		h.between[hub].cut(1)
		later(lasts(held), h.lead)
	case holdPeople:
		later(lasts(held), h.front.hold(part))
	case holdDatabase:
		later(lasts(held), h.database[hub].hold(part))
	case loseDatabase: // half open: neither end notices, and new connections fail
		later(lasts(held), h.database[h.keeper(team)].lose())
	case killWhileHeld:
		letGo := h.database[hub].hold(part)
		h.kill(hub)
		h.start(hub)
		later(lasts(held), letGo)
	case freeze:
		process := h.commands[h.keeper(team)].Process
		_ = process.Signal(syscall.SIGSTOP)
		wait(60 * time.Second)
		_ = process.Signal(syscall.SIGCONT)
	}
}

// Agents ask and people answer every question that they see, concurrently, in eight teams, through two hubs and through four on
// one database. Meanwhile the test kills, stops and disconnects the hubs, and restarts the database. Each question is answered
// once and none is lost. Each agent gets only the answer in the history, nobody sees questions for other people or teams, and all
// times are the database's. With FOLLOWUP_SOAK it asks 10,000 questions, stalls links for up to 30 s, and sets one hub's clock an
// hour ahead; otherwise it asks few questions and causes each fault once. FOLLOWUP_SEED repeats a run's faults. It needs the tag
// soak, since waiting for dead links takes long.
func TestHubsAreKilled(t *testing.T) {
	t.Parallel()
	for _, count := range []int{2, 4} {
		t.Run(fmt.Sprint(count), func(t *testing.T) { hubsAreKilled(t, count) })
	}
}

func hubsAreKilled(t *testing.T, count int) {
	soak := os.Getenv("FOLLOWUP_SOAK") != ""
	total, conversations := 48, 1
	if soak {
		total, conversations = 10_000, 2
	}
	total = number(t, "FOLLOWUP_HUB_QUESTIONS", total)
	seed := uint64(number(t, "FOLLOWUP_SEED", int(rand.Uint32()))) //nolint:gosec // any seed will do
	random := rand.New(rand.NewPCG(seed, 9))                       //nolint:gosec // not for security
	t.Logf("FOLLOWUP_SEED=%d", seed)
	settings := []string{}
	if soak {
		settings = append(settings, "fsync=on", "full_page_writes=on", "autovacuum=on")
	}
	h := startHubs(t, count, seed, settings...)
	if soak {
		h.binaries[1] = ahead(t)
	}
	base, err := url.Parse("http://" + h.front.address())
	if err != nil {
		t.Fatal(err)
	}
	const teams, agents = 8, 2
	var all ledgers
	var people, programs []*soul
	progress := make(chan struct{}, 1)
	for n := range teams {
		l := newLedger(fmt.Sprint("team-", n), progress)
		all = append(all, l)
		come := func(name string, args ...string) *soul {
			s := &soul{ledger: l, name: name, token: h.invite(l.team, name, args...), base: base, first: 10 * time.Millisecond, last: 100 * time.Millisecond}
			if soak {
				s.first, s.last = 500*time.Millisecond, 10*time.Second
			}
			return s
		}
		people = append(people, come("Ann", "--group", "ops"), come("Bob", "--group", "ops"), come("Zoë"))
		for n := range agents {
			programs = append(programs, come(fmt.Sprint("agent ", n), "--agent"))
		}
	}
	each := max(1, total/teams/agents/conversations)
	total = each * teams * agents * conversations
	for i := range count {
		h.start(i)
	}
	began := time.Now()
	ctx, end := context.WithCancel(t.Context())
	var answering, asking sync.WaitGroup
	for _, p := range people {
		answering.Go(func() { p.answers(ctx) })
	}
	for _, p := range programs {
		asking.Go(func() { p.asks(ctx, conversations, each) })
	}
	done := make(chan struct{})
	go func() {
		asking.Wait()
		close(done)
	}()
	defer func() {
		end()
		answering.Wait()
		asking.Wait()
	}()

	counts := make([]int, faults)
	if soak {
		h.soak(random, all, done, total, counts)
	} else {
		h.each(random, all, done, total, counts)
	}
	end()
	answering.Wait()
	late, lost := 0, 0
	for _, l := range all {
		l.check(t, h.place(), total/teams, began)
		late, lost = late+l.late, lost+l.lost
	}
	t.Logf("%d questions in %s, faults by kind %v, %d answers too late, %d unheard of", all.answered(), time.Since(began).Round(time.Second), counts, late, lost)
	if t.Failed() {
		for i, log := range h.logs {
			h.kill(i)
			text := log.String()
			t.Logf("the log of hub %d ends:\n%s", i, text[max(0, len(text)-8000):])
		}
	}
}

// each causes every fault once, in a random order, spread over the questions, without waiting for anything else. During a stall,
// it causes the next fault at once, and then ends the stall.
func (h *hubs) each(random *rand.Rand, all ledgers, done <-chan struct{}, total int, counts []int) {
	h.t.Helper()
	var held []func()
	letGo := func(all []func()) {
		for _, one := range all {
			one()
		}
	}
	defer func() { letGo(held) }()
	waits.Until(h.t, "a question is answered", func() bool { return all.answered() > 0 })
	for n, kind := range random.Perm(faults) {
		for len(held) == 0 && all.answered() < n*total/faults/2 {
			select {
			case <-done:
				return
			case <-all[0].progress:
			case <-time.After(waits.Patience):
				h.t.Errorf("%d of %d questions were answered; there is no progress", all.answered(), total)
				return
			}
		}
		counts[kind]++
		h.t.Logf("%s: fault %d, %d answered", time.Now().Format(time.TimeOnly), kind, all.answered())
		before := held
		held = nil
		h.fault(kind, random.IntN(len(h.commands)), all[random.IntN(len(all))].team, random.Float64(), func(time.Duration) time.Duration { return 0 },
			func(_ time.Duration, one func()) { held = append(held, one) })
		letGo(before)
	}
	letGo(held)
	waits.For(h.t, done)
}

// soak causes faults until every question is answered: all kinds in a random order, and then again in another order.
func (h *hubs) soak(random *rand.Rand, all ledgers, done <-chan struct{}, total int, counts []int) {
	h.t.Helper()
	lasts := func(most time.Duration) time.Duration { return time.Duration(random.Int64N(int64(most))) }
	later := func(after time.Duration, letGo func()) {
		h.held = append(h.held, heldUp{time.Now().Add(after), letGo})
	}
	defer h.letGo(time.Time{})
	const stuck = 10 * time.Minute
	answered, wrong, last, logged := 0, 0, time.Now(), time.Now()
	var next []int // kinds
	for {
		select {
		case <-done:
			return
		case <-time.After(lasts(3 * time.Second)):
		}
		h.letGo(time.Now())
		if now := all.answered(); now != answered {
			answered, last = now, time.Now()
		}
		if time.Since(logged) > 30*time.Second {
			logged = time.Now()
			h.t.Logf("%d of %d, faults %v", answered, total, counts)
		}
		before := wrong
		wrong = 0
		for _, l := range all {
			l.note(func() { wrong += len(l.wrong) })
		}
		if wrong > before {
			h.t.Logf("after the faults %v: %d wrong messages", counts, wrong)
		}
		if time.Since(last) > stuck || wrong > 20 {
			h.t.Errorf("%d of %d questions were answered; there is no progress; %d messages were wrong", answered, total, wrong)
			return
		}
		if len(next) == 0 {
			next = random.Perm(faults)
		}
		kind := next[0]
		next = next[1:]
		counts[kind]++
		h.fault(kind, random.IntN(len(h.commands)), all[random.IntN(len(all))].team, random.Float64(), lasts, later)
	}
}

// heldUp is a stall and the time of its end.
type heldUp struct {
	until time.Time
	letGo func()
}

// letGo ends the stalls that are due; all of them if now is zero.
func (h *hubs) letGo(now time.Time) {
	h.held = slices.DeleteFunc(h.held, func(one heldUp) bool {
		over := now.IsZero() || now.After(one.until)
		if over {
			one.letGo()
		}
		return over
	})
}

// check compares the messages that everybody received with the history.
func (l *ledger) check(t *testing.T, place string, total int, began time.Time) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, wrong := range l.wrong {
		t.Error(wrong)
	}
	if len(l.asked) != total || len(l.got) != total {
		t.Errorf("%d questions were asked and %d answered, want %d", len(l.asked), len(l.got), total)
	}
	in := storeOf(t, place, l.team)
	var past []protocol.HistoryEntry
	waits.Until(t, "the history has the last closed questions", func() bool {
		past = pastIn(t, in)
		return len(past) >= len(l.asked)
	})
	stands := map[string]protocol.ItemOutcome{}
	for _, entry := range past {
		id, o := entry.QuestionID, entry.Outcome
		if _, twice := stands[id]; twice {
			t.Errorf("%s is in the history twice", id)
		}
		stands[id] = o
		for _, at := range []int64{entry.AskedAt, o.At} {
			if at := time.UnixMilli(at); at.Before(began.Add(-time.Minute)) || at.After(time.Now().Add(time.Minute)) {
				t.Errorf("in the history, %s happened at %s", id, at)
			}
		}
		switch to, asked := l.asked[id]; {
		case !asked || entry.To != to:
			t.Errorf("%s was asked for %q, and the history has it for %q", id, to, entry.To)
		case o.Outcome != protocol.OutcomeAnswered || !l.tried[id][o.Text] || !strings.HasPrefix(o.Text, o.AnsweredBy+","):
			t.Errorf("nobody has ended %s so: %+v", id, o)
		case l.got[id] != "<answer>\n"+o.Text+"\n</answer>":
			t.Errorf("the agent of %s got %q, and the history has %q", id, l.got[id], o.Text)
		}
	}
	if len(stands) != len(l.asked) {
		t.Errorf("%d questions are in the history, %d were asked", len(stands), len(l.asked))
	}
	open, err := in.OpenQuestions(t.Context(), 0, 9)
	if err != nil || len(open) > 0 {
		t.Errorf("still open: %+v, %v", open, err)
	}
	for id, accepted := range l.accepted {
		for _, o := range accepted {
			if stands[id].Text != o.Text || stands[id].AnsweredBy != o.AnsweredBy {
				t.Errorf("for %s, %q was accepted as the answer to %s, but the history has %+v", o.AnsweredBy, o.Text, id, stands[id])
			}
		}
		if len(accepted) > 1 {
			t.Errorf("%d answers to %s were accepted: %+v", len(accepted), id, accepted)
		}
	}
	for id, ways := range l.outcomes {
		for _, o := range ways {
			if stands[id].Text != o.Text || stands[id].AnsweredBy != o.AnsweredBy {
				t.Errorf("somebody was notified that %s ended as %+v, but the history has %+v", id, o, stands[id])
			}
		}
	}
}

// ahead builds the program with a clock that is an hour ahead, by changing one line of the standard library.
func ahead(t *testing.T) string {
	t.Helper()
	folder := storageDir(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	const line = "sec, nsec, mono := runtimeNow()\n"
	if bytes.Count(source, []byte(line)) != 1 {
		t.Fatal("package time reads the clock differently in this version of Go")
	}
	changed, overlay, program := filepath.Join(folder, "time.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "followup")
	source = bytes.Replace(source, []byte(line), []byte(line+"\tsec += 3600\n"), 1)
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{changed: source, overlay: list} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := goBuild(program, "-overlay", overlay); err != nil {
		t.Fatal(err)
	}
	return program
}
