package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"followup/internal/store"
)

// An unknown kind of database address does not count as a folder: no such folder is created, and its password is not printed.
func TestAddressIsNotAFolder(t *testing.T) {
	t.Chdir(storageDir(t))
	const place = "host=h password=hidden"
	env := func(string) string { return "" }
	_, writing := openStorage(t.Context(), place, env)
	_, reading := readStorageFolder(place, env)
	for _, err := range []error{writing, reading} {
		if !errors.Is(err, store.ErrPlace) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("got %v", err)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("%v, %v", made, err)
	}
}
