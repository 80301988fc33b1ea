package persistence

import (
	"context"
	"errors"
	"reflect"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/conversation"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
)

// watchInterval is how often it is looked whether another process has written.
const watchInterval = 100 * time.Millisecond

// mergedAtOnce is how many questions are brought up to date in one section, so that others come in between.
const mergedAtOnce = 64

// news is what other processes have written, as it stands in the store.
type news struct {
	sessions  []store.Session
	questions []store.Question
	drafts    []store.Draft
	// What belongs to these: sessions that are not in memory, and requests for guidance that have ended.
	mirrored map[string]store.Session
	guidance map[string]*conversation.Record
}

// load takes up everything that is open in a store, whoever asked it.
func (k *Keeper) load(ctx context.Context, from store.Store) error {
	k.syncing.Lock()
	defer k.syncing.Unlock()
	revision, err := from.Revision(ctx) // before the rest: what is written meanwhile is told again
	if err != nil {
		return err
	}
	still := map[string]bool{}
	for after := int64(0); ; {
		page, err := from.OpenQuestions(ctx, after, mergedAtOnce)
		if err != nil {
			return err
		}
		if err := k.merge(ctx, from, news{questions: page}); err != nil {
			return err
		}
		for _, q := range page {
			still[q.ID], after = true, q.Order
		}
		if len(page) < mergedAtOnce {
			break
		}
	}
	k.revision = revision
	k.tellAccounts(from)
	var gone []string // closed while nobody looked, or by whoever opened a new store first
	k.registry.View(func() {
		k.registry.Records(func(r *conversation.Record) {
			if r.Whole() && r.Outcome == nil && !still[r.ID] {
				gone = append(gone, r.ID)
			}
		})
	})
	k.reread(ctx, from, gone)
	return nil
}

// reread brings questions up to date with the store; later, where that is not there.
func (k *Keeper) reread(ctx context.Context, from store.Store, ids []string) {
	for _, id := range ids {
		q, err := from.Question(ctx, id)
		if err == nil {
			err = k.merge(ctx, from, news{questions: []store.Question{q}})
		}
		switch {
		case err == nil || errors.Is(err, store.ErrNotFound):
		case isAway(ctx, err):
			k.registry.View(func() { k.again[id] = true })
		default:
			k.log.Warn("a question could not be read again", zap.String("question", id), zap.Error(err))
			k.report(from, err)
		}
	}
}

// Follow takes over what other processes have written so far, unless the store takes too long for that.
func (k *Keeper) Follow() {
	if from := k.current(); from != nil {
		ctx, cancel := context.WithTimeout(context.Background(), k.options.Slow)
		defer cancel()
		k.sync(ctx, from)
	}
}

// sync takes over what other processes have written to a store.
func (k *Keeper) sync(ctx context.Context, from store.Store) {
	lapsed, err := k.follow(ctx, from)
	if lapsed {
		err = k.load(ctx, from)
	}
	if err != nil {
		if ctx.Err() == nil {
			k.log.Warn("could not read what other processes have written", zap.Error(err))
			k.report(from, err)
		}
		return
	}
	var again []string
	k.registry.View(func() {
		for id := range k.again {
			if r := k.registry.Record(id); r == nil || !k.busy(r) {
				again = append(again, id)
				delete(k.again, id)
			}
		}
	})
	k.reread(ctx, from, again)
	k.lookAfterOwners(ctx, from)
}

// follow takes over what others have written since the revision that is known, if that is not too long ago.
func (k *Keeper) follow(ctx context.Context, from store.Store) (lapsed bool, err error) {
	k.syncing.Lock()
	defer k.syncing.Unlock()
	changes, err := from.Changed(ctx, k.revision)
	if err != nil || changes.Lapsed {
		return changes.Lapsed, err
	}
	if err := k.merge(ctx, from, news{sessions: changes.Sessions, questions: changes.Questions, drafts: changes.Drafts}); err != nil {
		return false, err
	}
	k.revision = changes.Revision // behind the merge: what a panic cut off is read again
	if changes.Accounts {
		k.tellAccounts(from)
	}
	return false, nil
}

func (k *Keeper) tellAccounts(in store.Store) {
	if k.options.Accounts != nil {
		k.options.Accounts(in)
	}
}

