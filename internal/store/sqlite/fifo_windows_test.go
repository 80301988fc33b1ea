package sqlite

import "os"

// makeFIFO makes something else that is no file.
func makeFIFO(path string) error { return os.Mkdir(path, 0o700) }
