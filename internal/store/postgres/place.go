package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// defaultSchema is where in the database the store stands, unless search_path says otherwise.
const defaultSchema = "followup"

// IsPlace tells whether a text names a database, and not a folder: postgres://…, postgresql://… or service=….
func IsPlace(text string) bool {
	for _, begin := range []string{"postgres://", "postgresql://", "service="} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// Redacted is a place as it may be shown and logged: without a password, should there be one.
func Redacted(place string) string {
	if strings.HasPrefix(place, "postgres") {
		parsed, err := url.Parse(place)
		if err != nil {
			return "postgres://…"
		}
		query := parsed.Query()
		for _, name := range []string{"password", "sslpassword"} {
			if query.Has(name) {
				query.Set(name, "xxxxx")
				parsed.RawQuery = query.Encode()
			}
		}
		return parsed.Redacted()
	}
	return secret.ReplaceAllString(place, "${1}xxxxx")
}

// secret is a password in a connection string of keywords and values.
var secret = regexp.MustCompile(`((?:^|\s)(?:ssl)?password\s*=\s*)('(?:[^'\\]|\\.)*'?|\S*)`)

// errPassword is that of a place that holds a password: other users of a machine see the environment and the arguments of processes in
// more ways than the files that libpq reads passwords from.
var errPassword = errors.New("a password does not belong there: keep it in ~/.pgpass, in a service file, or in PGPASSWORD")

// configure reads a place, with all that libpq's environment, service file and password file add to it. No error shows a password.
func configure(place string) (*pgxpool.Config, error) {
	if Redacted(place) != place && hasPassword(place) {
		return nil, fmt.Errorf("%s: %w", Redacted(place), errPassword)
	}
	c, err := pgxpool.ParseConfig(place)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a database's address: %w", Redacted(place), err) // pgx redacts what it quotes
	}
	conn := c.ConnConfig
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > time.Minute {
		conn.ConnectTimeout = connectPatience
	}
	if len(conn.Fallbacks) > 0 && conn.ValidateConnect == nil { // of several servers, the one that can be written to
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if conn.RuntimeParams["application_name"] == "" {
		conn.RuntimeParams["application_name"] = "followup"
	}
	if !strings.Contains(place, "pool_max_conns") {
		c.MaxConns = maxConns
	}
	return c, nil
}

func hasPassword(place string) bool {
	if !strings.HasPrefix(place, "postgres") {
		return secret.MatchString(place)
	}
	parsed, err := url.Parse(place)
	if err != nil {
		return false
	}
	_, set := parsed.User.Password()
	return set || parsed.Query().Has("password") || parsed.Query().Has("sslpassword")
}
