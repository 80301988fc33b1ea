package protocol

// A page's host is the program that shows it: the editor, a browser, or an agent's client with the page in the conversation. The
// page sends it requests that the sidecar cannot handle; none of them reach the sidecar. Outside the editor, a host lacks some
// methods and returns an empty object for them.
var (
	// HostOpen announces that the page has opened, and returns the state of its host.
	HostOpen = Request[None, HostState]{"host/open"}
	// HostReadFiles reads files of the editor, in order.
	HostReadFiles = Request[HostReadFilesParams, HostReadFilesResult]{"host/readFiles"}
	// HostCopy puts a text into the clipboard.
	HostCopy = Request[HostText, None]{"host/copy"}
	// HostConfirmDelete asks the user whether to delete entries.
	HostConfirmDelete = Request[HostConfirmDeleteParams, HostConfirmDeleteResult]{"host/confirmDelete"}
	// HostExport starts the export guide.
	HostExport = Request[HostExportParams, None]{"host/export"}
	// HostOpenLink opens a link from an agent's text: http, https or mailto. The host asks the user first.
	HostOpenLink = Request[HostLink, None]{"host/openLink"}
	// HostFindPlaces finds places in files like PlaceFind, in the window's workspace folders.
	HostFindPlaces = Request[HostFindPlacesParams, HostFindPlacesResult]{"host/findPlaces"}
	// HostOpenPlace opens the first place that a text names in the editor.
	HostOpenPlace = Request[HostText, None]{"host/openPlace"}
	// HostFindFiles finds the workspace's files whose paths contain the text, best first. It cancels the page's previous search.
	HostFindFiles = Request[HostText, HostFindFilesResult]{"host/findFiles"}
	// HostDidFocus is sent when a question gets the keyboard focus.
	HostDidFocus = Request[QuestionParams, None]{"host/didFocus"}
	// HostSetPhrases saves the user's phrases.
	HostSetPhrases = Request[HostSetPhrasesParams, None]{"host/setPhrases"}
	// HostOpenQuestion opens a question in an editor tab.
	HostOpenQuestion = Request[QuestionParams, None]{"host/openQuestion"}
	// HostOpenDiff shows two texts of a file in a diff view, if HostState.Diffs is set.
	HostOpenDiff = Request[HostOpenDiffParams, None]{"host/openDiff"}
	// HostRun runs a command.
	HostRun = Request[HostRunParams, None]{"host/run"}
	// HostDidShow is sent when the history's filter changes, for commands that act on the shown entries.
	HostDidShow = Request[HistoryMatching, None]{"host/didShow"}

	// HostDidChange has the fields of HostState that have changed.
	HostDidChange = Notification[HostChange]{"host/didChange"}
	// HostDidSaveDraft has a draft that another page of the window saved.
	HostDidSaveDraft = Notification[SaveDraftParams]{"host/didSaveDraft"}
	// HostDidSubscribe has a new snapshot of the inbox.
	HostDidSubscribe = Notification[Inbox]{"host/didSubscribe"}
	// HostFocus moves the keyboard focus.
	HostFocus = Notification[HostFocusParams]{"host/focus"}
	// HostAddQuotes adds quotes from the editor to the user's draft.
	HostAddQuotes = Notification[HostAddQuotesParams]{"host/addQuotes"}
	// HostClearClosed clears all closed cards without unsent words.
	HostClearClosed = Notification[None]{"host/clearClosed"}
	// HostDeleteAll deletes the whole history after the user has confirmed.
	HostDeleteAll = Notification[None]{"host/deleteAll"}
)

// CodeNotAsked is an error of a page's host: the request could not be sent to the sidecar.
const CodeNotAsked = -32001

// HostState is the state of the host that its page knows.
type HostState struct {
	// Strings are the texts of the interface in the user's language, by key. Missing ones are in English.
	Strings map[string]string `json:"strings"`
	// Locale is the user's language, a BCP 47 tag.
	Locale string `json:"locale"`
	// Folders are the workspace folders of the host's window, as URIs.
	Folders []string `json:"folders"`
	// Keep reports whether the history is kept.
	Keep bool `json:"keep"`
	// Phrases are the user's phrases.
	Phrases []string `json:"phrases"`
	// Only is the id of the only question that this page shows; absent if it shows all.
	Only string `json:"only,omitempty"`
	// Commands are the commands that the host supports. The page does not offer others.
	Commands []HostCommand `json:"commands"`
	// Diffs reports that the host has a diff view.
	Diffs bool `json:"diffs,omitempty"`
	// Trouble is null if everything works. Otherwise cards stay, and the page cannot send.
	Trouble HostTroubleOrNull `json:"trouble"`
}

