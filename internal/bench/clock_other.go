//go:build !unix

package main

import "time"

// clock is the name, to the peers, of what spent measures.
const clock = "wall"

var start = time.Now()

// used is the time that has passed.
func used() time.Duration { return time.Since(start) }
