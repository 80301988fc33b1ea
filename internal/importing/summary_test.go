package importing

import (
	"testing"

	"followup/internal/locale"
	"followup/internal/protocol"
)

func TestSummary(t *testing.T) {
	for _, test := range []struct {
		brought protocol.HistoryImportResult
		in      locale.Tag
		want    string
	}{
		{protocol.HistoryImportResult{}, locale.English, "0 questions were added to the history"},
		{protocol.HistoryImportResult{Added: 1, Known: 1, SkippedCount: 1, DamagedCount: 1}, locale.English, "1 question was added to the history · 1 already known · 1 file that could not be read · 1 damaged line"},
		{protocol.HistoryImportResult{Added: 5, Known: 2, Unanswered: 1, SkippedCount: 3, DamagedCount: 2}, locale.English, "5 questions were added to the history · 2 already known · 1 without an answer · 3 files that could not be read · 2 damaged lines"},
		{protocol.HistoryImportResult{Added: 2, Known: 4}, locale.French, "2 questions ont été ajoutées à l'historique · déjà connues\u00a0: 4"},
	} {
		if got := Summary(test.brought, test.in); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
