// Package importing adds other tools' questions and answers to the store: it converts the exchanges in their logs to store
// entries.
package importing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"followup/internal/archive"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/transcript"
)

// batch is how many exchanges are written in one transaction, so that answers need not wait long.
const batch = 200

// maxListed is how many damaged lines, and how many skipped files, the result lists; all are counted.
const maxListed = 20

// Progress is called repeatedly with the bytes read and the exchanges found.
type Progress func(read, total int64, found int)

// run is one import.
type run struct {
	into     func(context.Context, []store.Imported) (added, known int, err error) // writes exchanges, or only looks them up
	locale   locale.Tag
	waiting  []store.Imported
	result   protocol.HistoryImportResult
	progress Progress
	since    time.Time // files that were last written before are left out
	read     int64     // bytes of the paths that are done
}

// None is the result of an import that did nothing.
func None() protocol.HistoryImportResult {
	return protocol.HistoryImportResult{Skipped: []protocol.DamagedRecord{}, Damaged: []protocol.DamagedRecord{}}
}

// Import imports the logs in files and folders: first those at found, which Places returned, then those at named, which the
// user chose. t is the language of the errors of invalid calls. If ctx ends or an error occurs, the exchanges read before
// are kept and counted. A named path without a log is listed as skipped; if no named path has one, Import returns the error
// of transcript.Read. Found paths may have none.
func Import(ctx context.Context, into store.Store, found, named []string, t locale.Tag, progress Progress) (protocol.HistoryImportResult, error) {
	r := &run{into: into.Import, locale: t, progress: progress, result: None()}
	err := r.all(ctx, found, named)
	return r.result, err
}

// Count returns the result that Import would have for found paths, and writes nothing. knows returns how many of the
// exchanges the store already has.
func Count(
	ctx context.Context, knows func(context.Context, []store.Imported) (int, error), paths []string, t locale.Tag, progress Progress,
) (protocol.HistoryImportResult, error) {
	r := &run{locale: t, progress: progress, result: None(), into: func(ctx context.Context, all []store.Imported) (added, known int, err error) {
		known, err = knows(ctx, all)
		return len(all) - known, known, err
	}}
	err := r.all(ctx, paths, nil)
	return r.result, err
}

func (r *run) all(ctx context.Context, found, named []string) error {
	// Other tools allow more questions and options.
	o := transcript.Options{Since: r.since, Limits: question.Limits{Questions: question.MaxRaised, Options: question.MaxRaised}}
	if r.progress != nil {
		o.Progress = func(read, total int64) { r.progress(r.read+read, total, r.result.Added+r.result.Known+len(r.waiting)) }
	}
	var failed error // the first
	for i, path := range slices.Concat(found, named) {
		report, err := transcript.Read(ctx, path, o, func(x transcript.Exchange) error { return r.add(ctx, x) })
		if errors.Is(err, transcript.ErrUnreadable) || errors.Is(err, transcript.ErrUnknownFormat) {
			if i < len(found) {
				err = nil
			} else if report.Skipped.Total == 0 {
				report.Skipped = transcript.Places{Total: 1, First: []transcript.Damage{{File: path, Reason: transcript.ReasonUnknown}}}
			}
			failed, err = cmp.Or(failed, err), nil
		}
		r.note(report)
		if err = errors.Join(err, r.flush(ctx, 1)); err != nil {
			return err
		}
	}
	if r.result.Files > 0 {
		return nil
	}
	return failed
}

func (r *run) note(report transcript.Report) {
	r.read += report.Bytes
	r.result.Files += report.Files
	r.result.Unanswered += report.Unanswered
	r.list(report.Damaged, &r.result.Damaged, &r.result.DamagedCount)
	r.list(report.Skipped, &r.result.Skipped, &r.result.SkippedCount)
}

