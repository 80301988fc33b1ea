package sqlite

import (
	"context"

	"followup/internal/store"
)

// Engine is Open for those who are to know of the interface alone.
func Engine(ctx context.Context, dir string, o store.Options) (store.Store, store.Report, error) {
	s, report, err := Open(ctx, dir, o)
	if err != nil { // a nil *Store would be no nil store.Store
		return nil, report, err
	}
	return s, report, nil
}
