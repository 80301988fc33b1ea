package rpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func TestReadFrame(t *testing.T) {
	large := strings.Repeat("0123456789", 2*maxPromise/8)
	tests := []struct {
		name, in string
		body     string
		err      error
	}{
		{"a message", "Content-Length: 2\r\n\r\n{}", "{}", nil},
		{"other fields and another case of letters", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}", "{}", nil},
		{"lines that end without CR", "Content-Length: 2\n\n{}", "{}", nil},
		{"an empty message", "Content-Length: 0\r\n\r\n", "", nil},
		{"a message larger than maxPromise", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(large), large), large, nil},
		{"the end inside such a message", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(large)+1, large), "", errFraming},
		{"the end", "", "", io.EOF},
		{"no length", "Content-Type: x\r\n\r\n{}", "", errFraming},
		{"an invalid length", "Content-Length: two\r\n\r\n{}", "", errFraming},
		{"a length below zero", "Content-Length: -1\r\n\r\n{}", "", errFraming},
		{"no field at all", "hello\r\n\r\n", "", errFraming},
		{"the end inside a header", "Content-Le", "", errFraming},
		{"the end inside a message", "Content-Length: 20\r\n\r\n{}", "", errFraming},
		{"an endless header", strings.Repeat("X-Pad: y\r\n", 2000), "", errFraming},
		{"an endless line", strings.Repeat("x", 100_000), "", errFraming},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body, err := ReadFrame(bufio.NewReader(strings.NewReader(test.in)))
			if string(body) != test.body || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v; want %q, %v", body, err, test.body, test.err)
			}
		})
	}
}

// A message that is too large is skipped, and the next one is read.
func TestReadFrameTooLarge(t *testing.T) {
	large := int64(MaxFrame + 1)
	r := bufio.NewReader(io.MultiReader(
		strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", large)), io.LimitReader(zeros{}, large),
		strings.NewReader("Content-Length: 2\r\n\r\n{}")))
	var tooLarge *jsonrpc2.Error
	if _, err := ReadFrame(r); !errors.As(err, &tooLarge) || tooLarge.Code != jsonrpc2.CodeInvalidRequest {
		t.Fatalf("got %v, want a refusal", err)
	}
	if body, err := ReadFrame(r); string(body) != "{}" || err != nil {
		t.Fatalf("the next message: got %q, %v", body, err)
	}
}

// Reading a large message allocates little more than the steps in which it grows. Its params are not copied.
func TestLargeMessageIsReadOnce(t *testing.T) {
	const size = 16 << 20
	input := frame([]byte(`{"jsonrpc":"2.0","id":1,"method":"test/echo","params":"` + strings.Repeat("x", size) + `"}`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body, err := ReadFrame(bufio.NewReader(bytes.NewReader(input)))
	if err != nil {
		t.Fatal(err)
	}
	head, err := ReadHead(body)
	runtime.ReadMemStats(&after)
	if err != nil || len(head.Params) != size+2 || string(head.ID) != "1" {
		t.Fatalf("%s: %d bytes of params, %v", head.ID, len(head.Params), err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > size*9/4 {
		t.Errorf("allocated %d bytes for a message of %d", allocated, size)
	}
}

// Large messages are decoded one after the other, whatever connection they arrive on; small ones at any time.
func TestLargeMessagesTakeTurns(t *testing.T) {
	r := &Router{}
	alone := func() bool {
		if decoding.TryLock() {
			decoding.Unlock()
			return false
		}
		return true
	}
	On(r, echo, func(context.Context, text) (text, error) { return text{fmt.Sprint(alone())}, nil })
	p := connect(t, r)
	p.send(request(1, "test/echo", strings.Repeat("x", largeMessage)), request(2, "test/echo", "x"))
	p.want(`"result":{"text":"true"}`, `"result":{"text":"false"}`)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func frame(body []byte) []byte {
	var framed bytes.Buffer
	_ = WriteFrame(&framed, body)
	return framed.Bytes()
}

// A framed message is read back, and no input makes the reader panic or invent bytes.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if got, err := ReadFrame(bufio.NewReader(bytes.NewReader(frame(in)))); err != nil || !bytes.Equal(got, in) {
			t.Fatalf("framed and read: got %q, %v; want %q", got, err, in)
		}
		body, err := ReadFrame(bufio.NewReader(bytes.NewReader(in)))
		if err == nil && !bytes.Contains(in, body) {
			t.Fatalf("read %q out of %q", body, in)
		}
	})
}
