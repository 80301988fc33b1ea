package sqlite

import "os"

// makeFIFO creates something other than a regular file.
func makeFIFO(path string) error { return os.Mkdir(path, 0o700) }
