//go:build !unix

package main

import "time"

// clock is the name, to the peers, of what spent measures.
const clock = "wall"

var start = time.Now()

// used returns the elapsed time.
func used() time.Duration { return time.Since(start) }
