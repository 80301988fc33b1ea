package protocol

import "github.com/sourcegraph/go-lsp"

// The lifecycle is the Language Server Protocol's.
var (
	// Initialize shakes hands. Nothing else is answered before it.
	Initialize = Request[InitializeParams, InitializeResult]{"initialize"}
	// Initialized tells that the editor is ready.
	Initialized = Notification[None]{"initialized"}
	// Shutdown asks to end; only Exit follows it.
	Shutdown = Request[None, None]{"shutdown"}
	// Exit ends the process: with status 0 after Shutdown, with 1 otherwise.
	Exit = Notification[None]{"exit"}
	// CancelRequest cancels a request that is under way; a question that it asked is withdrawn.
	CancelRequest = Notification[CancelParams]{"$/cancelRequest"}
	// SetTrace turns the logging of messages on and off.
	SetTrace = Notification[SetTraceParams]{"$/setTrace"}
)

// InitializeParams opens the handshake. Of the Language Server Protocol's params it reads those that mean something here;
// a client may send the others.
type InitializeParams struct {
	// ProcessID is the parent's process id; when that process is gone the sidecar ends. 0 or null: it has none.
	ProcessID int `json:"processId,omitempty"`
	// ClientInfo names the editor, for the log.
	ClientInfo lsp.ClientInfo `json:"clientInfo,omitzero"`
	// Trace is the logging of messages to begin with.
	Trace lsp.Trace `json:"trace,omitempty"`
	// InitializationOptions holds what is Followup's own.
	InitializationOptions InitializationOptions `json:"initializationOptions"`
}

// InitializationOptions is what an editor tells the sidecar once.
type InitializationOptions struct {
	// ProtocolVersion is the version that the editor's side speaks.
	ProtocolVersion int `json:"protocolVersion"`
	// Locale is the editor's display language, a BCP 47 tag; English when absent or not spoken.
	Locale string `json:"locale,omitempty"`
	// StorageFolder is the absolute path of the folder to store everything in. If absent, an editor with an EditorFolder
	// uses the user's own folder, which all processes share, and other clients store nothing.
	StorageFolder string `json:"storageFolder,omitempty"`
	// EditorFolder is the absolute path of the folder that this editor gives the extension. Other extensions, whose logs can
	// be imported, have their folders beside it. Where the user has no home folder, everything is stored in it.
	EditorFolder string `json:"editorFolder,omitempty"`
	// LogVariables are the variables of the client's environment that name folders of other tools' logs, which can be imported. If
	// absent, the sidecar uses its own environment.
	LogVariables map[string]string `json:"logVariables,omitempty"`
	// WorkspaceFolders are the folders open in the editor.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitempty"`
	// NotShownAfter is how many milliseconds a pending question waits for an interface to subscribe before its outcome is
	// notShown. Absent: 10,000. Negative: it waits for good.
	NotShownAfter *int `json:"notShownAfter,omitempty"`
}

// WorkspaceFolder is one folder of the editor's workspace.
type WorkspaceFolder struct {
	URI  lsp.DocumentURI `json:"uri"`
	Name string          `json:"name"`
}

// InitializeResult is the sidecar's half of the handshake.
type InitializeResult struct {
	// ProtocolVersion is the version that the sidecar speaks.
	ProtocolVersion int `json:"protocolVersion"`
	// ServerInfo names the sidecar.
	ServerInfo ServerInfo `json:"serverInfo"`
	// Hub is there where this is one.
	Hub *Hub `json:"hub,omitempty"`
	// Capabilities is empty: every version of the protocol says whole what it can do. Language clients expect it.
	Capabilities None `json:"capabilities"`
}

// VersionMismatch is the data of an error with CodeVersionMismatch.
type VersionMismatch struct {
	// ProtocolVersion is the version that the sidecar speaks.
	ProtocolVersion int `json:"protocolVersion"`
}

// ServerInfo names a sidecar.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// PID is the sidecar's process id, for a debugger.
	PID int `json:"pid"`
}

// CancelParams names the request to cancel.
type CancelParams struct {
	ID lsp.ID `json:"id"`
}

// SetTraceParams turns the logging of messages on and off.
type SetTraceParams struct {
	Value lsp.Trace `json:"value"`
}
