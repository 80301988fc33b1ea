package transcript

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"followup/internal/question"

	"github.com/google/go-cmp/cmp"
)

// opencode's store can be read while opencode uses it. Afterwards, reading leaves no new files beside it.
func TestDatabaseInUse(t *testing.T) {
	path := databaseOf(t, "testdata/opencode.sql", "opencode.db")
	if got := readPath(path); got.Report.Found != 2 {
		t.Errorf("at rest: %s", got)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_, err = db.Exec(`INSERT INTO part VALUES ('prt_0100', 'm', 'ses_1', 1, 1, '{"type":"tool","callID":"call_O000000000000000009","tool":"question","state":{"status":"completed","input":{"questions":[{"question":"New?","options":[{"label":"Yes"}]}]},"metadata":{"answers":[["Yes"]]}}}')`)
	if err != nil {
		t.Fatal(err)
	}
	if got := readPath(path); got.Report.Found != 3 || got.Exchanges[2].Picks[0].Options[0] != 0 {
		t.Errorf("in use: %s", got)
	}

	crashed := filepath.Join(t.TempDir(), "opencode.db")
	for _, ending := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + ending)
		if err := errors.Join(err, os.WriteFile(crashed+ending, data, 0o400)); err != nil {
			t.Fatal(err)
		}
	}
	if got := readPath(crashed); got.Report.Found != 3 {
		t.Errorf("after a crash: %s", got)
	}
	// On Windows, SQLite leaves its index file.
	if left, err := os.ReadDir(filepath.Dir(crashed)); err != nil || len(left) != 2 && runtime.GOOS != "windows" {
		t.Errorf("left %v, %v", left, err)
	}
}

// A database that is locked, has a newer schema or belongs to another program is reported, and the files beside it are
// read.
func TestDatabasesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	make := func(name string, statements ...string) *sql.DB {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		t.Cleanup(func() { _ = db.Close() })
		for _, statement := range statements {
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		return db
	}
	make("a.db", "CREATE TABLE part (id, session_id, data)", "BEGIN EXCLUSIVE", "INSERT INTO part VALUES (1, 2, 3)")
	_ = make("b.db", "CREATE TABLE part (id, session_id, body)").Close()
	_ = make("c.db", "CREATE TABLE other (id)").Close()
	if err := os.WriteFile(filepath.Join(folder, "d.jsonl"), []byte(transcriptOf(question.ToolFollowup, followUp, "<answer>\nThis\n</answer>")), 0o600); err != nil {
		t.Fatal(err)
	}
	got := readPath(folder)
	want := []Damage{{"a.db", 0, ReasonLocked}, {"b.db", 0, ReasonUnknown}, {"c.db", 0, ReasonUnknown}}
	for i := range got.Report.Skipped.First {
		got.Report.Skipped.First[i].File = filepath.Base(got.Report.Skipped.First[i].File)
	}
	if diff := cmp.Diff(want, got.Report.Skipped.First); diff != "" || got.Report.Found != 1 || got.Error != "" {
		t.Errorf("%s (-want +got):\n%s", got, diff)
	}
}

// A malformed row, or a question without an id, is reported, and does not prevent the others from being read.
func TestDatabaseOfOddRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	call := `{"type":"tool","callID":"call_O00000000000000000%d","tool":"question","state":{"status":"completed","input":{"questions":[{"question":"Odd?","options":[]}]},"metadata":{"answers":[["own words"]]}}}`
	_, err = db.Exec(`CREATE TABLE part (id, session_id, data); INSERT INTO part VALUES (NULL, NULL, ?1), (7, 7.5, CAST(?2 AS BLOB)), (x'ff', 1, x'ff00'),
		(1, 1, NULL), (2, 2, 3), (3, 3, '{"tool":"question"'), (4, 4, '["question"]'), (NULL, NULL, '{"type":"tool","tool":"question","state":{"input":{"questions":[{"question":"Whose?"}]}}}')`,
		fmt.Sprintf(call, 1), fmt.Sprintf(call, 2))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if got := readPath(path); got.Report.Found != 2 || got.Report.Damaged.Total != 2 || got.Error != "" || got.Report.Skipped.Total != 0 {
		t.Errorf("%s", got)
	}
}

// A folder of very many files is read in little memory, and reading stops at once when ctx ends. FOLLOWUP_SOAK raises the
// number of files to 100,000.
func TestManyFiles(t *testing.T) {
	folder, many := t.TempDir(), 2000
	if os.Getenv("FOLLOWUP_SOAK") != "" {
		many = 100_000
	}
	for i := range many {
		dir := filepath.Join(folder, fmt.Sprint(i/500))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%020d","content":"?"}]},"toolUseResult":{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":""},{"label":"B","description":""}],"multiSelect":false}],"answers":{"Which?":"A"}}}`, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".jsonl")), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	report, err := Read(context.Background(), folder, options, func(Exchange) error { return nil })
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || report.Found != many || report.Files != many || report.Skipped.Total != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > memoryCap {
		t.Errorf("%d MiB are kept of it", grown>>20)
	}
	ctx, cancel := context.WithCancel(context.Background())
	report, err = Read(ctx, folder, options, func(Exchange) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || report.Files > 2 {
		t.Errorf("left at once: %+v, %v", report, err)
	}
}
