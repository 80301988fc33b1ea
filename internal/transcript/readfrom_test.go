package transcript

import (
	"context"
	"errors"
	"io"
)

// ReadFrom reads one log from in, like Read reads a file of that name.
func ReadFrom(ctx context.Context, name string, in io.Reader, o Options, emit func(Exchange) error) (Report, error) {
	r := newReader(ctx, o, emit)
	err := r.file(found{path: name, real: name}, counted{r, in})
	if errors.Is(err, ReasonUnknown) {
		err = ErrUnknownFormat
	}
	return r.done(), err
}
