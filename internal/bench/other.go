//go:build !linux

package main

import "time"

// hubBenchmarks need a PostgreSQL server, which the tests only start on Linux.
var hubBenchmarks []benchmark

const clock = "wall"

var began = time.Now()

// used returns the elapsed time.
func used() time.Duration { return time.Since(began) }
