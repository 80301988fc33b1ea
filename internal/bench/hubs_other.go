//go:build !linux

package main

// hubParts need a PostgreSQL server, which the tests only start on Linux.
var hubParts []part
