package transcript

import (
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Bounds of a compressed log.
const (
	// packedSuffix ends the name of a log that its tool has compressed, as Codex compresses old sessions.
	packedSuffix = ".zst"
	// packedMagic begins a frame of Zstandard (https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1).
	packedMagic = "\x28\xb5\x2f\xfd"
	// maxWindow is the largest supported window of a frame in bytes, which is kept in memory. The format's section
	// 3.1.1.1.2 recommends this size; only levels above 19 need more.
	maxWindow = 8 << 20
)

// maxUnpacked is how many decompressed bytes of one log are read, since a small file can decompress to any size. Tests
// lower it.
var maxUnpacked int64 = 1 << 30

// unpacker decompresses a log. It reports damage as a Reason.
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

// packed reads a compressed log. Its name counts without the suffix.
func (r *reader) packed(f found, in io.Reader) error {
	from, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return errors.Join(ReasonPacked, err)
	}
	defer from.Close()
	return r.file(found{path: f.path, real: strings.TrimSuffix(f.real, packedSuffix)}, &unpacker{from, maxUnpacked})
}