func (r *run) list(places transcript.Places, list *[]protocol.DamagedRecord, count *int) {
	*count += places.Total
	for _, damage := range places.First[:min(len(places.First), maxListed-len(*list))] {
		*list = append(*list, protocol.DamagedRecord{File: damage.File, Line: damage.Line, Reason: r.locale.Text(damage.Reason.Text)})
	}
}

func (r *run) add(ctx context.Context, x transcript.Exchange) error {
	imported, err := r.imported(x)
	if err != nil {
		return err
	}
	r.waiting = append(r.waiting, imported)
	return r.flush(ctx, batch)
}

// lastPatience limits how long a cancelled import may take to write the exchanges that it has read.
const lastPatience = time.Second

// flush writes the exchanges read so far if there are at least as many as enough, even if ctx has ended.
func (r *run) flush(ctx context.Context, enough int) error {
	if len(r.waiting) < enough {
		return nil
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
		defer cancel()
	}
	added, known, err := r.into(ctx, r.waiting)
	r.waiting = r.waiting[:0]
	r.result.Added += added
	r.result.Known += known
	return err
}

// imported converts an exchange to the store's form.
func (r *run) imported(x transcript.Exchange) (store.Imported, error) {
	var said *protocol.CallError
	if e := x.Call.Err; e != nil {
		said = &protocol.CallError{Message: dialect.Message(r.locale, x.Call.Tool, e), Found: dialect.Found(r.locale, e)}
	}
	call, err := archive.EncodeCall(x.Call, said)
	if err != nil {
		return store.Imported{}, err
	}
	item := itemOutcome(x)
	out, err := outcome(x, archive.Ended{Item: item})
	if err != nil {
		return store.Imported{}, err
	}
	out.ClosedAt = x.AnsweredAt
	return store.Imported{
		Source: string(x.Source), Key: x.ID, Shared: x.Shared, Outcome: out,
		Question: store.Question{
			Tool: x.Call.Tool, Call: call, Text: archive.SearchText(x.Call), AskedAt: x.AskedAt, Agent: x.Agent, Workspace: x.Workspace,
		},
		// A live question gets the outcome of the exchange if that is more accurate. The agent's answer stays.
		Amend: func(live store.Outcome) (store.Outcome, bool) {
			if !live.Outcome.YieldsTo(x.Outcome) {
				return live, false
			}
			ended, err := archive.DecodeEnded(live.Answer, nil)
			if err != nil {
				return live, false
			}
			ended.Item = item
			amended, err := outcome(x, ended)
			return amended, err == nil
		},
	}, nil
}

// outcome converts the end of an exchange to the store's form.
func outcome(x transcript.Exchange, ended archive.Ended) (store.Outcome, error) {
	answer, err := archive.EncodeEnded(ended)
	return store.Outcome{
		Outcome: x.Outcome, Provenance: ended.Item.Provenance, Answer: answer, Text: archive.AnswerText(x.Call, ended.Item),
	}, err
}

// itemOutcome returns how an exchange ended. An answer that is one of the suggestions counts as clicked.
func itemOutcome(x transcript.Exchange) protocol.ItemOutcome {
	item := protocol.ItemOutcome{Outcome: x.Outcome, Text: x.AnswerText, Picks: x.Picks}
	if x.Outcome != question.Answered {
		return item
	}
	item.Provenance = protocol.ProvenanceTyped
	switch {
	case x.Timer:
		item.Provenance = protocol.ProvenanceTimer
	case x.Call.Followup != nil:
		all := x.Call.Followup.Suggest
		if i := slices.IndexFunc(all, func(s question.Suggestion) bool { return s.Answer == x.AnswerText }); i >= 0 {
			item.Provenance, item.Suggestion, item.Mode = protocol.ProvenanceClicked, &i, all[i].Mode
		}
	case x.Call.Questionnaire != nil:
		if answers, code := x.Call.Questionnaire.Resolve(x.Picks, question.Attachments{}); code == "" {
			item.Provenance = answers.Provenance
		}
	}
	return item
}
