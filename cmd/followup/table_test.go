package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"fits", 4, "fits"}, {"does not", 6, "does…"}, {"数据库", 6, "数据库"}, {"数据库", 5, "数据…"}, {"数据库", 4, "数…"},
		{"e\u0301te\u0301", 3, "e\u0301te\u0301"}, {"été là", 4, "été…"}, {"", 3, ""}, {"🙂🙂", 3, "🙂…"},
	} {
		got := cut(test.text, test.width)
		if got != test.want || cells(got) > test.width {
			t.Errorf("%q in %d cells: %q of %d, want %q", test.text, test.width, got, cells(got), test.want)
		}
	}
}

// A list fits the terminal if possible, and its columns are aligned in any script.
func TestTable(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"019a9c00", "2026-06-05 09:02", "Codex", "Which of the two databases is it?", "SQLite, of course"},
		{"4597fe4d-07", "", "数据", "哪个数据库？", "PostgreSQL"},
	}
	for terminal, want := range map[int][]string{
		0: {
			"019a9c00     2026-06-05 09:02  Codex  Which of the two databases is it?  SQLite, of course",
			"4597fe4d-07                    数据   哪个数据库？                       PostgreSQL",
		},
		75: {
			"019a9c00     2026-06-05 09:02  Codex  Which of the two…   SQLite, of course",
			"4597fe4d-07                    数据   哪个数据库？        PostgreSQL",
		},
		50: { // too narrow for the times
			"019a9c00     Codex  Which of the t…  SQLite, of c…",
			"4597fe4d-07  数据   哪个数据库？     PostgreSQL",
		},
		20: {
			"019a9c00     Codex  Which of th…  SQLite, o…",
			"4597fe4d-07  数据   哪个数据库？  PostgreSQL",
		},
	} {
		got := aligned(rows, columnWidths(rows, terminal), terminal > 0, false)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d cells (-want +got):\n%s", terminal, diff)
		}
		if widest := slices.Max([]int{cells(got[0]), cells(got[1])}); terminal >= 50 && widest > terminal {
			t.Errorf("%d cells in %d", widest, terminal)
		}
	}
	if got := aligned(rows[1:], columnWidths(rows, 0), false, true)[0]; got != "\x1b[2m4597fe4d-07\x1b[0m                    \x1b[36m数据\x1b[0m   哪个数据库？                       \x1b[1mPostgreSQL\x1b[0m" {
		t.Errorf("in colours: %q", got)
	}
}

// Without a terminal, nothing is cut and a long text does not push other lines apart. A terminal is used up to its edge.
func TestTableOfLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wide ", 30) + "last"
	rows := [][]string{
		{"1", "2026-06-05 09:02", strings.Repeat("agent ", 9) + "x", long, long},
		{"2", "2026-06-05 09:03", "Codex", "Which?", "this"},
	}
	got := aligned(rows, columnWidths(rows, 0), false, false)
	if want := strings.Join(rows[0], columnGap); got[0] != want {
		t.Errorf("got %q, want %q", got[0], want)
	}
	if wide := cells(got[1]); wide > 120 {
		t.Errorf("a short row has %d cells: %q", wide, got[1])
	}
	for _, terminal := range []int{60, 100, 250} {
		got := aligned(rows, columnWidths(rows, terminal), true, false)
		if wide := cells(got[0]); wide > terminal || wide < terminal-4 {
			t.Errorf("%d of %d cells: %q", wide, terminal, got[0])
		}
	}
}
