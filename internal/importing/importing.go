// Package importing brings what was asked and answered in other tools into the store: it joins the readers of their logs to
// the readers of calls.
package importing

import (
	"context"
	"errors"
	"time"

	"followup/internal/archive"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/store"
	"followup/internal/transcript"
)

// batch is how many exchanges are written in one transaction, so that answers come in between.
const batch = 200

// maxDamaged is how many damaged lines are told of; all are counted.
const maxDamaged = 20

// Progress tells how far an import has come, now and then.
type Progress func(read, total int64, found int)

// run is one import.
type run struct {
	into     store.Store
	locale   locale.Tag
	waiting  []store.Imported
	result   protocol.HistoryImportResult
	progress Progress
	read     int64 // bytes of the paths that are done
}

// Import reads the logs at the paths, files or folders, into the store. Errors of calls are worded in the language. What was
// read until ctx ends, or an error comes, stays, and is in the result. A path that holds no log is an error; transcript.Read
// tells of which kinds.
func Import(ctx context.Context, into store.Store, paths []string, t locale.Tag, progress Progress) (protocol.HistoryImportResult, error) {
	r := &run{into: into, locale: t, progress: progress, result: protocol.HistoryImportResult{Damaged: []protocol.DamagedRecord{}}}
	for _, path := range paths {
		report, err := transcript.Read(ctx, path, r.options(), func(x transcript.Exchange) error { return r.add(ctx, x) })
		r.note(report)
		if err = errors.Join(err, r.last(ctx)); err != nil {
			return r.result, err
		}
		r.read += report.Bytes
	}
	return r.result, nil
}

func (r *run) options() transcript.Options {
	var refusals []string
	for _, t := range locale.Tags {
		refusals = append(refusals, t.Text(locale.OutcomeDismissed))
	}
	return transcript.Options{
		Read: func(tool string, input []byte) question.Call {
			return dialect.ReadInput(tool, input, dialect.Options{})
		},
		ReadTags: func(message string) []question.Call {
			return dialect.ReadTags(message, dialect.Options{})
		},
		Refusals: refusals,
		Progress: func(read, total int64) {
			if r.progress != nil {
				r.progress(r.read+read, total, r.result.Added+r.result.Known+len(r.waiting))
			}
		},
	}
}

func (r *run) note(report transcript.Report) {
	r.result.Files += report.Files
	r.result.Unanswered += report.Unanswered
	r.result.DamagedCount += report.DamagedTotal
	for _, damage := range report.Damaged {
		if len(r.result.Damaged) < maxDamaged {
			r.result.Damaged = append(r.result.Damaged, protocol.DamagedRecord{
				File: damage.File, Line: damage.Line, Reason: r.locale.Text(reasonKeys[damage.Reason]),
			})
		}
	}
}

// reasonKeys are the words for each reason.
var reasonKeys = map[transcript.Reason]locale.Key{
	transcript.ReasonTruncated:  locale.ImportTruncated,
	transcript.ReasonMalformed:  locale.ImportMalformed,
	transcript.ReasonTooLarge:   locale.ImportTooLarge,
	transcript.ReasonUnreadable: locale.ImportUnreadable,
}

func (r *run) add(ctx context.Context, x transcript.Exchange) error {
	imported, err := r.imported(x)
	if err != nil {
		return err
	}
	r.waiting = append(r.waiting, imported)
	if len(r.waiting) < batch {
		return nil
	}
	return r.flush(ctx)
}

// lastPatience bounds how long an import goes on when it was cancelled, for what it has read already.
const lastPatience = time.Second

// last writes what was read, also when ctx has ended.
func (r *run) last(ctx context.Context) error {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
		defer cancel()
	}
	return r.flush(ctx)
}

func (r *run) flush(ctx context.Context) error {
	if len(r.waiting) == 0 {
		return nil
	}
	added, known, err := r.into.Import(ctx, r.waiting)
	r.waiting = r.waiting[:0]
	r.result.Added += added
	r.result.Known += known
	return err
}

// imported is an exchange as the store takes it.
func (r *run) imported(x transcript.Exchange) (store.Imported, error) {
	message := ""
	if x.Call.Err != nil {
		message = dialect.Message(r.locale, x.Tool, x.Call.Err)
	}
	call, err := archive.EncodeCall(x.Call, message)
	if err != nil {
		return store.Imported{}, err
	}
	item := outcome(x)
	answer, err := archive.EncodeEnded(archive.Ended{Item: item})
	if err != nil {
		return store.Imported{}, err
	}
	return store.Imported{
		Source: string(x.Source), Key: x.ID,
		Question: store.Question{
			Tool: x.Tool, Call: call, Text: archive.SearchText(x.Call), AskedAt: x.AskedAt, Agent: x.Agent, Workspace: x.Workspace,
		},
		Outcome: store.Outcome{
			Outcome: x.Outcome, Provenance: question.Provenance(item.Provenance), Answer: answer,
			Text: archive.AnswerText(x.Call, item), ClosedAt: x.AnsweredAt,
		},
	}, nil
}

// outcome is how an exchange ended. Where the answer is one of the suggestions, it was clicked, as far as anybody can tell.
func outcome(x transcript.Exchange) protocol.ItemOutcome {
	item := protocol.ItemOutcome{Outcome: protocol.Outcome(x.Outcome), Text: x.AnswerText}
	for _, pick := range x.Picks() {
		item.Picks = append(item.Picks, protocol.Pick(pick))
	}
	if x.Outcome != question.Answered {
		return item
	}
	item.Provenance = protocol.ProvenanceTyped
	switch {
	case x.Call.Followup != nil:
		for i, suggestion := range x.Call.Followup.Suggest {
			if suggestion.Answer == x.AnswerText {
				item.Provenance, item.Suggestion, item.Mode = protocol.ProvenanceClicked, &i, suggestion.Mode
				break
			}
		}
	case x.Call.Questionnaire != nil:
		if answers, code := x.Call.Questionnaire.Resolve(x.Picks(), nil); code == "" {
			item.Provenance = protocol.Provenance(answers.Provenance)
		}
	}
	return item
}
