//go:build !nopostgres

package main

import "followup/internal/store/postgres"

// databaseExists reports whether a database has a store.
var databaseExists = postgres.Exists

// openDatabase opens the store in a database. The packaged extension excludes it, which makes the program a sixth smaller.
var openDatabase = postgres.Open
