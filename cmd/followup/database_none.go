//go:build nopostgres

package main

import (
	"context"
	"fmt"

	"followup/internal/store"
)

func openDatabase(context.Context, string, store.Options) (store.Store, store.Report, error) {
	return nil, store.Report{}, fmt.Errorf("%w: the program that comes with the extension keeps everything in a folder; for a database use one that \"make build\" makes", store.ErrUnavailable)
}
