package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// MaxFrame is the maximum size of a message in bytes: several times eight images of 2 MiB in base64.
const MaxFrame = 64 << 20

// maxHeader is the maximum size of a message's header in bytes.
const maxHeader = 8 << 10

// maxPromise is how many bytes are allocated for a message before they arrive.
const maxPromise = 1 << 20

// errFraming is the reason when the input cannot be split into messages.
var errFraming = errors.New("the message framing is broken")

// ReadFrame reads one message in the base protocol of the Language Server Protocol: header lines, an empty line, and
// Content-Length bytes. It returns io.EOF if the input ends between two messages, and a *jsonrpc2.Error for a message over MaxFrame, which
// it skips. Other errors wrap errFraming.
func ReadFrame(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	body := []byte{}
	if length > MaxFrame {
		_, err = io.CopyN(io.Discard, r, length)
	}
	for more := length <= MaxFrame; more && err == nil; more = len(body) < int(length) {
		read, want := len(body), max(4*len(body), maxPromise) // it grows as bytes arrive, so that a false length costs little
		if 2*want > int(length) {
			want = int(length)
		}
		body = append(make([]byte, 0, want), body...)[:want]
		_, err = io.ReadFull(r, body[read:])
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: the input ended inside a message of %d bytes", errFraming, length)
	case length > MaxFrame:
		return nil, Errorf(jsonrpc2.CodeInvalidRequest, "message too large: it has %d bytes, at most %d are read", length, MaxFrame)
	}
	return body, nil
}

// readHeader reads up to the empty line and returns the Content-Length. Other header fields are allowed and ignored.
func readHeader(r *bufio.Reader) (int64, error) {
	length, size := int64(-1), 0
	for {
		line, err := r.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, io.EOF) && size == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull) || size > maxHeader:
			return 0, fmt.Errorf("%w: a header of more than %d bytes", errFraming, maxHeader)
		case errors.Is(err, io.EOF):
			return 0, fmt.Errorf("%w: the input ended inside a header", errFraming)
		case err != nil:
			return 0, err
		}
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 {
			if length < 0 {
				return 0, fmt.Errorf("%w: a header without Content-Length", errFraming)
			}
			return length, nil
		}
		name, value, ok := bytes.Cut(text, []byte(":"))
		if !ok {
			return 0, fmt.Errorf("%w: %q is not a header field", errFraming, text)
		}
		if bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			value = bytes.TrimSpace(value)
			length, err = strconv.ParseInt(string(value), 10, 64)
			if err != nil || length < 0 {
				return 0, fmt.Errorf("%w: %q is not a length", errFraming, value)
			}
		}
	}
}

// WriteFrame writes a message after its header.
func WriteFrame(w io.Writer, body []byte) error {
	_, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body) // one write
	return err
}
