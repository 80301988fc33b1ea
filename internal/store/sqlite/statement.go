package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// statement is a prepared statement.
type statement interface {
	exec(ctx context.Context, args []any) (driver.Result, error)
	query(ctx context.Context, args []any) (rows, error)
	Close() error
}

// rows is what a query found; as sql.Rows, which it may be.
type rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	Close() error
}

// pooled is a statement on any connection of a pool.
type pooled struct{ *sql.Stmt }

func (s pooled) exec(ctx context.Context, args []any) (driver.Result, error) {
	return s.ExecContext(ctx, args...)
}

func (s pooled) query(ctx context.Context, args []any) (rows, error) {
	return s.QueryContext(ctx, args...)
}

// direct is a statement on one connection, which nobody else uses meanwhile. An answer takes several of them one behind the
// other, and between flushes of the disk most of their time was package database/sql's, which does not run in caches then.
type direct struct{ driver.Stmt }

func (s direct) exec(ctx context.Context, args []any) (driver.Result, error) {
	values, err := driverValues(args)
	if err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, values)
}

func (s direct) query(ctx context.Context, args []any) (rows, error) {
	values, err := driverValues(args)
	if err != nil {
		return nil, err
	}
	found, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, values)
	if err != nil {
		return nil, err
	}
	return &directRows{rows: found, row: make([]driver.Value, len(found.Columns()))}, nil
}

// driverValues makes arguments what drivers take.
func driverValues(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, fmt.Errorf("store: argument %d of a statement: %w", i+1, err)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	return values, nil
}

// directRows are the rows of a direct statement.
type directRows struct {
	rows driver.Rows
	row  []driver.Value
	err  error
}

func (r *directRows) Next() bool {
	if r.err != nil {
		return false
	}
	r.err = r.rows.Next(r.row)
	return r.err == nil
}

func (r *directRows) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

func (r *directRows) Close() error { return r.rows.Close() }

func (r *directRows) Scan(into ...any) error {
	if len(into) != len(r.row) {
		return fmt.Errorf("store: a row of %d columns was read as one of %d", len(r.row), len(into))
	}
	for i, value := range r.row {
		if err := assign(into[i], value); err != nil {
			return fmt.Errorf("store: column %d: %w", i+1, err)
		}
	}
	return nil
}

// assign copies a value of a column to what a pointer points to.
func assign(into any, value driver.Value) error {
	switch into := into.(type) {
	case *int64:
		if v, ok := value.(int64); ok {
			*into = v
			return nil
		}
	case *bool:
		if v, ok := value.(int64); ok {
			*into = v != 0
			return nil
		}
	case *[]byte:
		switch v := value.(type) {
		case nil:
			*into = nil
			return nil
		case []byte:
			*into = v // the driver makes a new one for each row
			return nil
		}
	}
	to := reflect.ValueOf(into).Elem()
	switch v := value.(type) {
	case int64:
		if to.CanInt() && !to.OverflowInt(v) {
			to.SetInt(v)
			return nil
		}
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
	}
	return fmt.Errorf("%T cannot be read as %T", value, into)
}
