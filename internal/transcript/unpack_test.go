package transcript

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"followup/internal/question"
)

// pack compresses a log.
func pack(t *testing.T, log string, options ...zstd.EOption) string {
	t.Helper()
	var out bytes.Buffer
	to, err := zstd.NewWriter(&out, options...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Write([]byte(log)); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// After its tool has compressed it, a log returns the same exchanges with the same ids.
func TestPackedLog(t *testing.T) {
	plain := readPath("testdata/codex")
	packed := t.TempDir()
	err := filepath.WalkDir("testdata/codex", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		log, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(packed, entry.Name()+packedSuffix), []byte(pack(t, string(log))), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	got := readPath(packed)
	if diff := cmp.Diff(plain.Exchanges, got.Exchanges); diff != "" || len(got.Exchanges) == 0 || got.Error != "" {
		t.Errorf("%s (-want +got):\n%s", got.Error, diff)
	}
	if got.Report.Bytes >= plain.Report.Bytes || got.Report.Files != plain.Report.Files {
		t.Errorf("%d bytes of %d files are read: progress counts what is on the disk", got.Report.Bytes, got.Report.Files)
	}
}

// A damaged compressed log is reported. The exchanges before the damage, and all other files, are read.
func TestDamagedPackedLogs(t *testing.T) {
	log := func(id string) string {
		return strings.ReplaceAll(transcriptOf(question.ToolFollowup, followUp, "<answer>\n"+id+"\n</answer>"), "toolu_", "toolu_"+id)
	}
	filler := `{"type":"user","filler":"` + strings.Repeat("0123456789", 100_000) + `"}` + "\n"
	long := func(id string) string {
		return pack(t, log(id)+filler+strings.ReplaceAll(filler, "0", "x"), zstd.WithWindowSize(64<<10), zstd.WithEncoderCRC(true))
	}
	cut, broken := long("a"), []byte(long("e"))
	broken[len(broken)-2] ^= 1 // of the checksum
	folder := t.TempDir()
	for name, content := range map[string]string{
		"cut.jsonl.zst": cut[:len(cut)-8], "sum.jsonl.zst": string(broken), "whole.jsonl.zst": pack(t, log("b")), "plain.jsonl": log("c"),
		"garbage.jsonl.zst": packedMagic + "garbage", "other.jsonl.zst": pack(t, "no log"), "notes.txt.zst": pack(t, log("d")),
		"window.jsonl.zst": packedMagic + "\x00\xa8" + strings.Repeat("\x00", 20),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := readPath(folder)
	var answers []string
	for _, x := range got.Exchanges {
		answers = append(answers, x.AnswerText)
	}
	if diff := cmp.Diff([]string{"a", "c", "e", "b"}, answers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	place := func(name string, reason Reason) Damage {
		return Damage{filepath.ToSlash(filepath.Join(folder, name)), 0, reason}
	}
	sorted := cmpopts.SortSlices(func(a, b Damage) bool { return a.File < b.File })
	if diff := cmp.Diff([]Damage{
		place("garbage.jsonl.zst", ReasonPacked), place("other.jsonl.zst", ReasonUnknown), place("window.jsonl.zst", ReasonUnpacked),
	}, got.Report.Skipped.First, sorted); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	whole := got.Report.Damaged.First[:0:0]
	for _, damage := range got.Report.Damaged.First {
		if damage.Line == 0 {
			whole = append(whole, damage)
		}
	}
	if diff := cmp.Diff([]Damage{place("cut.jsonl.zst", ReasonPacked), place("sum.jsonl.zst", ReasonPacked)}, whole, sorted); diff != "" {
		t.Errorf("damaged (-want +got):\n%s", diff)
	}
}

// Reading a small file with a huge content ends at the limit, in bounded memory, and at once when it is cancelled.
func TestBomb(t *testing.T) {
	defer func(whole int64) { maxUnpacked = whole }(maxUnpacked)
	maxUnpacked = 32 << 20
	var bomb bytes.Buffer
	to, err := zstd.NewWriter(&bomb, zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte(" "), 1<<20)
	for range maxUnpacked>>20 + 16 {
		if _, err := to.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.jsonl.zst")
	log := pack(t, transcriptOf(question.ToolFollowup, followUp, "<answer>\na\n</answer>"))
	if err := os.WriteFile(path, append([]byte(log), bomb.Bytes()...), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := readPath(path)
	runtime.ReadMemStats(&after)
	if got.Report.Found != 1 || len(got.Report.Damaged.First) != 1 || got.Report.Damaged.First[0].Reason != ReasonUnpacked {
		t.Errorf("found %d; damaged: %v", got.Report.Found, got.Report.Damaged.First)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d MiB were allocated for a file of %d KiB", used>>20, bomb.Len()>>10)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, path, options, func(Exchange) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
