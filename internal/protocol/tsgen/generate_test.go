package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generated files must be those that the declarations give today.
func TestGeneratedFilesAreFresh(t *testing.T) {
	for file, generate := range map[string]func(string) (string, error){
		"extension/src/protocol.gen.ts": generate, "docs/methods.md": methods,
	} {
		want, err := generate("..")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is stale; run: make generate\n(-want +got)\n%s", file, diff)
		}
	}
}