// HostChange has the changed fields of HostState.
type HostChange struct {
	Strings  map[string]string `json:"strings,omitempty"`
	Locale   string            `json:"locale,omitempty"`
	Folders  []string          `json:"folders,omitempty"`
	Keep     bool              `json:"keep,omitempty"`
	Phrases  []string          `json:"phrases,omitempty"`
	Only     string            `json:"only,omitempty"`
	Commands []HostCommand     `json:"commands,omitempty"`
	Diffs    bool              `json:"diffs,omitempty"`
	// Trouble is null when it has ended.
	Trouble HostTroubleOrNull `json:"trouble,omitzero"`
}

// HostTrouble is a problem with the sidecar.
type HostTrouble struct {
	Message    string `json:"message"`
	Restarting bool   `json:"restarting"`
}

// HostTroubleOrNull is a problem or null.
type HostTroubleOrNull = *HostTrouble

// HostCommand is a command that a page can run on its host.
type HostCommand string

// The commands.
const (
	HostAskSample     HostCommand = "askSample"
	HostConnectAgents HostCommand = "connectAgents"
	HostConnectHub    HostCommand = "connectHub"
	// HostEscape moves the keyboard focus back to the editor. It dismisses nothing.
	HostEscape       HostCommand = "escape"
	HostImport       HostCommand = "import"
	HostOpenLog      HostCommand = "openLog"
	HostOpenCommand  HostCommand = "openQuestion"
	HostOpenSettings HostCommand = "openSettings"
	HostRestart      HostCommand = "restart"
)

// HostRunParams name a command.
type HostRunParams struct {
	Command HostCommand `json:"command"`
}

// HostText is a text.
type HostText struct {
	Text string `json:"text"`
}

// HostLink is a link from an agent's text.
type HostLink struct {
	Href string `json:"href"`
}

// HostReadFilesParams are URIs of files. At most Room images of at most Bytes each are read.
type HostReadFilesParams struct {
	URIs  []string `json:"uris"`
	Room  int      `json:"room"`
	Bytes int      `json:"bytes"`
}

// HostReadFilesResult are the files in order.
type HostReadFilesResult struct {
	Files []EditorFile `json:"files"`
}

// EditorFile is a file that was dropped on a card from the editor. One of the three fields is set.
type EditorFile struct {
	*EditorImage
	*EditorPath
	*EditorRefusal
}

// EditorImage is an image.
type EditorImage struct {
	Name string `json:"name"`
	// Image is in base64.
	Image string `json:"image"`
}

// EditorPath is a file other than an image.
type EditorPath struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// EditorRefusal is a file that was not read.
type EditorRefusal struct {
	Name    string        `json:"name"`
	Refused EditorProblem `json:"refused"`
}

// EditorProblem is why a file was not read.
type EditorProblem string

// The problems.
const (
	EditorNotRead  EditorProblem = "notRead"
	EditorTooLarge EditorProblem = "fileTooLarge"
	EditorTooMany  EditorProblem = "tooMany"
)

// HostConfirmDeleteParams have the number of entries to delete.
type HostConfirmDeleteParams struct {
	Count int `json:"count"`
}

// HostConfirmDeleteResult reports whether the user has agreed.
type HostConfirmDeleteResult struct {
	Confirmed bool `json:"confirmed"`
}

// HostExportParams select what to export.
type HostExportParams struct {
	Target HistoryTarget `json:"target"`
}

// HostFindPlacesParams are texts.
type HostFindPlacesParams struct {
	Texts []string `json:"texts"`
}

// HostFindPlacesResult are the places in the texts; absent if the host has no files.
type HostFindPlacesResult struct {
	Places []Place `json:"places,omitempty"`
}

// HostFindFilesResult are paths; absent if the host has no files.
type HostFindFilesResult struct {
	Files []string `json:"files,omitempty"`
}

// HostSetPhrasesParams are the user's ready phrases.
type HostSetPhrasesParams struct {
	Phrases []string `json:"phrases"`
}

// HostOpenDiffParams are an agent's proposed edit.
type HostOpenDiffParams struct {
	// Path is the file, for the view's title and language.
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// HostFocusParams are the target of the keyboard focus.
type HostFocusParams struct {
	On HostFocusTarget `json:"on"`
	// ID is the question's id; if absent, the first that can be answered.
	ID string `json:"id,omitempty"`
}

// HostFocusTarget is a question, or the history's list or search.
type HostFocusTarget string

// The targets.
const (
	HostFocusQuestion HostFocusTarget = "question"
	HostFocusList     HostFocusTarget = "list"
	HostFocusSearch   HostFocusTarget = "search"
)

// HostAddQuotesParams are quotes for a draft.
type HostAddQuotesParams struct {
	QuestionID string  `json:"questionId"`
	Quotes     []Quote `json:"quotes"`
}
