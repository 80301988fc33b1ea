//go:build nopostgres

package main

import (
	"context"
	"fmt"

	"followup/internal/store"
)

var errNoDatabase = fmt.Errorf("%w: the extension's program stores everything in a folder; for a database, install the program by itself, for example with npm install --global followup", store.ErrUnavailable)

func openDatabase(context.Context, string, store.Options) (store.Store, store.Report, error) {
	return nil, store.Report{}, errNoDatabase
}

func databaseExists(context.Context, string) (bool, error) { return false, errNoDatabase }
