package conversation

import (
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/session"
)

// grace bounds how long an overdue choice is postponed if the user could not see it, because the machine slept or no keeper ran.
const grace = 30 * time.Second

// SetTimed sets the time after which the first suggestion of an untouched question is chosen. Zero means never, and stops running
// clocks.
func (g *Registry) SetTimed(after time.Duration) {
	was := g.timed
	g.timed = after
	for _, r := range g.records {
		switch {
		case after > 0:
			g.startClock(r)
			g.runClock(r)
		case was > 0 && r.Due() > 0:
			g.happened(r.Conversation, session.Touched{ID: r.ID})
		}
	}
}

// Timed reports whether timed choices are enabled.
func (g *Registry) Timed() bool { return g.timed > 0 }

// Due returns the time of a question's timed choice, in milliseconds since 1970; 0 means none.
func (r *Record) Due() int64 {
	if clock := r.Conversation.State.Clock; r.State == protocol.ItemPending && clock.Runs(r.ID) {
		return clock.Due
	}
	return 0
}

// Left returns the time until a timed choice; 0 if it is due now, or there is none.
func (r *Record) Left() time.Duration {
	if r.expiry != nil {
		return max(0, time.Until(r.expires))
	}
	return max(0, time.Until(time.UnixMilli(r.Due())))
}

// StopClock stops a question's clock permanently, because the user is working on it. It does nothing if timed choices are disabled.
func (g *Registry) StopClock(r *Record) error {
	if r.State == protocol.ItemPending && r.Guidance == nil && (g.timed > 0 || r.Due() > 0) {
		return g.mustApply(r.Conversation, session.Touched{ID: r.ID})
	}
	return nil
}

// startClock starts the clock of a pending question, if timed choices are enabled and the user has not touched the question.
func (g *Registry) startClock(r *Record) {
	untouched := r.State == protocol.ItemPending && r.Conversation.State.Clock.ID != r.ID && r.Draft == nil
	if g.timed <= 0 || !untouched || !r.isTimed() || g.Orphaned(r) {
		return
	}
	g.happened(r.Conversation, session.Timed{ID: r.ID, Due: g.options.Now().Add(g.timed).UnixMilli()})
}

// isTimed reports whether a question can have a timed choice: it has suggestions, or is the only question of a questionnaire.
func (r *Record) isTimed() bool {
	if asked := r.Call.Questionnaire; asked != nil {
		return len(asked.Questions) == 1 && len(asked.Questions[0].Options) > 0
	}
	return r.Guidance == nil && r.Call.Followup != nil && len(r.Call.Followup.Suggest) > 0
}

// clocked records that a question's clock was set or stopped.
func (g *Registry) clocked(r *Record, due int64) {
	if r.clock != due {
		r.clock = due
		g.Show(r)
	}
	g.runClock(r)
}

// runClock makes the choice when the clock ends. A running clock is measured by the monotonic one, so it ignores changes of the time of day.
// Only a clock of an earlier process, or of a question that was left, begins with the time of day. An overdue choice first gets its grace.
func (g *Registry) runClock(r *Record) {
	due := r.Due()
	runs := due > 0 && g.timed > 0 && !g.Orphaned(r)
	if r.expiry != nil {
		if runs && r.expiresFor == due {
			return
		}
		r.expiry.Stop()
		r.expiry = nil
	}
	if !runs {
		return
	}
	in := min(time.UnixMilli(due).Sub(g.options.Now()), g.timed)
	if in <= 0 {
		in = min(g.timed, grace)
		g.Show(r)
	}
	r.expires, r.expiresFor = time.Now().Add(in), due
	var timer *time.Timer
	timer = g.options.Background.After(in, "timed choice", func() {
		g.Enter()
		defer g.Leave()
		if r.expiry == timer {
			g.expire(r)
		}
	})
	r.expiry = timer
}

// expire makes the choice if an agent waits for it.
func (g *Registry) expire(r *Record) {
	if g.timed <= 0 || r.Due() == 0 || g.Orphaned(r) {
		return
	}
	first := 0
	chosen, code := resolve(r, protocol.AnswerParams{
		Provenance: protocol.ProvenanceTimer, Suggestion: &first, Picks: []protocol.Pick{{Options: []int{first}}},
	}, question.Attachments{})
	if code != "" {
		g.options.Log.Warn("could not make a timed choice", zap.String("question", r.ID), zap.String("code", string(code)))
		_ = g.StopClock(r)
		return
	}
	chosen.Provenance = protocol.ProvenanceTimer
	_ = g.give(r, chosen, nil, nil, session.Expired{ID: r.ID, Now: r.Due()})
}

const (
	// expiryLook is the longest time between two looks at the clocks, since timers stop while the machine sleeps.
	expiryLook = time.Minute
	// expiryDoubt is how long the time of day alone must say that a question has expired before it is closed: it may be wrong.
	expiryDoubt = 5 * time.Minute
)

// watchExpiry closes a question when it expires. asked means that it was asked just now, so that the monotonic clock knows when.
func (g *Registry) watchExpiry(r *Record, asked bool) {
	if r.Call.Expires == 0 {
		return
	}
	if in := time.UnixMilli(r.Call.Expires).Sub(g.options.Now()); asked || in > 0 {
		r.ends, r.endsSurely = time.Now().Add(in), asked
	}
	g.lookForExpiry(r, time.Time{})
}

// lookForExpiry closes an expired question, or looks again later. The time of day says so since doubted; zero if it does not.
func (g *Registry) lookForExpiry(r *Record, doubted time.Time) {
	in := expiryLook
	if !r.ends.IsZero() {
		in = min(in, max(0, time.Until(r.ends)))
	}
	g.options.Background.After(in, "expiry", func() {
		g.Enter()
		defer g.Leave()
		if r.Outcome != nil || g.records[r.ID] != r {
			return
		}
		over, said := r.endsPassed(), g.options.Now().UnixMilli() >= r.Call.Expires
		switch {
		case over && (r.endsSurely || said), said && !doubted.IsZero() && time.Since(doubted) >= expiryDoubt:
			g.options.Log.Info("a question expired", zap.String("question", r.ID))
			_ = g.takeBack(r, question.Expired)
			return
		case over: // the time of day was wrong when the question was loaded
			r.ends = time.Time{}
		}
		switch {
		case !said:
			doubted = time.Time{}
		case doubted.IsZero():
			doubted = time.Now()
		}
		g.lookForExpiry(r, doubted)
	})
}

func (r *Record) endsPassed() bool { return !r.ends.IsZero() && !time.Now().Before(r.ends) }

// expired reports whether either clock says that a question has expired, so that it must not be answered.
func (g *Registry) expired(r *Record) bool {
	return r.Call.Expires > 0 && (r.endsPassed() || g.options.Now().UnixMilli() >= r.Call.Expires)
}
