package main

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// openEngine opens the store in a folder or a database.
func openEngine(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	if err := store.CheckPlace(place); err != nil {
		return nil, store.Report{}, err
	}
	if store.IsDatabase(place) {
		return openDatabase(ctx, place, o)
	}
	return sqlite.Open(ctx, place, o)
}
