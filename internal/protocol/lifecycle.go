package protocol

import "github.com/sourcegraph/go-lsp"

// The lifecycle is the Language Server Protocol's.
var (
	// Initialize performs the handshake. All other requests fail before it.
	Initialize = Request[InitializeParams, InitializeResult]{"initialize"}
	// Initialized reports that the editor is ready.
	Initialized = Notification[None]{"initialized"}
	// Shutdown asks the sidecar to end. Only Exit may follow.
	Shutdown = Request[None, None]{"shutdown"}
	// Exit ends the process, with status 0 after Shutdown and 1 otherwise.
	Exit = Notification[None]{"exit"}
	// CancelRequest cancels a running request and withdraws the question that it asked.
	CancelRequest = Notification[CancelParams]{"$/cancelRequest"}
	// SetTrace sets the level of message logging.
	SetTrace = Notification[SetTraceParams]{"$/setTrace"}
)

// InitializeParams begins the handshake. It has the Language Server Protocol's params that Followup uses, and ignores others.
type InitializeParams struct {
	// ProcessID is the parent's process id. The sidecar ends when that process does. 0 or null means no parent.
	ProcessID int `json:"processId,omitempty"`
	// ClientInfo names the editor, for the log.
	ClientInfo lsp.ClientInfo `json:"clientInfo,omitzero"`
	// Trace is the initial level of message logging.
	Trace lsp.Trace `json:"trace,omitempty"`
	// InitializationOptions are Followup's own options.
	InitializationOptions InitializationOptions `json:"initializationOptions"`
}

// InitializationOptions are an editor's options.
type InitializationOptions struct {
	// ProtocolVersion is the version that the editor speaks.
	ProtocolVersion int `json:"protocolVersion"`
	// Locale is the editor's display language, a BCP 47 tag; English if absent or not supported.
	Locale string `json:"locale,omitempty"`
	// StorageFolder is the absolute path of the storage folder. If absent, an editor with an EditorFolder uses the user's own
	// folder, which all processes share, and other clients store nothing.
	StorageFolder string `json:"storageFolder,omitempty"`
	// EditorFolder is the absolute path of the extension's storage folder in this editor. Other extensions, whose logs can be
	// imported, have sibling folders. Without a home folder, it is the storage folder.
	EditorFolder string `json:"editorFolder,omitempty"`
	// LogVariables are the variables of the client's environment that locate other tools' logs. If absent, the sidecar uses its own
	// environment.
	LogVariables map[string]string `json:"logVariables,omitempty"`
	// WorkspaceFolders are the folders open in the editor.
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitempty"`
	// NotShownAfter is how many milliseconds a pending question waits for an interface to subscribe before its outcome is notShown:
	// 10,000 by default. Negative means no limit.
	NotShownAfter *int `json:"notShownAfter,omitempty"`
}

// WorkspaceFolder is a folder of the editor's workspace.
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
	// Hub is present if this is a hub.
	Hub *Hub `json:"hub,omitempty"`
	// Capabilities is empty: the version alone determines what the sidecar can do. Language clients expect the field.
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
	// ID is the request's id.
	ID lsp.ID `json:"id"`
}

// SetTraceParams has the level of message logging.
type SetTraceParams struct {
	// Value is the new level.
	Value lsp.Trace `json:"value"`
}
