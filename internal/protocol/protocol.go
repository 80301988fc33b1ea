// Package protocol declares every message between an editor and the sidecar: JSON-RPC 2.0 with the base framing and lifecycle of
// the Language Server Protocol. It is the single source of truth: handlers, the test client and
// extension/src/protocol.gen.ts derive from it. The parts of a question are those of package question.
package protocol

//go:generate go run ./gen
//go:generate node ../../extension/scripts/api-types.mjs

// Version is the protocol's version. Both sides send theirs in the handshake, and they must be equal. It increases with every
// change that an older peer would misunderstand.
const Version = 1

// A Request is a method with a response: params P, result R.
type Request[P, R any] struct {
	// Method is the name on the wire.
	Method string
}

// A Notification is a method without a response: params P.
type Notification[P any] struct {
	// Method is the name on the wire.
	Method string
}

// None is empty params or an empty result. It is encoded as {} and decodes anything.
type None struct{}

// Error codes beyond those of JSON-RPC 2.0. The first two are the Language Server Protocol's.
const (
	// CodeNotInitialized means that the request was sent before initialize.
	CodeNotInitialized = -32002
	// CodeCancelled means that the request was cancelled or its question was withdrawn.
	CodeCancelled = -32800
	// CodeVersionMismatch means that the two sides speak different versions.
	CodeVersionMismatch = -32090
	// CodeUnknown means that the sidecar does not know the session, stream or question.
	CodeUnknown = -32091
	// CodeRefused means that an answer or a dismissal is not acceptable. Its message is for the user, in their language. The
	// question does not change.
	CodeRefused = -32092
	// CodeForbidden means that a hub does not allow the method for the token's role, with RoleRefused as its data, or for its
	// account.
	CodeForbidden = -32093
	// CodeBusy means that an account at a hub has too many open questions, or too many running requests.
	CodeBusy = -32094
	// CodeIncomplete means that a piece of the ended stream is missing: an offset was larger than what had arrived. Send the stream
	// again from its start, and end it again.
	CodeIncomplete = -32095
	// CodeConflict means that another question has the id.
	CodeConflict = -32096
)
