package hub

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"followup/internal/store"
)

// If a hub leaves, only its own teams move, and each remaining hub gets some of them.
func TestOwner(t *testing.T) {
	t.Parallel()
	hubs := []string{"http://10.0.0.1:80", "http://10.0.0.2:80", "http://10.0.0.3:80", "http://10.0.0.4:80"}
	slices.Reverse(hubs)
	count, moved := map[string]int{}, map[string]int{}
	for n := range 400 {
		team := fmt.Sprint("team-", n)
		before := owner(team, hubs)
		count[before]++
		if after := owner(team, hubs[1:]); before == hubs[0] {
			moved[after]++
		} else if after != before {
			t.Errorf("%s moves from %s to %s", team, before, after)
		}
	}
	for _, one := range hubs {
		if count[one] < 60 || one != hubs[0] && moved[one] < 10 {
			t.Errorf("%s has %d teams, and gets %d", one, count[one], moved[one])
		}
	}
}

// A hub is dead once this one has sent several heartbeats without seeing one of it. Time without the database does not count.
func TestMembers(t *testing.T) {
	t.Parallel()
	m := &members{own: "a"}
	now := time.Now()
	if m.silent(now) < time.Hour {
		t.Error("it reports a heartbeat before the first one")
	}
	beats := map[string]int64{}
	beat := func(others ...string) {
		all := []store.Member{{Address: "a", Beats: 1}}
		for _, other := range others {
			beats[other]++
			all = append(all, store.Member{Address: other, Beats: beats[other]})
		}
		for other, count := range beats {
			if !slices.Contains(others, other) {
				all = append(all, store.Member{Address: other, Beats: count})
			}
		}
		all = append(all, store.Member{Address: "old", Beats: 9, Silent: missedBeats * beatEvery})
		now = now.Add(time.Hour) // the database was unavailable
		m.beaten(all, now)
	}
	live := func(want ...string) {
		t.Helper()
		if got := slices.Sorted(slices.Values(m.live())); !slices.Equal(got, want) {
			t.Errorf("live hubs are %q, want %q", got, want)
		}
	}
	beat("b", "c")
	live("a", "b", "c")
	for range missedBeats {
		live("a", "b", "c")
		beat("b")
	}
	live("a", "b")
	if !m.dead("c") || !m.dead("old") || m.dead("b") || m.dead("a") || m.dead("") {
		t.Error("dead returns wrong results")
	}
	for range missedBeats {
		if m.dead("unseen") || m.dead("new") {
			t.Error("a hub that may just have started is dead")
		}
		beat("b", "c")
	}
	beat("b", "c", "new")
	if !m.dead("unseen") || m.dead("new") {
		t.Error("dead returns wrong results for unseen hubs")
	}
	live("a", "b", "c", "new")
	m.beaten([]store.Member{{Address: "b", Beats: 99}}, now) // c has left
	live("a", "b")
	if m.silent(now.Add(time.Minute)) != time.Minute {
		t.Error("silent ignores the hub's own heartbeat")
	}
}
