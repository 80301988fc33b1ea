package question

import (
	"strings"

	"github.com/google/uuid"
)

// importNamespace is the namespace of the ids that this package derives (RFC 9562, version 5).
var importNamespace = uuid.MustParse("a3c5a0b4-44a5-4b0e-8a0c-0e7d1f0d9c55")

// uniqueCall is the length from which a call's id is globally unique, like toolu_… and call_… with their random parts. Some
// servers only number the calls of a message, with at most maxCount digits.
const (
	uniqueCall = 16
	maxCount   = 6
)

// IsUniqueCall reports whether an agent's id of a call is globally unique.
func IsUniqueCall(id string) bool { return len(id) >= uniqueCall && !isNumbered(id) }

// isNumbered reports whether an id is words around one small number, like functions.AskUserQuestion:0 of Kimi's models.
func isNumbered(id string) bool {
	const digits, separators = "0123456789", ".:_-"
	begin := strings.IndexAny(id, digits)
	if begin < 0 {
		return false
	}
	after := strings.TrimLeft(id[begin:], digits)
	end := len(id) - len(after)
	return end-begin <= maxCount && !strings.ContainsAny(after, digits) &&
		(begin == 0 || strings.ContainsAny(id[begin-1:begin], separators)) && (after == "" || strings.ContainsAny(after[:1], separators))
}

// IDOfCall returns the id of a call's question, the same for live questions and for those imported from any tool's log. The call's id
// must be globally unique.
func IDOfCall(id string) string { return ImportedID("", id) }

// ImportedID returns the id of a question in the log of a tool, the source, which is not empty. The key must be unique in it.
func ImportedID(source, key string) string {
	return uuid.NewSHA1(importNamespace, []byte(source+"\x00"+key)).String()
}
