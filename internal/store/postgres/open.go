package postgres

import (
	"context"
	_ "embed" // the schema
	"fmt"
	"hash/fnv"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/zap"

	"followup/internal/store"
)

// schemaVersion is the version in the table schema_version of a database with the schema.
const schemaVersion = 1

//go:embed schema.sql
var schemaText string

// Open opens the store in a database and creates its schema if there is none. place is what libpq takes
// (https://www.postgresql.org/docs/current/libpq-connect.html), a URI or service=NAME, without a password. Errors: ErrNewer for
// another build's schema, ErrUnavailable.
func Open(ctx context.Context, place string, o store.Options) (*Store, store.Report, error) {
	s, err := connect(place, o)
	if err != nil {
		return nil, store.Report{}, err
	}
	err = s.patiently(ctx, func() error { return s.createSchema(ctx) })
	if err == nil && o.Exclusive {
		err = s.takeExclusive(ctx, o.Address)
	}
	if err != nil {
		s.pool.Close()
		return nil, store.Report{}, err
	}
	return s, store.Report{}, nil
}

// OpenReading opens the history in a database for reading alone: it writes nothing, and makes nothing. Errors are those of Open, and
// fs.ErrNotExist where there is none.
func OpenReading(ctx context.Context, place string) (store.Reader, error) {
	s, err := connect(place, store.Options{})
	if err != nil {
		return nil, err
	}
	version := 0
	err = s.read(ctx, func(q querier) (err error) {
		version, err = s.version(q)
		return err
	})
	switch {
	case err != nil:
	case version == 0:
		err = fmt.Errorf("%w: the schema %s", fs.ErrNotExist, s.schema)
	}
	if err != nil {
		s.pool.Close()
		return nil, err
	}
	return s, nil
}

// connect makes a store of a place, which nothing was asked of yet.
func connect(place string, o store.Options) (*Store, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	config, err := configure(place)
	if err != nil {
		return nil, err
	}
	s := &Store{
		now: o.Now, log: o.Log, stirred: make(chan struct{}, 1),
		quiet: defaultQuiet, near: nearest, cutPatience: usualCutPatience, firstPatience: usualFirstPatience, closePatience: usualClosePatience,
	}
	s.schema = config.ConnConfig.RuntimeParams["search_path"]
	if s.schema == "" {
		s.schema = defaultSchema
	}
	delete(config.ConnConfig.RuntimeParams, "search_path")
	s.schema, _, _ = strings.Cut(s.schema, ",")
	s.schema = strings.Trim(s.schema, ` "`)
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(s.schema))
	s.lockID = int32(hash.Sum32()) //nolint:gosec // all its bits are used
	config.AfterConnect = s.settle
	config.PingTimeout = pingPatience
	config.HealthCheckPeriod = time.Minute
	config.MaxConnIdleTime = time.Minute
	s.config = config.ConnConfig.Copy()
	if s.pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return nil, classify(err)
	}
	return s, nil
}

// Engine is Open for those who are to know of the interface alone.
func Engine(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	s, report, err := Open(ctx, place, o)
	if err != nil { // a nil *Store would be no nil store.Store
		return nil, report, err
	}
	return s, report, nil
}

// settle makes a connection one of ours. Whoever hangs in the middle of a transaction, or whose machine is gone, is cut off by the server, so
// that nobody waits for their locks for long.
func (s *Store) settle(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false),
		set_config('lock_timeout', $3, false), set_config('idle_in_transaction_session_timeout', $4, false),
		set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
		set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '10000', false),
		set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`,
		pgx.Identifier{s.schema}.Sanitize(), inMillis(statementTimeout), inMillis(lockTimeout), inMillis(idleTimeout))
	return err
}

func inMillis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// createSchema creates the tables where there are none. One process does it; the others wait for it.
func (s *Store) createSchema(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, schemaPatience)
	defer cancel()
	version, err := s.version(querier{ctx, s.pool})
	if err != nil || version == schemaVersion {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(t pgx.Tx) error {
		for _, query := range []string{
			"SET LOCAL lock_timeout = 0", "SET LOCAL statement_timeout = 0",
			"SELECT pg_advisory_xact_lock(" + lockOf(schemaLock, s) + ")",
		} {
			if _, err := t.Exec(ctx, query); err != nil {
				return err
			}
		}
		if version, err := s.version(querier{ctx, t}); err != nil || version == schemaVersion { // another process was first
			return err
		}
		var encoding string
		if err := t.QueryRow(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("%w: the database's encoding is %s; it has to be UTF8", store.ErrUnavailable, encoding)
		}
		if err := s.createTables(querier{ctx, t}); err != nil {
			return fmt.Errorf("the schema %s cannot be made: %w", s.schema, err)
		}
		return nil
	})
}

// createTables fills an empty schema, which an administrator may have created for a role that may not.
func (s *Store) createTables(q querier) error {
	name := pgx.Identifier{s.schema}.Sanitize()
	var there bool
	if err := q.one("SELECT to_regnamespace($1) IS NOT NULL", []any{name}, []any{&there}); err != nil {
		return err
	}
	queries := []string{schemaText, fmt.Sprintf("INSERT INTO schema_version VALUES (%d)", schemaVersion)}
	if !there {
		queries = append([]string{"CREATE SCHEMA " + name}, queries...)
	}
	for _, query := range queries {
		if _, err := q.exec(query, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}

// version is that of the schema; 0 where there is none.
func (s *Store) version(q querier) (version int, err error) {
	var there bool
	err = q.one("SELECT to_regclass($1) IS NOT NULL", []any{pgx.Identifier{s.schema, "schema_version"}.Sanitize()}, []any{&there})
	if err != nil || !there {
		return 0, err
	}
	if err := q.one("SELECT version FROM schema_version", nil, []any{&version}); err != nil {
		return 0, err
	}
	return version, checkVersion(version)
}

func checkVersion(version int) error {
	if version != schemaVersion {
		return fmt.Errorf("%w: schema %d, this one knows %d", store.ErrNewer, version, schemaVersion)
	}
	return nil
}
