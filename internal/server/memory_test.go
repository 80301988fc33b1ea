package server_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
)

// A waiting question keeps its text, and nothing else of a request of any size.
func TestMemoryOfWaitingQuestions(t *testing.T) {
	const questions, size = 30, 1 << 20
	inUse := func() int {
		runtime.GC()
		runtime.GC() // the second collection empties the pools
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}
	for name, change := range map[string]func(p *protocol.AskParams, long string){
		"the text before the call": func(p *protocol.AskParams, long string) { p.Context = long },
		"white space":              func(p *protocol.AskParams, long string) { p.Context = strings.Repeat(" ", len(long)) + "x" },
		"an ignored argument": func(p *protocol.AskParams, long string) {
			p.Input = fmt.Appendf(nil, `{"question":"Q?","note":%q}`, long)
		},
	} {
		t.Run(name, func(t *testing.T) {
			in, out, _ := rpctest.Pipe(t, t.TempDir())
			e := rpctest.Over(t, in, out)
			rpctest.Call(e, protocol.Initialize, protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version}})
			e.Subscribe()
			before := inUse()
			for n := range questions {
				p := ask(e.Session(fmt.Sprint(n)), rpctest.NewID(), `{"question":"Q?"}`, 0)
				change(&p, strings.Repeat("x", size))
				body, err := rpc.Message(fmt.Appendf(nil, `"raw %d"`, n), protocol.QuestionAsk.Method, p)
				if err == nil {
					err = rpc.WriteFrame(out, body) // a client would keep the request
				}
				if err != nil {
					t.Fatal(err)
				}
				e.UntilState(p.QuestionID, protocol.ItemPending)
			}
			if each := (inUse() - before) / questions; each > size/4 {
				t.Errorf("a waiting question of %d bytes takes %d", size, each)
			}
		})
	}
}
