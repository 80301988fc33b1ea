package main

import "os"

// watchReader does nothing: Windows does not tell when a pipe's reader is gone. The end of the parent does.
func watchReader(*os.File, func()) {}
