package postgres

import (
	"strings"

	"followup/internal/store"
	"followup/internal/store/sqlstore"
)

const (
	// nearest is how many of the newest entries are searched by reading them.
	nearest = 8000
	// maxVector limits the tokens of an entry in bytes. The server accepts less than 1 MiB in one tsvector:
	// https://www.postgresql.org/docs/current/textsearch-limitations.html
	maxVector = 1_000_000
)

func (d *database) Index(q *sqlstore.Queries, key store.Key, tokens []string) {
	size := 0
	for i, token := range tokens {
		if size += len(token); size > maxVector {
			tokens = tokens[:i]
			break
		}
	}
	q.Exec("INSERT INTO search (rowid, tokens) VALUES (?, array_to_tsvector(?::text[]))", int64(key), tokens)
}

// Plan scans the newest entries, where most searches end, and uses the index for older ones. The server alone would scan on for
// rare words.
func (d *database) Plan(q *sqlstore.Queries, s sqlstore.Search, first, end store.Key) []sqlstore.Part {
	if len(s.All) == 0 {
		return []sqlstore.Part{{From: "entries q", Key: "q.key", First: first, End: end}}
	}
	wanted := []any{s.Query(quote, " | ", " & ")}
	near := sqlstore.Part{
		From: "search s JOIN entries q ON q.key = s.rowid AND s.tokens @@ ?::tsquery", Key: "s.rowid", Args: wanted, First: first, End: end,
	}
	edge := int64(0)
	if !q.One("SELECT rowid FROM search WHERE rowid >= ? AND rowid < ? ORDER BY rowid DESC OFFSET ? LIMIT 1", []any{int64(first), int64(end), d.near}, &edge) {
		return []sqlstore.Part{near}
	}
	near.First = store.Key(edge)
	far := sqlstore.Part{
		// OFFSET prevents the server from merging the two queries.
		From: "(SELECT rowid FROM search WHERE tokens @@ ?::tsquery AND rowid >= ? AND rowid < ? OFFSET 0) s JOIN entries q ON q.key = s.rowid",
		Key:  "s.rowid", Args: append(wanted, int64(first), edge), First: first, End: near.First,
	}
	return []sqlstore.Part{near, far}
}

// quote writes a term in a tsquery: https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY
func quote(term sqlstore.Term) string {
	text := "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(term.Token) + "'"
	if term.Prefix {
		text += ":*"
	}
	return text
}
