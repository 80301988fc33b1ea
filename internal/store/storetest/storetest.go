// Package storetest is the test suite that every engine of the store passes.
package storetest

import (
	"testing"
	"time"

	"followup/internal/question"
	"followup/internal/store"
)

// Place returns a function that opens a store in a new place; it is closed with the test.
type Place func(t testing.TB) func(now func() time.Time) store.Store

// Exclusive returns a function that opens a store exclusively in a new place, and waits a short time for another one.
type Exclusive func(t testing.TB) func() (store.Store, error)

// Run runs the suite.
func Run(t *testing.T, open Place, exclusive Exclusive) {
	for name, test := range map[string]func(*testing.T, Place){
		"LifeOfAQuestion":                  testLifeOfAQuestion,
		"Callbacks":                        testCallbacks,
		"RefusedChanges":                   testRefusedChanges,
		"UpdatesLeaveClosedQuestionsAlone": testUpdatesLeaveClosedQuestionsAlone,
		"CommitTogether":                   testCommitTogether,
		"CommitTwice":                      testCommitTwice,
		"FirstOutcomeStands":               testFirstOutcomeStands,
		"Exclusive":                        func(t *testing.T, _ Place) { testExclusive(t, exclusive) },
		"OutcomeIsRecordedOnce":            testOutcomeIsRecordedOnce,
		"DeleteAndRestore":                 testDeleteAndRestore,
		"DeleteByFilter":                   testDeleteByFilter,
		"RepeatedDeletion":                 testRepeatedDeletion,
		"RetainLeavesDeletedToPurge":       testRetainLeavesDeletedToPurge,
		"Pages":                            testPages,
		"IDs":                              testIDs,
		"Search":                           testSearch,
		"For":                              testFor,
		"Kinds":                            testKinds,
		"ImportTwice":                      testImportTwice,
		"ImportAmends":                     testImportAmends,
		"Amend":                            testAmend,
		"Export":                           testExport,
		"Accounts":                         testAccounts,
		"Subscriptions":                    testSubscriptions,
		"UseAfterClose":                    testUseAfterClose,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// Clock is a manual clock.
type Clock struct{ at time.Time }

// NewClock returns a clock with a fixed time.
func NewClock() *Clock { return &Clock{time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time { return c.at }

// Forward advances the clock.
func (c *Clock) Forward(d time.Duration) { c.at = c.at.Add(d) }

// PNG is an image of an answer, and draftPNG the same in a draft.
var (
	PNG      = question.Image{MimeType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n one")}
	draftPNG = store.Image{MimeType: PNG.MimeType, Data: PNG.Data}
)

// must returns the value, or fails the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
