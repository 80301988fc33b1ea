//go:build !linux

package main

// hubParts need a PostgreSQL server, of which the tests' own is made on Linux alone.
var hubParts []part
