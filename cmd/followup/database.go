//go:build !nopostgres

package main

import "followup/internal/store/postgres"

// databaseExists reports whether there is a store in a database.
var databaseExists = postgres.Exists

// openDatabase opens the store in a database. The packaged extension excludes it, which makes the program a sixth smaller.
var openDatabase = postgres.Open
