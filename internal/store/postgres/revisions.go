package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/engine"
)

// Numbers out of a sequence become visible in the order of the commits, not of the numbers: a reader that goes on behind the newest one
// it has seen would miss a smaller one that is committed later. So revisions are drawn under a lock that the transaction holds until
// it has ended (revisionLock). A server lets go of a transaction's locks behind making it visible: whoever gets the lock next, and with
// it a greater number, comes after a transaction that every later snapshot holds. A reader that sees a revision therefore sees all that
// are smaller, on the server and on its standbys; those that never appear were rolled back.
//
// The lock is taken last, in the one exchange with the server that ends the transaction, so nobody holds it while a client thinks or a
// network waits. It costs little where NOTIFY is used, which has the server commit one transaction at a time anyway. The other way, to
// read up to the oldest transaction that is running (pg_snapshot_xmin), was not taken: a long transaction of anybody's on the same
// server, a backup's or a report's, would hold back all news until it ends. An advisory lock rather than a row: rows that are written
// with every commit leave versions behind, which could not be removed as long as such a transaction runs.

// note is a row of the log that Changed reads.
type note struct {
	ord     int64
	session string
	what    int
}

func (t *tx) noteQuestion(ord int64, what int) { t.notes = append(t.notes, note{ord: ord, what: what}) }
func (t *tx) noteSession(id string)            { t.notes = append(t.notes, note{session: id}) }

// noteHistory notes that the history has changed otherwise than by an outcome.
func (t *tx) noteHistory() { t.noteQuestion(0, engine.WroteHistory) }

// queueNotes has the notes written, and the others told.
func (t *tx) queueNotes(batch *pgx.Batch) {
	orders, sessions, whats := make([]int64, len(t.notes)), make([]string, len(t.notes)), make([]int32, len(t.notes))
	for i, n := range t.notes {
		orders[i], sessions[i], whats[i] = n.ord, escaped(n.session), int32(n.what)
	}
	batch.Queue("SELECT pg_advisory_xact_lock($1, $2)", revisionLock, t.store.lockID)
	batch.Queue(`INSERT INTO log (rev, ord, session, owner, what, mark)
		SELECT nextval('revisions'), n.ord, n.session, $1, n.what, $5 FROM unnest($2::bigint[], $3::text[], $4::integer[]) WITH ORDINALITY AS n (ord, session, what, place)
		ORDER BY n.place`, text(t.store.owner), orders, sessions, whats, t.mark)
	batch.Queue("SELECT pg_notify($1, $2)", t.store.channel, t.store.owner)
}

// Revision gives the newest revision.
func (s *Store) Revision(ctx context.Context) (newest store.Revision, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT max(rev) FROM log", nil, []any{&newest})
	})
	return newest, err
}

// Changed gives what other processes wrote after a revision.
func (s *Store) Changed(ctx context.Context, since store.Revision) (c store.Changes, err error) {
	err = s.read(ctx, func(q querier) error {
		c = store.Changes{}
		var oldest store.Revision
		var news engine.News
		// One statement, and so one snapshot: nothing can be removed from the log in between.
		err := q.each(`SELECT ends.oldest, ends.newest, coalesce(l.ord, 0), coalesce(l.session, ''), coalesce(l.what, 0)
			FROM (SELECT min(rev) AS oldest, max(rev) AS newest FROM log) ends LEFT JOIN log l ON l.rev > $1 AND l.owner <> $2 ORDER BY l.rev`,
			[]any{int64(since), s.owner}, func(scan func(...any) error) error {
				var ord int64
				var session string
				var what int
				err := scan(&oldest, &c.Revision, &ord, &session, &what)
				news.Add(ord, session, what)
				return err
			})
		if err != nil {
			return err
		}
		if c.Lapsed = engine.Lapsed(since, oldest, c.Revision); c.Lapsed {
			return nil
		}
		return q.changed(s, news, &c)
	})
	return c, err
}

