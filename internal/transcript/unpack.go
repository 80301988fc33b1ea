package transcript

import (
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Bounds of a compressed log.
const (
	// packedSuffix follows the name of a log that its tool has compressed, as Codex does with old sessions.
	packedSuffix = ".zst"
	// packedMagic begins a frame of Zstandard (https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1).
	packedMagic = "\x28\xb5\x2f\xfd"
	// maxWindow is how far back a frame may refer, which a reader must keep in memory: as the format's section 3.1.1.1.2 recommends to
	// support. Only the levels above 19 need more.
	maxWindow = 8 << 20
)

// maxUnpacked is how much of one compressed log is read, in bytes. A small file can hold any length. Tests lower it.
var maxUnpacked int64 = 1 << 30

// unpacker reads a compressed log. Damage in it is a Reason.
type unpacker struct {
	from *zstd.Decoder
	left int64
}

func (u *unpacker) Read(b []byte) (int, error) {
	n, err := u.from.Read(b[:min(int64(len(b)), u.left)])
	u.left -= int64(n)
	var reason Reason
	switch {
	case u.left == 0 && err == nil, errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = ReasonUnpacked
	case err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &reason):
		err = errors.Join(ReasonPacked, err)
	}
	return n, err
}

// packed reads a compressed log, under its name without the suffix.
func (r *reader) packed(f found, in io.Reader) error {
	from, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return errors.Join(ReasonPacked, err)
	}
	defer from.Close()
	return r.file(found{path: f.path, real: strings.TrimSuffix(f.real, packedSuffix)}, &unpacker{from, maxUnpacked})
}
