package store

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"time"
)

// Account is a person or an agent of a hub.
type Account struct {
	Team  string
	Name  string // unique among the accounts and groups of its team
	Agent bool   // an agent's account, not a person's
	// Groups are the groups of a person. Former are earlier ones, so that a group without members can still be reached.
	Groups, Former []string
	// MayApprove means that the person may decide requests for permission.
	MayApprove bool
	Tokens     []Token // empty if all were revoked
	// Withdrawn means that its open questions were withdrawn with its tokens.
	Withdrawn bool
	At        time.Time // the last write; the store sets it
}

// Token is the stored form of a token.
type Token struct {
	Hash   []byte    `json:"hash"` // see HashToken
	Issued time.Time `json:"issued,omitzero"`
	Until  time.Time `json:"until,omitzero"` // when it expires; zero means never
	Used   time.Time `json:"used,omitzero"`  // when it was last used, to about an hour; zero means never
}

// Expired reports whether the token has expired.
func (t Token) Expired(now time.Time) bool { return !t.Until.IsZero() && !now.Before(t.Until) }

// HashToken returns the stored form of a token: its SHA-256, which is enough for 130 random bits and cannot be used as a token.
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

// Active reports whether the account has a valid token.
func (a Account) Active(now time.Time) bool {
	return slices.ContainsFunc(a.Tokens, func(token Token) bool { return !token.Expired(now) })
}
