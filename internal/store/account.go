package store

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"
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
	// Tokens let it in; none once they were revoked.
	Tokens []Token
	// Withdrawn says that its open questions were withdrawn with its tokens.
	Withdrawn bool
	// At is when it was last written; the store sets it.
	At time.Time
}

// Token is what is kept of a token.
type Token struct {
	// Hash is what HashToken returns for it.
	Hash []byte `json:"hash"`
	// Issued is when it was made.
	Issued time.Time `json:"issued,omitzero"`
	// Until is when it expires; zero: never.
	Until time.Time `json:"until,omitzero"`
	// Used is when it was last used, to about an hour; zero: not yet.
	Used time.Time `json:"used,omitzero"`
}

// Expired reports whether the token lets nobody in any more.
func (t Token) Expired(now time.Time) bool { return !t.Until.IsZero() && !now.Before(t.Until) }

// HashToken is what is kept of a token: SHA-256, which is enough for 130 random bits, and nothing that could be used as one.
func HashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}

// Token returns the account's token with a hash, compared in constant time.
func (a Account) Token(hash []byte) (found Token, has bool) {
	for _, token := range a.Tokens {
		if len(token.Hash) == sha256.Size && subtle.ConstantTimeCompare(token.Hash, hash) == 1 {
			found, has = token, true
		}
	}
	return found, has
}

// Active reports whether a token lets the account in.
func (a Account) Active(now time.Time) bool {
	return slices.ContainsFunc(a.Tokens, func(token Token) bool { return !token.Expired(now) })
}
