// Package protocol declares every message that travels between an editor and the sidecar: JSON-RPC 2.0 with the base
// framing and lifecycle of the Language Server Protocol. It is a leaf and the one source of truth: handlers, the test
// client and extension/src/protocol.gen.ts all derive from the declarations here.
package protocol

//go:generate go run ./tsgen -out ../../extension/src/protocol.gen.ts
//go:generate go run ./openapigen -out ../httpapi/openapi.json
//go:generate node ../../extension/scripts/api-types.mjs

// Version is the protocol's version. Both sides name theirs in the handshake and must name the same one; it grows with
// every change that an older peer would misunderstand.
const Version = 1

// A Request is a method that is answered: params P, result R.
type Request[P, R any] struct {
	// Method is the name on the wire.
	Method string
}

// A Notification is a method without an answer: params P.
type Notification[P any] struct {
	// Method is the name on the wire.
	Method string
}

// None stands for params or a result that hold nothing. It is written as {} and reads anything.
type None struct{}

// The error codes beyond those of JSON-RPC 2.0 itself. The first two are the Language Server Protocol's.
const (
	// CodeNotInitialized answers a request that came before initialize.
	CodeNotInitialized = -32002
	// CodeCancelled answers a request that was cancelled, or whose question was withdrawn.
	CodeCancelled = -32800
	// CodeVersionMismatch answers initialize when the two sides speak different versions.
	CodeVersionMismatch = -32090
	// CodeUnknown answers a request about a session, stream or question that the sidecar does not know.
	CodeUnknown = -32091
	// CodeRefused answers an answer or a dismissal that cannot be taken. Its message is written for the user, in the
	// user's language; the question stays as it was.
	CodeRefused = -32092
	// CodeForbidden answers a request that a hub does not take of the token's role, with RoleRefused as its data, or of its account.
	CodeForbidden = -32093
	// CodeBusy answers a question that comes while very many of the same account's are open at a hub, and a request while very many are under way.
	CodeBusy = -32094
	// CodeIncomplete answers the end of a stream of which a piece has not arrived: an offset was larger than what had come before. Send the
	// stream again from its start, and end it again.
	CodeIncomplete = -32095
	// CodeConflict answers a question whose id another question has.
	CodeConflict = -32096
)
