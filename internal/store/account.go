package store

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"
)

// Account is a person or an agent that comes to a hub by a token.
type Account struct {
	// Name tells it from all others, and from the groups.
	Name string
	// Agent tells an agent's from a person's.
	Agent bool
	// Groups are the names of those that a person belongs to.
	Groups []string
	// Former are those that it belonged to before.
	Former []string
	// Token is what HashToken gives for its token; nil where that was revoked.
	Token []byte
	// At is when it was last written; the store sets it.
	At time.Time
}

// HashToken is what is kept of a token: SHA-256, which is enough for 130 random bits, and nothing that could be used as one.
func HashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}

// Has tells whether a token is the account's, by its hash, in a time that tells nothing.
func (a Account) Has(hash []byte) bool {
	return len(a.Token) == sha256.Size && subtle.ConstantTimeCompare(a.Token, hash) == 1
}
