//go:build nopostgres

package main

import (
	"context"
	"fmt"

	"followup/internal/store"
)

var errNoDatabase = fmt.Errorf("%w: the program that comes with the extension keeps everything in a folder; for a database use one that \"make build\" makes", store.ErrUnavailable)

func openDatabase(context.Context, string, store.Options) (store.Store, store.Report, error) {
	return nil, store.Report{}, errNoDatabase
}

func databaseExists(context.Context, string) (bool, error) { return false, errNoDatabase }
