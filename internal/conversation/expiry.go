package conversation

import (
	"time"

	"go.uber.org/zap"
)

// expiryLook is the longest time between two checks of the clock, since timers stop while the machine sleeps.
const expiryLook = time.Minute

// watchExpiry withdraws a question when it expires.
func (g *Registry) watchExpiry(r *Record) {
	if r.Call.Expires == 0 {
		return
	}
	in := min(max(0, time.UnixMilli(r.Call.Expires).Sub(g.options.Now())), expiryLook)
	g.options.Background.After(in, "expiry", func() {
		g.Enter()
		defer g.Leave()
		switch {
		case r.Outcome != nil || g.records[r.ID] != r:
		case g.options.Now().UnixMilli() < r.Call.Expires:
			g.watchExpiry(r)
		default:
			g.options.Log.Info("a question has expired", zap.String("question", r.ID))
			g.withdraw(r)
		}
	})
}
