package main

import (
	"context"

	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// openEngine opens the store in a place: a folder, or a database.
func openEngine(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	if store.IsDatabase(place) {
		return openDatabase(ctx, place, o)
	}
	return sqlite.Engine(ctx, place, o)
}

// openReader opens the history in a place for reading alone.
func openReader(ctx context.Context, place string) (store.Reader, error) {
	if store.IsDatabase(place) {
		opened, _, err := openDatabase(ctx, place, store.Options{Owner: newID()})
		return opened, err
	}
	return sqlite.OpenReading(ctx, place)
}
