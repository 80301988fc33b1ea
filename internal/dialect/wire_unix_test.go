//go:build unix

package dialect_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/zap"

	"followup/internal/dialect"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
)

// wire is an agent's in-memory connection to a host whose inbox is subscribed. Its own share of the processor time is
// small: it writes prepared messages and discards everything but answers.
type wire struct {
	b       *testing.B
	out     io.Writer
	answers chan []byte
	lastID  int
}

func dialWire(b *testing.B) *wire {
	host := rpctest.NewHost(b, "", func(o *server.Options) { o.Log = zap.NewNop() })
	toHost, out := io.Pipe()
	in, fromHost := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		host.Serve(context.Background(), toHost, fromHost, nil)
		_ = fromHost.Close()
	}()
	b.Cleanup(func() {
		_ = out.Close()
		<-served
	})
	w := &wire{b: b, out: out, answers: make(chan []byte, 1)}
	go func() {
		for r := bufio.NewReaderSize(in, 64<<10); ; {
			body, err := rpc.ReadFrame(r)
			if err != nil {
				return
			}
			if bytes.HasPrefix(body, []byte(`{"jsonrpc":"2.0","id":`)) {
				w.answers <- body
			}
		}
	}()
	w.call("initialize", protocol.InitializeParams{InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version}})
	w.call("inbox/subscribe", protocol.None{})
	return w
}

// message returns a framed message.
func (w *wire) message(id int, method string, params any) []byte {
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		message["id"] = id
	}
	var body, framed bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // like JavaScript
	if err := encoder.Encode(message); err != nil {
		w.b.Fatal(err)
	}
	_ = rpc.WriteFrame(&framed, body.Bytes()) // a bytes.Buffer never fails
	return framed.Bytes()
}

func (w *wire) write(message []byte) {
	if _, err := w.out.Write(message); err != nil {
		w.b.Fatal(err)
	}
}

func (w *wire) call(method string, params any) (answer []byte) {
	w.lastID++
	w.write(w.message(w.lastID, method, params))
	answer = <-w.answers
	if head := answer[:min(64, len(answer))]; bytes.Contains(head, []byte(`,"error":`)) {
		w.b.Fatalf("%s: %s", method, answer)
	}
	return answer
}

// append returns the message that carries a piece.
func (w *wire) append(format, session, stream string, offset int, piece []byte) []byte {
	text, data := string(piece), ""
	if !utf8.ValidString(text) {
		text, data = "", base64.StdEncoding.EncodeToString(piece)
	}
	if format == "tags" {
		return w.message(0, "stream/append", protocol.StreamAppendParams{Session: session, StreamID: stream, Offset: offset, Text: text, Data: data})
	}
	tool := question.ToolFollowup
	if format == "ask" {
		tool = question.ToolAskUser
	}
	return w.message(0, "stream/appendToolInput", protocol.StreamAppendToolInputParams{
		Session: session, StreamID: stream, CallID: "1", Tool: tool, Offset: offset, Fragment: text, Data: data,
	})
}

// stream sends a message in pieces, ends it, and returns the processor time until the host has handled it, in ns per
// byte.
func (w *wire) stream(format, input string, size int) float64 {
	var opened struct{ Result protocol.SessionOpenResult }
	if err := json.Unmarshal(w.call("session/open", protocol.SessionOpenParams{Agent: "bench", Key: rpctest.NewID()}), &opened); err != nil {
		w.b.Fatal(err)
	}
	session, stream := opened.Result.Session, rpctest.NewID()
	var pieces [][]byte
	for at := 0; at < len(input); at += size {
		pieces = append(pieces, w.append(format, session, stream, at, []byte(input[at:min(at+size, len(input))])))
	}
	runtime.GC()
	begun := dialect.ProcessorTime(w.b)
	for _, piece := range pieces {
		w.write(piece)
	}
	w.call("stream/end", protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
	w.call("inbox/status", protocol.None{}) // its answer follows everything that the stream caused
	took := dialect.ProcessorTime(w.b) - begun
	w.call("session/close", protocol.SessionParams{Session: session})
	return float64(took) / float64(len(input))
}

// BenchmarkWire compares the processor time that a host needs to decode, read and show each hostile input with that
// of a plain question of the same length, in turns.
func BenchmarkWire(b *testing.B) {
	for _, of := range []struct{ piece, size int }{{16, 128 << 10}, {4 << 10, 1<<20 - 4<<10}} { // just below the limit of 1 MiB
		for _, h := range dialect.Hostiles() {
			b.Run(strings.ReplaceAll(fmt.Sprintf("%d/%s/%s", of.piece, h.Format, h.Name), " ", "_"), func(b *testing.B) {
				w := dialWire(b)
				inputs := [2]string{h.Make(of.size), dialect.PlainQuestion(h.Format)(of.size)}
				var least [2]float64
				for b.Loop() {
					for i, input := range inputs {
						if took := w.stream(h.Format, input, of.piece); least[i] == 0 || took < least[i] {
							least[i] = took
						}
					}
				}
				b.ReportMetric(least[0]/least[1], "x/plain")
				b.ReportMetric(least[0]*1e-6*(1<<20), "ms/MB")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
