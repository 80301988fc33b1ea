package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// documentedOutcomes returns the words of the table in docs/asking.md, each with the exit status of "followup ask".
func documentedOutcomes(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("../../docs/asking.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| outcome | | |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]int{}
	for row := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(row, " | ")
		code, err := strconv.Atoi(strings.TrimSuffix(cells[len(cells)-1], " |"))
		if err != nil {
			t.Fatalf("the row %q has no status: %v", row, err)
		}
		for _, word := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			documented[word[1]] = code
		}
	}
	return documented
}

// There is one word for each outcome, in every host, and docs/asking.md has them all.
func TestOutcomeWords(t *testing.T) {
	t.Parallel()
	documented := documentedOutcomes(t)
	known := []string{string(protocol.OutcomeWaiting)}
	for _, outcome := range question.Outcomes() {
		known = append(known, string(outcome))
	}
	same := func(where string, words []string) {
		t.Helper()
		if diff := cmp.Diff(slices.Sorted(slices.Values(known)), slices.Sorted(slices.Values(words))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
	}
	var words []string
	for word := range documented {
		words = append(words, word)
	}
	same("docs/asking.md", words)

	var api struct {
		Components struct {
			Schemas struct {
				AskResult struct {
					Properties struct{ Outcome struct{ Enum []string } }
				}
			}
		}
	}
	text, err := os.ReadFile("../../internal/httpapi/openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &api)
	}
	if err != nil {
		t.Fatal(err)
	}
	same("the HTTP API", api.Components.Schemas.AskResult.Properties.Outcome.Enum)

	word := regexp.MustCompile(`\boutcome\\?["']?: ?\\?["'](\w+)`)
	for _, folder := range []string{"docs", "internal", "cmd", "extension"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, entry fs.DirEntry, err error) error {
			written := slices.Contains([]string{".md", ".go", ".ts", ".mjs", ".txt", ".txtar"}, filepath.Ext(path)) &&
				filepath.Base(path) != "usage_test.go" // it has wrong values of flags
			if err != nil || entry.IsDir() || !written {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range word.FindAllStringSubmatch(string(text), -1) {
				if !slices.Contains(known, found[1]) {
					t.Errorf("%s has the outcome %q", path, found[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The exit status of "followup ask" is the documented one for each outcome.
func TestOutcomeStatuses(t *testing.T) {
	t.Parallel()
	for word, want := range documentedOutcomes(t) {
		a := &asking{process: process{stdout: io.Discard, stderr: io.Discard}, askOptions: askOptions{speak: locale.English}}
		err, got := a.print(protocol.AskResult{Outcome: protocol.Outcome(word)}), exitFailed
		var code status
		switch {
		case err == nil:
			got = 0
		case errors.As(err, &code):
			got = int(code)
		}
		if word == string(protocol.OutcomeInvalid) { // already rejected when it is asked
			continue
		}
		if got != want {
			t.Errorf("%s: status %d, documented is %d", word, got, want)
		}
	}
}
