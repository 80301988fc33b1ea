//go:build !nopostgres

package main

import "followup/internal/store/postgres"

// databaseExists reports whether there is a store in a database.
var databaseExists = postgres.Exists

// openDatabase opens the store in a database. What is packaged with the extension does without, which keeps it smaller by a sixth.
var openDatabase = postgres.Open
