package importing

import (
	"strings"

	"followup/internal/locale"
	"followup/internal/protocol"
)

// Summary describes the result of an import in a language.
func Summary(r protocol.HistoryImportResult, t locale.Tag) string {
	var parts []string
	for _, each := range []struct {
		count      int
		one, other locale.Key
	}{
		{r.Added, "{0} question was added to the history", "{0} questions were added to the history"},
		{r.Known, "{0} already known", "{0} already known"},
		{r.Unanswered, "{0} without an answer", "{0} without an answer"},
		{r.SkippedCount, "{0} file that could not be read", "{0} files that could not be read"},
		{r.DamagedCount, "{0} damaged line", "{0} damaged lines"},
	} {
		if each.count > 0 || len(parts) == 0 {
			parts = append(parts, t.Count(each.count, each.one, each.other))
		}
	}
	return strings.Join(parts, " · ")
}
