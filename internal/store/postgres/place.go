package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"followup/internal/store"
)

const defaultSchema = "followup"

// errPassword rejects a password in a place: other users of the machine can see the environment and arguments of processes.
var errPassword = errors.New("the address must not contain a password; keep it in ~/.pgpass, in a service file, or in PGPASSWORD")

// errAddress replaces pgx's errors for an address, which may contain secrets.
var errAddress = errors.New("libpq does not know this form")

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
