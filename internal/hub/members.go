package hub

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"sync"
	"time"

	"followup/internal/store"
)

const (
	// beatEvery is the time between a hub's heartbeats, and beatWithin how long one may take.
	beatEvery  = time.Second
	beatWithin = 2 * time.Second
	// missedBeats is how many heartbeats a hub sends without seeing one of another hub before it considers that hub dead. Time
	// without the database does not count.
	missedBeats = 4
	// isolatedAfter is how long a hub goes without a heartbeat before it asks the others whether they can reach the database.
	isolatedAfter = 5 * time.Second
)

// members are the hubs on one database, known from their heartbeats.
type members struct {
	own string // this hub's address

	mu    sync.Mutex
	heard time.Time     // when this hub's last heartbeat was written; zero before the first
	ahead time.Duration // the database's clock minus this hub's
	seen  map[string]sighting
	// sent counts this hub's heartbeats. unseen has that count at the first query for a hub that was never seen.
	sent   int
	unseen map[string]int
}

// sighting is the last heartbeat seen of another hub, and how many heartbeats this hub has sent since.
type sighting struct {
	beats  int64
	missed int
}

// beaten records the members after a heartbeat of this hub.
func (m *members) beaten(all []store.Member, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := map[string]sighting{}
	for _, other := range all {
		before, known := m.seen[other.Address]
		is := sighting{beats: other.Beats}
		switch {
		case other.Address == m.own:
			continue
		case !known:
			is.missed = int(other.Silent / beatEvery)
		case before.beats == other.Beats:
			is.missed = before.missed + 1
		}
		seen[other.Address] = is
	}
	m.heard, m.seen = now, seen
	m.sent++
	maps.DeleteFunc(m.unseen, func(address string, _ int) bool { _, known := seen[address]; return known })
}

// clockSlack is the tolerated difference between the clocks, since a heartbeat takes time.
const clockSlack = 50 * time.Millisecond

// setClock records the database's time, which was read between two times of this hub's clock.
func (m *members) setClock(database, before, after time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ahead := database.Sub(before) - after.Sub(before)/2
	if !database.IsZero() && (ahead-m.ahead).Abs() > clockSlack {
		m.ahead = ahead
	}
}

// now returns the time of the database's clock, which is the same for all hubs.
func (m *members) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Add(m.ahead)
}

// silent returns the time since this hub's last heartbeat; more than an hour before the first one.
func (m *members) silent(now time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return now.Sub(m.heard)
}

// live returns the addresses of the live hubs, including this one.
func (m *members) live() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := []string{m.own}
	for address, is := range m.seen {
		if is.missed < missedBeats {
			all = append(all, address)
		}
	}
	return all
}

// dead reports whether the hub with an address is dead. One that was never seen may just have started.
func (m *members) dead(address string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if address == "" || address == m.own {
		return false
	}
	if is, known := m.seen[address]; known {
		return is.missed >= missedBeats
	}
	if m.unseen == nil {
		m.unseen = map[string]int{}
	}
	if _, asked := m.unseen[address]; !asked {
		m.unseen[address] = m.sent
	}
	return m.sent-m.unseen[address] >= missedBeats
}

// owner returns the hub that should keep a team: the live hub with the highest hash (rendezvous hashing). So a hub that joins or
// leaves moves only its own teams.
func owner(team string, live []string) (address string) {
	var highest []byte
	for _, one := range live {
		hash := sha256.Sum256([]byte(team + "\x00" + one))
		if bytes.Compare(hash[:], highest) > 0 {
			address, highest = one, hash[:]
		}
	}
	return address
}
