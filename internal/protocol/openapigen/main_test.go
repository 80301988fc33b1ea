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
	got, err := os.ReadFile("../../httpapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("internal/httpapi/openapi.json is stale; run: make generate\n(-want +got)\n%s", diff)
	}
}
