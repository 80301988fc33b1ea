package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// BenchmarkRequest compares requests over a connection with the minimum that any program needs: hand-made frames, one goroutine,
// encoding/json. Run it with -count, and compare the medians of one run.
func BenchmarkRequest(b *testing.B) {
	for _, size := range []int{100, 90 << 10, 1 << 20} {
		body := []byte(request(1, "test/echo", strings.Repeat("word <b>\n", size/9)))
		for _, end := range []struct {
			name  string
			serve func(in io.ReadCloser, out io.Writer)
		}{{"by hand", serveByHand}, {"connection", serveConn}} {
			b.Run(fmt.Sprintf("%d/%s", size, end.name), func(b *testing.B) {
				fromPeer, in := io.Pipe()
				out, toPeer := io.Pipe()
				go end.serve(fromPeer, toPeer)
				answers := bufio.NewReaderSize(out, 64<<10)
				for b.Loop() {
					if err := WriteFrame(in, body); err != nil {
						b.Fatal(err)
					}
					if _, err := ReadFrame(answers); err != nil {
						b.Fatal(err)
					}
				}
				_ = in.Close()
			})
		}
	}
}

func serveConn(in io.ReadCloser, out io.Writer) {
	r := &Router{}
	On(r, echo, func(_ context.Context, p text) (text, error) { return text{fmt.Sprint(len(p.Text))}, nil })
	Dial(context.Background(), r, Options{In: in, Out: out, Log: zap.NewNop()})
}

func serveByHand(in io.ReadCloser, out io.Writer) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		body, err := ReadFrame(r)
		if err != nil {
			return
		}
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params text            `json:"params"`
		}
		if json.Unmarshal(body, &request) != nil {
			return
		}
		answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": text{fmt.Sprint(len(request.Params.Text))}})
		if err != nil || WriteFrame(out, answer) != nil {
			return
		}
	}
}
