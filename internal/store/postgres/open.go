package postgres

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/zap"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

// schemaVersion is the version in the table schema_version of a database with the schema.
const schemaVersion = 1

//go:embed schema.sql
var schemaText string

// Open opens the store in a database and creates its schema if there is none. place is what libpq takes
// (https://www.postgresql.org/docs/current/libpq-connect.html), a URI or service=NAME, without a password. Errors: store.ErrNewer for
// another build's schema, store.HeldError, store.ErrUnavailable.
func Open(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	s, err := open(ctx, place, o)
	if err != nil { // a nil *sqlstore.Store is no nil store.Store
		return nil, store.Report{}, err
	}
	return s, store.Report{}, nil
}

func open(ctx context.Context, place string, o store.Options) (*sqlstore.Store, error) {
	d, err := connect(place, o)
	if err != nil {
		return nil, err
	}
	err = d.patiently(ctx, func() error { return d.createSchema(ctx) })
	if err == nil && o.Exclusive {
		err = d.takeExclusive(ctx, o.Address)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	return sqlstore.New(d, d, d, o.Log), nil
}

// Exists reports whether there is a store in a database. Open would create one.
func Exists(ctx context.Context, place string) (bool, error) {
	d, err := connect(place, store.Options{})
	if err != nil {
		return false, err
	}
	version := 0
	err = d.patiently(ctx, func() (err error) {
		version, err = d.version(ctx, d.pool)
		return err
	})
	return version > 0, errors.Join(err, d.Close())
}

// connect makes a store of a place, which nothing was asked of yet.
func connect(place string, o store.Options) (*database, error) {
	config, err := configure(place)
	if err != nil {
		return nil, err
	}
	s := &database{
		now: o.Now, near: nearest, cutPatience: usualCutPatience, firstPatience: usualFirstPatience, closePatience: usualClosePatience,
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
	// Each query is planned anew: how to search depends on how rare the words are.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	config.AfterConnect = s.settle
	config.PingTimeout = pingPatience
	config.HealthCheckPeriod = time.Minute
	config.MaxConnIdleTime = time.Minute
	s.config = config.ConnConfig.Copy()
	if s.pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return nil, classify(err)
	}
	s.db = stdlib.OpenDBFromPool(s.pool)
	return s, nil
}

// settle makes a connection one of ours. Whoever hangs in the middle of a transaction, or whose machine is gone, is cut off by the server, so
// that nobody waits for their locks for long.
func (s *database) settle(ctx context.Context, conn *pgx.Conn) error {
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
func (s *database) createSchema(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, schemaPatience)
	defer cancel()
	version, err := s.version(ctx, s.pool)
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
		if version, err := s.version(ctx, t); err != nil || version == schemaVersion { // another process was first
			return err
		}
		var encoding string
		if err := t.QueryRow(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("%w: the database's encoding is %s; it has to be UTF8", store.ErrUnavailable, encoding)
		}
		if err := s.createTables(ctx, t); err != nil {
			return fmt.Errorf("the schema %s cannot be made: %w", s.schema, err)
		}
		return nil
	})
}

// createTables fills an empty schema, which an administrator may have created for a role that may not.
func (s *database) createTables(ctx context.Context, t pgx.Tx) error {
	name := pgx.Identifier{s.schema}.Sanitize()
	var there bool
	if err := t.QueryRow(ctx, "SELECT to_regnamespace($1) IS NOT NULL", name).Scan(&there); err != nil {
		return err
	}
	queries := []string{schemaText, fmt.Sprintf("INSERT INTO schema_version VALUES (%d)", schemaVersion)}
	if !there {
		queries = append([]string{"CREATE SCHEMA " + name}, queries...)
	}
	for _, query := range queries {
		if _, err := t.Exec(ctx, query, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}

// version is that of the schema; 0 where there is none.
func (s *database) version(ctx context.Context, on interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}) (version int, err error) {
	var there bool
	err = on.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", pgx.Identifier{s.schema, "schema_version"}.Sanitize()).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	if err := on.QueryRow(ctx, "SELECT version FROM schema_version").Scan(&version); err != nil {
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
