//go:build !nopostgres

package main

import "followup/internal/store/postgres"

// readDatabase opens the history in a database for reading alone.
var readDatabase = postgres.OpenReading

// openDatabase opens the store in a database. What is packaged with the extension does without, which keeps it smaller by a sixth.
var openDatabase = postgres.Engine
