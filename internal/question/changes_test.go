package question

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangesOf(t *testing.T) {
	same := "1\n2\n3\n4\n5\n"
	for name, test := range map[string]struct {
		before, after string
		want          Changes
	}{
		"nothing":              {same, same, Changes{Before: "3\n4\n5\n", After: "3\n4\n5\n", Skipped: 2}},
		"a line in the middle": {same + "x\n" + same, same + "y\n" + same, Changes{Before: "3\n4\n5\nx\n1\n2\n3\n", After: "3\n4\n5\ny\n1\n2\n3\n", Skipped: 2}},
		"the first line":       {"x\n" + same, "y\n" + same, Changes{Before: "x\n1\n2\n3\n", After: "y\n1\n2\n3\n"}},
		"the last line":        {same + "x", same + "y", Changes{Before: "3\n4\n5\nx", After: "3\n4\n5\ny", Skipped: 2}},
		"the end of a line":    {same + "ax\nz\n", same + "bx\nz\n", Changes{Before: "3\n4\n5\nax\nz\n", After: "3\n4\n5\nbx\nz\n", Skipped: 2}},
		"a repeated line":      {"a\na\n", "a\na\na\n", Changes{Before: "a\na\n", After: "a\na\na\n"}},
		"a new file":           {"", "a\nb", Changes{After: "a\nb"}},
		"a final line break":   {"a", "a\n", Changes{Before: "a", After: "a\n"}},
		"without a line":       {"x", "y", Changes{Before: "x", After: "y"}},
	} {
		if diff := cmp.Diff(test.want, ChangesOf(test.before, test.after)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	many := ChangesOf(strings.Repeat("a\n", MaxChangedLines), strings.Repeat("b\n", MaxChangedLines)+"c")
	if many.LeftBefore != MaxChangedLines/2 || many.LeftAfter != MaxChangedLines/2+1 || len(many.Before) != MaxChangedLines {
		t.Errorf("%d and %d are left, %d bytes", many.LeftBefore, many.LeftAfter, len(many.Before))
	}
	long := ChangesOf("a", strings.Repeat("b", MaxChangedBytes))
	if long.After != "" || long.LeftAfter != 1 || long.Before != "a" || long.LeftBefore != 0 {
		t.Errorf("%d bytes, %d left", len(long.After), long.LeftAfter)
	}
}

// An edit that is too large to be reviewed is invalid. The size of a file in which little changes does not count for that.
func TestEditsThatCannotBeReviewed(t *testing.T) {
	approval := func(before, after string) *Approval {
		return &Approval{
			Title: "Edit", Options: []Choice{{ID: "a", Kind: ChoiceOnce}, {ID: "b", Kind: ChoiceDeny}},
			Subject: Subject{Kind: SubjectEdit, Path: "/a", Before: before, After: after},
		}
	}
	much := strings.Repeat("line\n", 80_000)
	if err := approval(much+"x\n"+much[:1000], much+"y\n"+much[:1000]).Check(); err != nil {
		t.Errorf("little changes: %v", err)
	}
	for name, after := range map[string]string{"lines": strings.Repeat("b\n", MaxChangedLines), "bytes": strings.Repeat("b", MaxChangedBytes)} {
		if err := approval("a\n", after).Check(); err == nil || err.Code != CodeTooLarge {
			t.Errorf("many %s: %v", name, err)
		}
	}
}
