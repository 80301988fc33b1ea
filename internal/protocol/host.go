package protocol

// A page's host is what shows it: the editor, a browser, or a program's conversation. The page asks its host for what the sidecar cannot
// do, and none of this reaches the sidecar. Outside the editor a host lacks some methods, and gives an empty object.
var (
	// HostOpen announces that the page has opened, and returns the state of its host.
	HostOpen = Request[None, HostState]{"host/open"}
	// HostReadFiles reads files of the editor's, in their order.
	HostReadFiles = Request[HostReadFilesParams, HostReadFilesResult]{"host/readFiles"}
	// HostCopy puts a text into the clipboard.
	HostCopy = Request[HostText, None]{"host/copy"}
	// HostConfirmDelete asks the user whether to delete entries.
	HostConfirmDelete = Request[HostConfirmDeleteParams, HostConfirmDeleteResult]{"host/confirmDelete"}
	// HostExport leads the user through an export.
	HostExport = Request[HostExportParams, None]{"host/export"}
	// HostOpenLink opens a link in what an agent wrote: http, https or mailto. The host asks the user before it opens.
	HostOpenLink = Request[HostLink, None]{"host/openLink"}
	// HostFindPlaces finds places in files, as PlaceFind does, in the window's workspace folders.
	HostFindPlaces = Request[HostFindPlacesParams, HostFindPlacesResult]{"host/findPlaces"}
	// HostOpenPlace opens the first place that a text names in the editor.
	HostOpenPlace = Request[HostText, None]{"host/openPlace"}
	// HostFindFiles finds the workspace's files whose paths hold the text, the best first. The page's search before this one ends.
	HostFindFiles = Request[HostText, HostFindFilesResult]{"host/findFiles"}
	// HostDidFocus is sent when a question gets the keyboard focus.
	HostDidFocus = Request[QuestionParams, None]{"host/didFocus"}
	// HostSetPhrases sets the user's ready phrases.
	HostSetPhrases = Request[HostSetPhrasesParams, None]{"host/setPhrases"}
	// HostOpenQuestion opens a question wide, in a tab of the editor.
	HostOpenQuestion = Request[QuestionParams, None]{"host/openQuestion"}
	// HostOpenDiff shows two texts of a file in a diff view. It is called where HostState.Diffs is set.
	HostOpenDiff = Request[HostOpenDiffParams, None]{"host/openDiff"}
	// HostRun runs a command.
	HostRun = Request[HostRunParams, None]{"host/run"}
	// HostDidShow is sent when the history shows something else, for commands that act on what it shows.
	HostDidShow = Request[HistoryMatching, None]{"host/didShow"}

	// HostDidChange has the fields of HostState that have changed.
	HostDidChange = Notification[HostChange]{"host/didChange"}
	// HostDidSaveDraft has a draft that another page of the window has saved.
	HostDidSaveDraft = Notification[SaveDraftParams]{"host/didSaveDraft"}
	// HostDidSubscribe has a new snapshot of the inbox.
	HostDidSubscribe = Notification[Inbox]{"host/didSubscribe"}
	// HostFocus puts the keyboard focus somewhere.
	HostFocus = Notification[HostFocusParams]{"host/focus"}
	// HostAddQuotes adds something from the editor to what the user has begun for a question.
	HostAddQuotes = Notification[HostAddQuotesParams]{"host/addQuotes"}
	// HostClearClosed clears all closed cards that hold no unsent words.
	HostClearClosed = Notification[None]{"host/clearClosed"}
	// HostDeleteAll deletes the whole history, when the user has confirmed it.
	HostDeleteAll = Notification[None]{"host/deleteAll"}
)

// CodeNotAsked is an error of a page's host: the sidecar could not be asked.
const CodeNotAsked = -32001

