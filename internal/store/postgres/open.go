package postgres

import (
	"cmp"
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

const schemaVersion = 1

//go:embed schema.sql
var schemaText string

// Open opens the store in a database and creates its schema if necessary. place has libpq's format
// (https://www.postgresql.org/docs/current/libpq-connect.html), a URI or service=NAME, without a password. Errors: store.ErrNewer
// for another build's schema, store.HeldError, store.ErrUnavailable.
func Open(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	d, err := connect(place, o)
	if err != nil {
		return nil, store.Report{}, err
	}
	err = d.patiently(ctx, func(time.Duration) error { return d.createSchema(ctx) })
	if err == nil && o.Exclusive {
		err = d.takeExclusive(ctx, o)
	}
	if err != nil {
		return nil, store.Report{}, errors.Join(err, d.Close())
	}
	return sqlstore.New(d, d, d, o), store.Report{}, nil
}

// Exists reports whether a database has a store. Open would create one.
func Exists(ctx context.Context, place string) (bool, error) {
	d, err := connect(place, store.Options{})
	if err != nil {
		return false, err
	}
	version := 0
	err = d.patiently(ctx, func(time.Duration) (err error) {
		version, err = d.version(ctx, d.pool)
		return err
	})
	return version > 0, errors.Join(err, d.Close())
}

func connect(place string, o store.Options) (*database, error) {
	config, err := configure(place)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrAddress, err)
	}
	s := &database{
		now: o.Now, near: nearest, cutPatience: usualCutPatience, firstPatience: usualFirstPatience, closePatience: usualClosePatience,
	}
	s.schema, _, _ = strings.Cut(cmp.Or(config.ConnConfig.RuntimeParams["search_path"], defaultSchema), ",")
	delete(config.ConnConfig.RuntimeParams, "search_path")
	s.schema = strings.Trim(s.schema, ` "`)
	if o.Team != "" {
		s.schema += "_" + o.Team
	}
	if len(s.schema) > maxIdentifier {
		return nil, fmt.Errorf("%w: the name of the schema %s has more than %d bytes", store.ErrAddress, s.schema, maxIdentifier)
	}
	// Each query gets a new plan, since how to search depends on how rare the words are.
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

// maxIdentifier is the maximum length of a name in bytes; the server would cut a longer one.
const maxIdentifier = 63

// settle configures a connection. The server ends one that hangs in a transaction, or whose machine is gone, which releases its
// locks.
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

// createSchema creates the schema and its tables if they do not exist. One process does; the others wait for it.
func (s *database) createSchema(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, schemaPatience)
	defer cancel()
	version, err := s.version(ctx, s.pool)
	if err != nil || version == schemaVersion {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(t pgx.Tx) error {
		_, err := t.Exec(ctx, `SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
			pg_advisory_xact_lock($1, hashtext($2))`, schemaLock, s.schema)
		if err != nil {
			return err
		}
		if version, err := s.version(ctx, t); err != nil || version == schemaVersion { // another process was first
			return err
		}
		script := schemaText + fmt.Sprintf("INSERT INTO schema_version VALUES (%d)", schemaVersion)
		if _, err := t.Exec(ctx, script, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("the schema %s cannot be created: %w", s.schema, err)
		}
		return nil
	})
}

// querier is a pool, a connection or a transaction.
type querier interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// version returns the schema's version; 0 if it does not exist.
func (s *database) version(ctx context.Context, on querier) (version int, err error) {
	var there bool // to_regclass may not see yet what another process has just created
	err = on.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'schema_version')", s.schema).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = on.QueryRow(ctx, "SELECT version FROM schema_version").Scan(&version)
	return version, cmp.Or(err, checkVersion(version))
}

func checkVersion(version int) error {
	if version != schemaVersion {
		return fmt.Errorf("%w: it has schema %d, and this version supports %d", store.ErrNewer, version, schemaVersion)
	}
	return nil
}

const defaultSchema = "followup"

// errPassword rejects a password in a place: other users of the machine can see the environment and arguments of processes.
var errPassword = errors.New("the address must not contain a password; keep it in ~/.pgpass, in a service file, or in PGPASSWORD")

// errAddress replaces pgx's errors for an address, which may contain secrets.
var errAddress = errors.New("libpq cannot parse it")

// configure parses a place, with libpq's environment, service file and password file. No error contains a password.
func configure(place string) (*pgxpool.Config, error) {
	if store.HasPassword(place) {
		return nil, fmt.Errorf("%s: %w", store.Redacted(place), errPassword)
	}
	c, err := pgxpool.ParseConfig(place)
	if err != nil {
		shown := store.Redacted(place)
		if shown != place {
			err = errAddress
		}
		return nil, fmt.Errorf("%s cannot be read as a database's address: %w", shown, err)
	}
	conn := c.ConnConfig
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > time.Minute {
		conn.ConnectTimeout = connectPatience
	}
	dialer := &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: deadLink - 3*time.Second, Interval: time.Second, Count: 3},
		Control:         boundUnacknowledged,
	}
	conn.DialFunc = dialer.DialContext
	if len(conn.Fallbacks) > 0 && conn.ValidateConnect == nil { // of several servers, the one that accepts writes
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	conn.RuntimeParams["application_name"] = cmp.Or(conn.RuntimeParams["application_name"], "followup")
	if !strings.Contains(place, "pool_max_conns") {
		c.MaxConns = maxConns
	}
	return c, nil
}

// deadLink is approximately how long a connection may go without acknowledgements before the system closes it.
const deadLink = 5 * time.Second
