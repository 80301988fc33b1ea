package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generated file must be the one that the declarations give today.
func TestGeneratedFileIsFresh(t *testing.T) {
	want, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../extension/src/protocol.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("extension/src/protocol.gen.ts is stale; run: make generate\n(-want +got)\n%s", diff)
	}
}
