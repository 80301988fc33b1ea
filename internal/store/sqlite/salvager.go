package sqlite

import (
	"cmp"
	"fmt"
	"slices"

	"followup/internal/store"
	"followup/internal/store/sqlite/damaged"
)

// layout is how the rows of a table stand in a file: which table a row is of is told by what its values are.
type layout struct {
	table   string
	columns []string
	// kinds has a letter for each column: k for the rowid, which stands elsewhere, i for an integer, t for a text, and the same as
	// capitals, or b for a blob, where there may be none.
	kinds string
}

var (
	sessionLayout = layout{"sessions", []string{
		"id", "agent", "key", "folders", "locale", "options", "mistakes", "mistake_limit", "guidance", "closed", "used_at",
	}, "tttbtbiitii"}
	questionLayout = layout{"questions", []string{
		"ord", "id", "session", "state", "outcome", "collected", "guided_by", "deadline", "asked_at", "tool", "stream",
		"call_id", "agent", "workspace", "source", "text", "guidance", "call",
	}, "ktTiiitiitttttttbb"}
	openedLayout    = layout{"opened", []string{"ord"}, "k"}
	unindexedLayout = layout{"unindexed", []string{"key"}, "k"}
	draftLayout     = layout{"drafts", []string{"ord", "text", "picks"}, "ktb"}
	outcomeLayout   = layout{"outcomes", []string{
		"key", "ord", "outcome", "provenance", "closed_at", "deletion", "images", "text", "answer",
	}, "kittiIitb"}
	imageLayout = layout{"images", []string{"ord", "role", "n", "hash"}, "itit"}
	blobLayout  = layout{"blobs", []string{"hash", "mime", "data"}, "ttb"}

	salvaged = []layout{sessionLayout, questionLayout, openedLayout, draftLayout, outcomeLayout, imageLayout, blobLayout}
)

// fits tells whether a row with such values is of the table.
func (l layout) fits(types []damaged.Type) bool {
	if len(types) != len(l.kinds) {
		return false
	}
	for i, t := range types {
		kind := t.Kind()
		ok := false
		switch l.kinds[i] {
		case 'k':
			ok = kind == damaged.Null
		case 'i':
			ok = kind == damaged.Integer
		case 't':
			ok = kind == damaged.Text
		case 'I':
			ok = kind == damaged.Integer || kind == damaged.Null
		case 'T':
			ok = kind == damaged.Text || kind == damaged.Null
		case 'b':
			ok = kind == damaged.Blob || kind == damaged.Null
		}
		if !ok {
			return false
		}
	}
	return true
}

// place is where a row stands.
type place struct {
	rowid int64
	page  uint32
	cell  int // among those of the page
}

// salvager reads what can be read of a damaged file.
type salvager struct {
	file     *damaged.File
	found    map[string][]place // by the tables' names, in the order of the rowids
	blobs    map[string]place   // by their hashes
	imagesOf map[int64][]map[string]any
	lost     int // how many questions could be read in part only, and were left
}

// openDamaged goes through all of a damaged file.
func openDamaged(path string) (*salvager, error) {
	file, err := damaged.Open(path)
	if err != nil {
		return nil, err
	}
	d := &salvager{file: file, found: map[string][]place{}, blobs: map[string]place{}, imagesOf: map[int64][]map[string]any{}}
	for page := uint32(1); page <= file.Pages(); page++ {
		for i, cell := range file.Cells(page) {
			for _, of := range salvaged {
				if of.fits(cell.Types) {
					d.note(of, place{cell.Rowid, page, i})
				}
			}
		}
	}
	for _, found := range d.found {
		slices.SortStableFunc(found, func(a, b place) int { return cmp.Compare(a.rowid, b.rowid) })
	}
	if len(d.found) == 0 {
		d.close()
		return nil, fmt.Errorf("%w: there is nothing of a store in it", store.ErrDamaged)
	}
	return d, nil
}

// note notes where a row stands; of an image, what it says.
func (d *salvager) note(of layout, at place) {
	switch of.table {
	case blobLayout.table:
		if blob := d.read(of, at); blob != nil {
			hash, _ := blob["hash"].(string)
			d.blobs[hash] = at
		}
	case imageLayout.table:
		if image := d.read(of, at); image != nil {
			ord, _ := image["ord"].(int64)
			d.imagesOf[ord] = append(d.imagesOf[ord], image)
		}
	}
	d.found[of.table] = append(d.found[of.table], at)
}

func (d *salvager) close() { _ = d.file.Close() } // only read

// before gives the rowids of a table's rows before one, the last first.
func (d *salvager) before(table string, rowid int64, most int) (before []int64) {
	all := d.found[table]
	end, _ := slices.BinarySearchFunc(all, rowid, func(p place, rowid int64) int { return cmp.Compare(p.rowid, rowid) })
	for _, p := range slices.Backward(all[max(0, end-most):end]) {
		before = append(before, p.rowid)
	}
	return before
}

// row reads a row; nil where it cannot be read.
func (d *salvager) row(of layout, rowid int64) map[string]any {
	all := d.found[of.table]
	i, found := slices.BinarySearchFunc(all, rowid, func(p place, rowid int64) int { return cmp.Compare(p.rowid, rowid) })
	if !found {
		return nil
	}
	return d.read(of, all[i])
}

func (d *salvager) read(of layout, at place) map[string]any {
	values, sound := d.file.Values(d.file.Cells(at.page)[at.cell])
	if !sound {
		return nil
	}
	row := map[string]any{}
	for i, value := range values {
		row[of.columns[i]] = value
	}
	if of.kinds[0] == 'k' {
		row[of.columns[0]] = at.rowid
	}
	return row
}
