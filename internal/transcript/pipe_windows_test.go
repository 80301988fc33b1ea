package transcript

import "errors"

// pipe makes a named pipe; Windows has none in folders.
func pipe(string) error { return errors.ErrUnsupported }

// device makes a device; Windows has none in folders.
func device(string) error { return errors.ErrUnsupported }