// merge brings sessions and questions up to date with the store's, and lets the sessions go on from there. What has to be read
// for that is read first; then it goes in steps. Where the store is away meanwhile, that is an error, and it has to be done again.
func (k *Keeper) merge(ctx context.Context, from store.Store, n news) error {
	for len(n.sessions)+len(n.questions)+len(n.drafts) > 0 {
		step := n
		step.questions = n.questions[:min(len(n.questions), mergedAtOnce)]
		step.drafts = n.drafts[:min(len(n.drafts), mergedAtOnce)]
		n.sessions, n.questions, n.drafts = nil, n.questions[len(step.questions):], n.drafts[len(step.drafts):]
		if err := k.complete(ctx, from, &step); err != nil {
			return err
		}
		k.apply(step)
	}
	return nil
}

// isAway tells whether something could not be read now, and may be later.
func isAway(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, store.ErrUnavailable))
}

// complete reads what belongs to news and is not in memory. Half of it would be worse than none: a question would be of another session.
func (k *Keeper) complete(ctx context.Context, from store.Store, n *news) (away error) {
	n.mirrored, n.guidance = map[string]store.Session{}, map[string]*conversation.Record{}
	fail := func(q store.Question, err error) {
		switch {
		case err == nil:
		case isAway(ctx, err):
			away = err
		default:
			k.log.Error("what belongs to a question in the store cannot be read", zap.String("question", q.ID), zap.Error(err))
			k.report(from, err)
		}
	}
	for i := range n.questions {
		q := &n.questions[i]
		var r, guide *conversation.Record
		var known bool
		k.registry.View(func() {
			r, guide, known = k.registry.Record(q.ID), k.registry.Record(q.GuidedBy), k.registry.Known(q.Session) != nil
		})
		if q.Outcome != nil {
			if r != nil {
				whole, err := k.completed(ctx, from, *q.Outcome)
				*q.Outcome = whole
				fail(*q, err)
			}
			continue
		}
		if !known && n.mirrored[q.Session].ID == "" {
			row, err := from.Session(ctx, q.Session)
			if err == nil {
				n.mirrored[q.Session] = row
			}
			fail(*q, err)
		}
		if q.State == store.Held && guide == nil && q.GuidedBy != "" {
			asked, err := from.Question(ctx, q.GuidedBy)
			if err == nil && asked.Outcome != nil {
				n.guidance[q.GuidedBy], err = k.recall(ctx, from, asked)
			}
			fail(*q, err)
		}
		if q.Draft != nil {
			fail(*q, k.completeDraft(ctx, from, r, q.Draft))
		}
	}
	for i := range n.drafts {
		var r *conversation.Record
		k.registry.View(func() { r = k.registry.Record(n.drafts[i].QuestionID) })
		if r != nil {
			fail(store.Question{ID: r.ID}, k.completeDraft(ctx, from, r, &n.drafts[i]))
		}
	}
	return away
}

// completeDraft reads those images of a draft that are not in memory.
func (k *Keeper) completeDraft(ctx context.Context, from store.Store, r *conversation.Record, d *store.Draft) error {
	var known []protocol.DraftImage
	k.registry.View(func() {
		if r != nil && r.Draft != nil {
			known = r.Draft.Images
		}
	})
	for i := range d.Images {
		if archive.FillImage(&d.Images[i], known) {
			continue
		}
		image, err := from.Image(ctx, d.Images[i].Hash)
		if err != nil {
			return err
		}
		d.Images[i] = image
	}
	return nil
}

// apply is one step of merge.
func (k *Keeper) apply(n news) {
	k.registry.Enter()
	defer k.registry.Leave()
	changed := map[*conversation.Conversation]int{} // to the count of mistakes
	for _, row := range n.sessions {
		c := k.registry.Known(row.ID)
		if c == nil || k.unsaved[c] != nil || k.writing[c] != nil || row.Version == k.rows[c].Version {
			continue // what is being written will be lost, and bring this
		}
		changed[c] = k.mergeOptions(c, row)
	}
	for _, q := range n.questions {
		c, err := k.mergeQuestion(q, n)
		k.odd(q.ID, err)
		if _, known := changed[c]; c != nil && !known {
			changed[c] = c.State.Mistakes.Count()
		}
	}
	for _, d := range n.drafts {
		if r := k.registry.Record(d.QuestionID); r != nil && r.Outcome == nil {
			k.odd(r.ID, k.mergeDraft(r, &d))
		}
	}
	for c, mistakes := range changed {
		k.registry.Restore(c, mistakes)
	}
}

