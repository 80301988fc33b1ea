package transcript

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what is wanted in testdata/*.golden")

var options Options

// reading is the result of reading a log.
type reading struct {
	Exchanges []Exchange
	Report    Report
	Error     string `json:",omitempty"`
}

func (t *reading) emit(x Exchange) error {
	t.Exchanges = append(t.Exchanges, x)
	return nil
}

func (t *reading) done(report Report, err error) {
	t.Report = report
	for _, files := range [][]Damage{t.Report.Damaged.First, t.Report.Skipped.First} {
		for i := range files {
			files[i].File = filepath.ToSlash(files[i].File)
		}
	}
	if err != nil {
		t.Error = err.Error()
	}
}

func readPath(path string) (t reading) {
	t.done(Read(context.Background(), path, options, t.emit))
	return t
}

func readBytes(name string, in io.Reader) (t reading) {
	t.done(ReadFrom(context.Background(), name, in, options, t.emit))
	return t
}

func (t reading) String() string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(t); err != nil {
		return err.Error()
	}
	return out.String()
}

// Reads a folder for each kind of log, with damage in it.
func TestGolden(t *testing.T) {
	for _, kind := range []string{
		"claude-code", "cc-viewer", "cc-viewer-2", "roo", "zoo", "bob", "kilo", "cline", "cline-sessions", "codex", "gemini", "qwen", "copilot", "copilot-cli", "kimi",
		"opencode.sql", "opencode-2.sql", "kilo-cli.sql",
	} {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join("testdata", kind)
			name, isDatabase := strings.CutSuffix(kind, ".sql")
			if isDatabase {
				path = databaseOf(t, path, strings.TrimRight(strings.TrimSuffix(name, "-cli"), "-2")+".db")
			}
			read := readPath(path)
			for i, d := range read.Report.Damaged.First {
				read.Report.Damaged.First[i].File = strings.Replace(d.File, filepath.ToSlash(filepath.Dir(path))+"/", "", 1)
			}
			got := read.String()
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; rewrite with: go test ./internal/transcript -update", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// databaseOf creates a database from the statements in a file.
func databaseOf(t testing.TB, statements, name string) string {
	t.Helper()
	text, err := os.ReadFile(statements)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// logs are the fixtures' files.
func logs(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir("testdata", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !mayBeLog(path) || strings.Contains(path, "settings") {
			return err
		}
		all[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(all) < 7 {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	return all
}

// The result does not depend on a byte order mark, on Windows line endings, or on how the log is split into reads.
func TestSpellingsOfOneLog(t *testing.T) {
	for path, data := range logs(t) {
		want := readBytes(path, bytes.NewReader(data))
		for name, in := range map[string]io.Reader{
			"byte order mark": io.MultiReader(strings.NewReader("\ufeff"), bytes.NewReader(data)),
			"CRLF":            bytes.NewReader(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))),
			"byte by byte":    iotest.OneByteReader(bytes.NewReader(data)),
			"EOF with data":   iotest.DataErrReader(bytes.NewReader(data)),
			"empty lines":     bytes.NewReader(bytes.ReplaceAll(data, []byte("}\n"), []byte("} \n"))),
		} {
			got := readBytes(path, in)
			got.Report.Bytes = want.Report.Bytes
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s with %s (-want +got):\n%s", path, name, diff)
			}
		}
	}
}