func (q querier) changed(s *Store, news engine.News, c *store.Changes) (err error) {
	whole, drafts := news.Tell(c)
	if len(whole) > 0 {
		if c.Questions, err = q.questions(s.clock(), "WHERE q.ord = ANY($2) ORDER BY q.ord", whole); err != nil {
			return err
		}
	}
	if len(drafts) > 0 {
		if c.Drafts, err = q.drafts(drafts); err != nil {
			return err
		}
	}
	if len(news.Sessions) > 0 {
		c.Sessions, err = q.sessions(news.Sessions)
	}
	return err
}

// newest gives the newest revision behind one, and whether another process wrote anything since.
func (s *Store) newest(ctx context.Context, behind int64) (newest int64, others bool, err error) {
	err = s.read(ctx, func(q querier) error {
		return q.one("SELECT (SELECT max(rev) FROM log), EXISTS (SELECT 1 FROM log WHERE rev > $1 AND owner <> $2)",
			[]any{behind, s.owner}, []any{&newest, &others})
	})
	return newest, others, err
}

const (
	// deafness is how many intervals may pass between two looks while the others are heard.
	deafness = 50
	// mostPolled is the longest time between two looks, and unheard between two tries to hear.
	mostPolled = 10 * time.Second
	unheard    = 2 * time.Second
)

// Watch calls changed whenever other processes have written; see store.Store. It hears of that by NOTIFY, and looks at the interval where
// it cannot listen. While the server is not there it goes on looking.
func (s *Store) Watch(ctx context.Context, interval time.Duration, changed func()) error {
	ctx, end := context.WithCancel(ctx)
	rung, hears, ended := make(chan struct{}, 1), make(chan bool), make(chan struct{})
	go func() {
		defer close(ended)
		s.listen(ctx, rung, hears)
	}()
	defer func() {
		end()
		<-ended
	}()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	seen, known, away := int64(0), false, false
	for {
		newest, others, err := s.newest(ctx, seen)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, store.ErrUnavailable):
			if !away {
				s.log.Warn("what other processes write cannot be seen", zap.Error(err))
			}
		case err != nil:
			return err
		default:
			back := newest < seen // a backup was put in the place of the store
			seen = newest
			if others || back || !known {
				known = true
				changed()
			}
		}
		away = err != nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		case <-rung:
		case heard := <-hears:
			if heard {
				ticker.Reset(max(interval, min(interval*deafness, mostPolled)))
			} else {
				ticker.Reset(interval)
			}
		}
	}
}

// listen holds the connection that hears of other processes' commits, and makes a new one when it breaks. It tells whether it hears, and
// what was written before it did is looked for then.
func (s *Store) listen(ctx context.Context, rung chan<- struct{}, hears chan<- bool) {
	tell := func(heard bool) {
		select {
		case hears <- heard:
		case <-ctx.Done():
		}
	}
	for ctx.Err() == nil {
		err := s.hear(ctx, rung, tell)
		if ctx.Err() != nil {
			return
		}
		s.log.Debug("other processes are not heard", zap.Error(err))
		tell(false)
		select {
		case <-ctx.Done():
		case <-time.After(jittered(unheard)):
		}
	}
}

func (s *Store) hear(ctx context.Context, rung chan<- struct{}, tell func(bool)) error {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if err := s.settle(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return err
	}
	tell(true)
	for {
		waiting, end := context.WithTimeout(ctx, heardEvery)
		n, err := conn.WaitForNotification(waiting)
		lapsed := waiting.Err() != nil && ctx.Err() == nil
		end()
		switch {
		case err == nil && n.Payload == s.owner:
			continue
		case err == nil:
			select {
			case rung <- struct{}{}:
			default:
			}
		case lapsed && !conn.IsClosed():
			ping, end := context.WithTimeout(ctx, connectPatience) // or a server that is gone would be listened to for good
			err := conn.Ping(ping)
			end()
			if err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// heardEvery is how long it may be quiet before the connection is tried.
const heardEvery = 30 * time.Second