// HostState is what a page knows of its host.
type HostState struct {
	// Strings are those of the interface in the user's language, by key; English where one is missing.
	Strings map[string]string `json:"strings"`
	// Locale is the user's language, a BCP 47 tag.
	Locale string `json:"locale"`
	// Folders are the workspace folders of the host's window, as URIs.
	Folders []string `json:"folders"`
	// Keep says whether a history is kept at all.
	Keep bool `json:"keep"`
	// Phrases are the user's ready phrases.
	Phrases []string `json:"phrases"`
	// Only is the one question that this page shows; absent where it shows all.
	Only string `json:"only,omitempty"`
	// Commands are those of a page's that the host can do; the others are not offered.
	Commands []HostCommand `json:"commands"`
	// Diffs reports that the host has a diff view.
	Diffs bool `json:"diffs,omitempty"`
	// Trouble is null when all is well. While there is trouble cards stay, and nothing can be sent.
	Trouble HostTroubleOrNull `json:"trouble"`
}

// HostChange is what has changed of HostState.
type HostChange struct {
	Strings  map[string]string `json:"strings,omitempty"`
	Locale   string            `json:"locale,omitempty"`
	Folders  []string          `json:"folders,omitempty"`
	Keep     bool              `json:"keep,omitempty"`
	Phrases  []string          `json:"phrases,omitempty"`
	Only     string            `json:"only,omitempty"`
	Commands []HostCommand     `json:"commands,omitempty"`
	Diffs    bool              `json:"diffs,omitempty"`
	// Trouble is null when it is over.
	Trouble HostTroubleOrNull `json:"trouble,omitzero"`
}

// HostTrouble is trouble with the sidecar.
type HostTrouble struct {
	Message    string `json:"message"`
	Restarting bool   `json:"restarting"`
}

// HostTroubleOrNull is trouble, or null.
type HostTroubleOrNull = *HostTrouble

// HostCommand is what a page can have its host do.
type HostCommand string

// The commands.
const (
	HostAskSample     HostCommand = "askSample"
	HostConnectAgents HostCommand = "connectAgents"
	HostConnectHub    HostCommand = "connectHub"
	// HostEscape gives the keyboard focus back to the editor, and dismisses nothing.
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

// HostLink is a link in what an agent wrote.
type HostLink struct {
	Href string `json:"href"`
}

// HostReadFilesParams name files by their URIs: at most Room images of at most Bytes each are read.
type HostReadFilesParams struct {
	URIs  []string `json:"uris"`
	Room  int      `json:"room"`
	Bytes int      `json:"bytes"`
}

// HostReadFilesResult are the files in their order.
type HostReadFilesResult struct {
	Files []EditorFile `json:"files"`
}

// EditorFile is a file of the editor's that was dropped on a card: one of the three.
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

// EditorPath is anything else.
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

// HostConfirmDeleteParams tell how many entries are to be deleted.
type HostConfirmDeleteParams struct {
	Count int `json:"count"`
}

// HostConfirmDeleteResult reports whether the user has agreed.
type HostConfirmDeleteResult struct {
	Confirmed bool `json:"confirmed"`
}

// HostExportParams name what is exported.
type HostExportParams struct {
	Target HistoryTarget `json:"target"`
}

// HostFindPlacesParams are texts.
type HostFindPlacesParams struct {
	Texts []string `json:"texts"`
}

// HostFindPlacesResult are the places in the texts; absent where the host has no files.
type HostFindPlacesResult struct {
	Places []Place `json:"places,omitempty"`
}

// HostFindFilesResult are paths; absent where the host has no files.
type HostFindFilesResult struct {
	Files []string `json:"files,omitempty"`
}

// HostSetPhrasesParams are the user's ready phrases.
type HostSetPhrasesParams struct {
	Phrases []string `json:"phrases"`
}

// HostOpenDiffParams are what an agent wants to change.
type HostOpenDiffParams struct {
	// Path is the file's, from which the view takes its title and the language.
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// HostFocusParams say where the keyboard focus is to go.
type HostFocusParams struct {
	On HostFocusTarget `json:"on"`
	// ID is the question's; absent: the first that can be answered.
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