// odd notes a row that could not be read. It stays in the store; the user is told once.
func (k *Keeper) odd(id string, err error) {
	if err == nil {
		return
	}
	k.log.Error("a row of the store cannot be read", zap.String("question", id), zap.Error(err))
	if !k.oddRows[id] {
		k.oddRows[id] = true
		k.health.notice = k.registry.Locale.Text(locale.StorageOddRow, id, err)
	}
}

// mergeQuestion brings one question up to date, and returns its session if anything about it has changed. A draft that cannot
// be read is an error beside that.
func (k *Keeper) mergeQuestion(q store.Question, n news) (*conversation.Conversation, error) {
	r := k.registry.Record(q.ID)
	switch {
	case r == nil && q.Outcome != nil:
		return nil, nil
	case r == nil:
		c := k.registry.Known(q.Session)
		if c == nil {
			row, read := n.mirrored[q.Session]
			if !read {
				return nil, errNoSession
			}
			var err error
			if c, err = k.mirrored(row); err != nil {
				return nil, err
			}
		}
		var err error
		if r, err = fromQuestion(c, q); err != nil {
			return nil, err
		}
		k.registry.AddRecord(r)
	case r.Outcome != nil:
		return nil, nil
	case q.Outcome != nil:
		return r.Conversation, k.adopt(r, *q.Outcome)
	}
	k.registry.OwnedBy(r, q.Owner, q.Alive)
	if k.busy(r) {
		k.again[r.ID] = true
		return nil, k.mergeDraft(r, q.Draft)
	}
	r.State, r.Stored.GuidedBy = itemStates[q.State], q.GuidedBy
	guide := n.guidance[q.GuidedBy]
	if guide == nil {
		guide = k.registry.Record(q.GuidedBy)
	}
	if r.GuidedBy == nil && guide != nil && guide.Outcome != nil {
		r.GuidedBy = guide
	}
	if r.State != protocol.ItemHeld {
		k.registry.Show(r)
	}
	return r.Conversation, k.mergeDraft(r, q.Draft)
}

// errOddRow says that a question is in the store and cannot be read.
var errOddRow = errors.New("its row cannot be read")

// errNoSession is that of a question whose session is not in the store, or cannot be read.
var errNoSession = errors.New("its session cannot be read")

// mergeDraft takes over a draft that stands in the store, unless ours is newer.
func (k *Keeper) mergeDraft(r *conversation.Record, d *store.Draft) error {
	var theirs *protocol.Draft
	var images map[string]bool
	if d != nil && (len(d.Picks) > 0 || len(d.Images) > 0) {
		draft, kept, err := archive.DecodeDraft(*d)
		if err != nil {
			return err
		}
		theirs, images = &draft, kept
	}
	if r.AdoptDraft(theirs) {
		r.Stored.Images = images
		k.registry.Show(r)
	}
	return nil
}

// mergeOptions takes over what another process has written of a session, but for what has changed here since it was last read,
// and gives the count of mistakes: those of both.
func (k *Keeper) mergeOptions(c *conversation.Conversation, theirs store.Session) (mistakes int) {
	base, known := k.rows[c]
	ours, ourClock := k.row(c), c.State.Clock
	k.rows[c] = theirs
	if !known {
		return ours.Mistakes
	}
	merged := theirs
	if !reflect.DeepEqual(ours.Folders, base.Folders) {
		merged.Folders = ours.Folders
	}
	baseOptions, baseClock := optionsOf(base)
	if ourOptions, _ := optionsOf(ours); !reflect.DeepEqual(ourOptions, baseOptions) {
		merged.Options = ours.Options
	}
	if ours.Locale != base.Locale {
		merged.Locale = ours.Locale
	}
	if ours.Limit != base.Limit {
		merged.Limit = ours.Limit
	}
	if ours.Closed != base.Closed {
		merged.Closed = ours.Closed
	}
	if err := setOptions(c, merged); err != nil {
		k.log.Error("a session in the store cannot be read", zap.String("session", c.ID), zap.Error(err))
	}
	_, c.State.Clock = optionsOf(theirs)
	switch {
	case ourClock == baseClock:
	case c.State.Clock == baseClock:
		c.State.Clock = ourClock
	default:
		c.State.Clock = ourClock.Join(c.State.Clock)
	}
	if more := ours.Mistakes - base.Mistakes; more >= 0 {
		return theirs.Mistakes + more
	}
	return ours.Mistakes
}
