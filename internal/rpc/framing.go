package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// MaxFrame bounds one message, in bytes: eight images of 2 MiB in base64 fit several times over.
const MaxFrame = 64 << 20

// maxHeader bounds the header of one message, in bytes.
const maxHeader = 8 << 10

// maxPromise is how much room the header of a message may claim before the bytes arrive.
const maxPromise = 1 << 20

// ErrFraming is why a connection ends whose peer's bytes cannot be told apart into messages any more.
var ErrFraming = errors.New("the message framing is broken")

// errTooLarge is a message that was skipped; the connection goes on behind it.
var errTooLarge = errors.New("message too large")

// ReadFrame reads one message in the base protocol of the Language Server Protocol: header lines, an empty line, and
// Content-Length bytes. At the end between two messages it gives io.EOF. A message over MaxFrame is skipped
// (errTooLarge); everything else that is wrong wraps ErrFraming.
func ReadFrame(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if length > MaxFrame {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return nil, fmt.Errorf("%w: the input ended inside a message of %d bytes", ErrFraming, length)
		}
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are read", errTooLarge, length, MaxFrame)
	}
	// Grown as the bytes arrive, so that a length that promises too much costs little.
	body := make([]byte, min(length, maxPromise))
	for read := 0; ; {
		if _, err := io.ReadFull(r, body[read:]); err != nil {
			return nil, fmt.Errorf("%w: the input ended inside a message of %d bytes", ErrFraming, length)
		}
		if read = len(body); int64(read) == length {
			return body, nil
		}
		body = append(body, make([]byte, min(length-int64(read), int64(read)))...)
	}
}

// readHeader reads up to the empty line and gives the Content-Length. Other header fields are allowed and ignored.
func readHeader(r *bufio.Reader) (int64, error) {
	length, size := int64(-1), 0
	for {
		line, err := r.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, io.EOF) && size == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull) || size > maxHeader:
			return 0, fmt.Errorf("%w: a header of more than %d bytes", ErrFraming, maxHeader)
		case errors.Is(err, io.EOF):
			return 0, fmt.Errorf("%w: the input ended inside a header", ErrFraming)
		case err != nil:
			return 0, err
		}
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 {
			if length < 0 {
				return 0, fmt.Errorf("%w: a header without Content-Length", ErrFraming)
			}
			return length, nil
		}
		name, value, ok := bytes.Cut(text, []byte(":"))
		if !ok {
			return 0, fmt.Errorf("%w: %q is no header field", ErrFraming, text)
		}
		if bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			value = bytes.TrimSpace(value)
			length, err = strconv.ParseInt(string(value), 10, 64)
			if err != nil || length < 0 {
				return 0, fmt.Errorf("%w: %q is no length", ErrFraming, value)
			}
		}
	}
}

// frame puts the header before a body.
func frame(body []byte) []byte {
	framed := make([]byte, 0, len(body)+32)
	framed = append(framed, "Content-Length: "...)
	framed = strconv.AppendInt(framed, int64(len(body)), 10)
	framed = append(framed, "\r\n\r\n"...)
	return append(framed, body...)
}

// maxJoined is up to what length a body is copied behind its header, in bytes: a longer one is written by itself.
const maxJoined = 16 << 10

// WriteFrame writes one message behind its header.
func WriteFrame(w io.Writer, body []byte) error {
	if len(body) <= maxJoined {
		_, err := w.Write(frame(body))
		return err
	}
	if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", len(body)); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}
