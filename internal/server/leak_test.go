package server_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"runtime"
	"testing"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/waits"
)

// After many sessions, answers with images, and stores that went away, memory and goroutines are back to normal. FOLLOWUP_SOAK sets
// the full number.
func TestNothingLeaks(t *testing.T) {
	// The test itself keeps a few hundred bytes per question. One image per question, or the remains of each session, would exceed
	// the limit.
	sessions, answers, allowed := 600, 20, int64(400<<10)
	if os.Getenv("FOLLOWUP_SOAK") != "" {
		sessions, answers, allowed = 100_000, 1000, 4<<20
	}
	disk := rpctest.NewDisk()
	e := rpctest.ConnectTo(t, t.TempDir(), func(o *server.Options) {
		onDisk(disk)(o)
		o.Log = zap.NewNop() // a test's log is kept in memory
	})
	image := protocol.Image{MimeType: "image/gif", Data: base64.StdEncoding.EncodeToString(append([]byte("GIF89a"), bytes.Repeat([]byte{7}, 30<<10)...))}
	run := func(name string, sessions, answers int) {
		for n := range sessions {
			session := e.Session(fmt.Sprint(name, n))
			stream := rpctest.NewID()
			rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
			if n < answers {
				id, reply := e.Ask(session, `{"question":"Q?"}`)
				e.UntilState(id, protocol.ItemPending)
				params := typed(id, "yes")
				params.Images = []protocol.Image{image}
				rpctest.Call(e, protocol.QuestionAnswer, params)
				waits.For(t, reply)
			}
			if n%2 == 0 { // the agents of the others vanish
				rpctest.Call(e, protocol.SessionClose, protocol.SessionCloseParams{Session: session})
			}
		}
	}
	heap := func() int64 {
		runtime.GC() // twice, since pooled objects survive one
		runtime.GC()
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	abandoned := e.Session("abandoned") // its agent returns at the end
	run("first", 150, 5)                // more than stay in memory
	goroutines, bytes := runtime.NumGoroutine(), heap()
	run("then", sessions, answers)
	for range 5 {
		opened := disk.Count("Open")
		failed := false
		disk.Fail("Commit", func() error {
			if failed {
				return nil
			}
			failed = true
			return fmt.Errorf("%w, says the test", store.ErrGone)
		})
		run("gone", 1, 0)
		waits.Until(t, "the store is opened again", func() bool {
			rpctest.Code(e, protocol.HistoryFacets, protocol.None{})
			return disk.Count("Open") > opened
		})
	}
	run("last", 1, 1)
	waits.Until(t, "the goroutines of the last request have ended", func() bool {
		rpctest.Code(e, protocol.HistoryFacets, protocol.None{})
		return runtime.NumGoroutine() <= goroutines
	})
	// Work that is still running also holds memory, but a leak never shrinks.
	what := fmt.Sprintf("%d sessions and %d answers with images hold at most %d KiB", sessions, answers, allowed>>10)
	waits.Until(t, what, func() bool { return heap()-bytes <= allowed })
	id, _ := e.Ask(abandoned, `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
}
