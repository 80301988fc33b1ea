package transcript

import (
	"context"
	"io"
)

// ReadFrom reads one log from in, as Read reads a file of the name.
func ReadFrom(ctx context.Context, name string, in io.Reader, o Options, emit func(Exchange) error) (Report, error) {
	r := newReader(ctx, o, emit)
	known, err := r.file(found{path: name, real: name}, counted{r, in})
	if err == nil && !known {
		err = ErrUnknownFormat
	}
	return r.done(), err
}
