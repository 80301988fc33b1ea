package postgres

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier runs statements on a connection, or on any of the pool's. Strings and lists of them are written and read as text.
type querier struct {
	ctx context.Context
	on  interface {
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	}
}

// exec tells how many rows a statement wrote.
func (q querier) exec(sql string, args ...any) (int64, error) {
	tag, err := q.on.Exec(q.ctx, sql, written(args)...)
	return tag.RowsAffected(), err
}

// one reads one row; pgx.ErrNoRows where there is none.
func (q querier) one(sql string, args, into []any) error {
	return q.on.QueryRow(q.ctx, sql, written(args)...).Scan(read(into)...)
}

// each hands every row over. What it is handed to cannot use the same connection.
func (q querier) each(sql string, args []any, row func(scan func(...any) error) error) error {
	rows, err := q.on.Query(q.ctx, sql, written(args)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	scan := func(into ...any) error { return rows.Scan(read(into)...) }
	for rows.Next() {
		if err := row(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// column reads the only column of every row.
func column[T any](q querier, sql string, args ...any) (all []T, err error) {
	err = q.each(sql, args, func(scan func(...any) error) error {
		var one T
		err := scan(&one)
		all = append(all, one)
		return err
	})
	return all, err
}

// serverClock is the server's time in milliseconds.
const serverClock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

// theClock is the store's: what the first parameter says, or else the server's.
const theClock = "coalesce($1::bigint, " + serverClock + ")"

// clock is what theClock is given: nil for the server's time, which is the same for all processes whatever their own clocks show.
func (s *Store) clock() *int64 {
	if s.now == nil {
		return nil
	}
	now := s.now().UnixMilli()
	return &now
}

// time is what theClock shows, in milliseconds.
func (s *Store) time(ctx context.Context) (now int64, err error) {
	err = s.read(ctx, func(q querier) error { return q.one("SELECT "+theClock, []any{s.clock()}, []any{&now}) })
	return now, err
}

// parameter is the name of the nth.
func parameter(n int) string { return "$" + strconv.Itoa(n) }
