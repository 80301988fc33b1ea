package hubclient

import (
	"testing"
	"time"
)

func TestSlowIsNotSilent(t *testing.T) {
	const patience = 20 * time.Second
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	for _, test := range []struct {
		name string
		do   func(*paced)
		last int // the last second at which it is not silent, for a ping at second 0
	}{
		{"nothing", func(*paced) {}, 19},
		{"heard", func(p *paced) { p.received(at(5)) }, 24},
		{"written", func(p *paced) { p.sent(at(0), 160<<10) }, 29},
		{"written in pieces", func(p *paced) { p.sent(at(0), 80<<10); p.sent(at(2), 80<<10) }, 29},
		{"written and gone", func(p *paced) { p.sent(at(0), 16<<10); p.sent(at(10), 16<<10) }, 30},
		{"written and heard of", func(p *paced) { p.sent(at(0), 160<<10); p.received(at(1)) }, 29},
		{"more than the systems on the way buffer", func(p *paced) { p.sent(at(0), 1<<30) }, 275},
		{"and still written", func(p *paced) { p.sent(at(0), 1<<30); p.sent(at(300), 4<<10) }, 320},
	} {
		p := &paced{}
		test.do(p)
		if p.silent(at(test.last), start, patience) || !p.silent(at(test.last+1), start, patience) {
			t.Errorf("%s: it does not become silent after %d s", test.name, test.last)
		}
	}
}
