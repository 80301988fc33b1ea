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
		count     int
		one, many locale.Key
		always    bool
	}{
		{r.Added, locale.ImportAddedOne, locale.ImportAdded, true},
		{r.Known, locale.ImportKnown, locale.ImportKnown, false},
		{r.Unanswered, locale.ImportUnanswered, locale.ImportUnanswered, false},
		{r.SkippedCount, locale.ImportSkippedOne, locale.ImportSkipped, false},
		{r.DamagedCount, locale.ImportDamagedOne, locale.ImportDamaged, false},
	} {
		switch {
		case each.count == 0 && !each.always:
		case each.count == 1 && each.one != each.many:
			parts = append(parts, t.Text(each.one))
		default:
			parts = append(parts, t.Text(each.many, each.count))
		}
	}
	return strings.Join(parts, " · ")
}
