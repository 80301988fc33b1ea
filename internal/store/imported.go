package store

import "github.com/google/uuid"

// importNamespace makes an imported question's id from (source, key), so that it is the same at every import.
var importNamespace = uuid.MustParse("a3c5a0b4-44a5-4b0e-8a0c-0e7d1f0d9c55")

// IDs are the ids that an exchange has, or can have had: the first is the one that it gets. Keys that are the same in several tools' logs
// were once kept for each tool.
func (x Imported) IDs() []string {
	spaces := []string{x.Source}
	if x.Namespace != "" && x.Namespace != x.Source {
		spaces = []string{x.Namespace, x.Source}
	}
	var ids []string
	for _, space := range spaces {
		ids = append(ids, uuid.NewSHA1(importNamespace, []byte(space+"\x00"+x.Key)).String())
	}
	return ids
}
