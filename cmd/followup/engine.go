package main

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// openEngine opens the store in a place: a folder, or a database.
func openEngine(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	if err := store.CheckPlace(place); err != nil {
		return nil, store.Report{}, err
	}
	if store.IsDatabase(place) {
		return openDatabase(ctx, place, o)
	}
	return sqlite.Engine(ctx, place, o)
}

// openReader opens the history in a place for reading alone.
func openReader(ctx context.Context, place string) (store.Reader, error) {
	if err := store.CheckPlace(place); err != nil {
		return nil, err
	}
	if store.IsDatabase(place) {
		return readDatabase(ctx, place)
	}
	return sqlite.OpenReading(ctx, place)
}
