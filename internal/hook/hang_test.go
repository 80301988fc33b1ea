package hook

import (
	"context"
	"io"
	"testing"
	"time"

	"go.uber.org/zap/zaptest"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// answers registers a handler that responds to a request a number of times, and then never again.
func answers[P, R any](r *rpc.Router, m protocol.Request[P, R], times int, result R) {
	rpc.OnBegun(r, m, func(context.Context, P) (rpc.Begun[R], error) {
		times--
		answered := times >= 0
		return rpc.Begun[R]{Wait: func(ctx context.Context) (R, error) {
			if !answered {
				<-ctx.Done()
			}
			return result, nil
		}}, nil
	})
}

// A keeper may hang at any moment, or stop saving. The dialog that waits for the hook still appears.
func TestApprovalDoesNotWaitForAKeeperThatHangs(t *testing.T) {
	for name, times := range map[string]struct {
		status, open, get int
		unsaved           bool
	}{
		"at the first contact": {}, "at the session": {status: 1}, "at its questions": {status: 1, open: 1}, "while it asks": {status: 1, open: 1, get: 1},
		"not, but saves nothing": {status: 1, open: 1, get: 1, unsaved: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			router := &rpc.Router{}
			left := times.status
			rpc.OnBegun(router, protocol.InboxStatus, func(context.Context, protocol.None) (rpc.Begun[protocol.InboxStatusResult], error) {
				left--
				now := protocol.InboxStatusResult{Storage: &protocol.Storage{Saved: left >= 0}, Shown: true}
				hangs := left < 0 && !times.unsaved
				return rpc.Begun[protocol.InboxStatusResult]{Wait: func(ctx context.Context) (protocol.InboxStatusResult, error) {
					if hangs {
						<-ctx.Done()
					}
					return now, nil
				}}, nil
			})
			answers(router, protocol.SessionOpen, times.open, protocol.SessionOpenResult{Session: "s"})
			answers(router, protocol.SessionGet, times.get, protocol.SessionState{})
			answers(router, protocol.QuestionAsk, 0, protocol.Answer{})
			answers(router, protocol.QuestionWithdraw, 0, protocol.CloseResult{})
			toKeeper, fromHook := io.Pipe()
			toHook, fromKeeper := io.Pipe()
			keeper := rpc.Dial(t.Context(), router, rpc.Options{In: toKeeper, Out: fromKeeper, Log: zaptest.NewLogger(t)})
			sidecar := rpc.Dial(t.Context(), &rpc.Router{}, rpc.Options{In: toHook, Out: fromHook, Log: zaptest.NewLogger(t)})
			defer func() {
				_, _ = fromHook.Close(), fromKeeper.Close()
				waits.For(t, sidecar.Done())
				waits.For(t, keeper.Done())
			}()
			asked := `{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
			call, err := Read("codex", []byte(asked), true, locale.English)
			if err != nil || call == nil {
				t.Fatal(call, err)
			}
			came := make(chan hooked, 1)
			go func() {
				answer, err := Ask(t.Context(), call, Options{
					Log: zaptest.NewLogger(t), Sidecar: sidecar, Locale: locale.English, Look: time.Millisecond, Patience: time.Nanosecond,
				})
				came <- hooked{answer, err}
			}()
			if got := waits.For(t, came); got.answer != nil || got.err != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}
