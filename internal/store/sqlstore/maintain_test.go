package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"testing"

	"modernc.org/sqlite"
)

// The number of entries that are looked at for the key of the next one stays small, however many have the same time.
func TestKeysOfOneTime(t *testing.T) {
	looks := 0
	if err := sqlite.RegisterScalarFunction("looked", 1, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		looks++
		return int64(1), nil
	}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1) // each connection has its own memory
	q := &Queries{Ctx: t.Context(), On: db, Adapt: func(query string, args []any) (string, []any) { return query, args }}
	q.Exec("CREATE TABLE kept (key INTEGER PRIMARY KEY)")
	q.Exec("CREATE VIEW entries AS SELECT key FROM kept WHERE looked(key)")
	const many = 3 * KeysPerMilli
	for want := int64(1); want <= many; want++ {
		key := q.freeKey(0)
		if key != want || q.Err != nil {
			t.Fatalf("the key after %d is %d, %v", want-1, key, q.Err)
		}
		q.Exec("INSERT INTO kept VALUES (?)", key)
	}
	if most := 30 * many; looks > most {
		t.Errorf("%d entries were looked at, not %d", looks, most)
	}
	q.Exec("DELETE FROM kept WHERE key = 1")
	if key := q.freeKey(0); key != 1 || q.Err != nil {
		t.Errorf("the freed key is %d, %v", key, q.Err)
	}
	if key := q.freeKey(many); key != many*KeysPerMilli || q.Err != nil {
		t.Errorf("another time's key is %d, %v", key, q.Err)
	}
}
