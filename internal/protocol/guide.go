package protocol

// A guide leads the user through a task in several steps: connect agents, import logs, export the history. The program implements the steps, and
// the editor shows them. Each guide is a process, "followup guide": the editor sends it GuideRun, and handles its requests meanwhile.
var (
	// GuideRun runs a guide. Its result has the messages to show at the end; its error says why it failed, in the user's language. It can be
	// cancelled.
	GuideRun = Request[GuideRunParams, GuideResult]{"guide/run"}
	// GuideAgain reports that the user has started the same guide while it is running.
	GuideAgain = Notification[None]{"guide/again"}

	// GuidePick asks the user to choose from a list.
	GuidePick = Request[GuidePickParams, GuidePickResult]{"guide/pick"}
	// GuideDescribe changes the description of an item while the list is shown.
	GuideDescribe = Notification[GuideDescribeParams]{"guide/describe"}
	// GuideInput asks the user to type a line.
	GuideInput = Request[GuideInputParams, GuideInputResult]{"guide/input"}
	// GuideShowText opens a text that cannot be edited.
	GuideShowText = Request[GuideShowTextParams, None]{"guide/showText"}
	// GuideOpenFiles asks the user to choose files or folders.
	GuideOpenFiles = Request[GuideOpenFilesParams, GuideOpenFilesResult]{"guide/openFiles"}
	// GuideSaveFile asks the user to choose the file to write.
	GuideSaveFile = Request[GuideSaveFileParams, GuideSaveFileResult]{"guide/saveFile"}
	// GuideWriteFile asks the editor to write a file that only it can write.
	GuideWriteFile = Request[GuideWriteFileParams, None]{"guide/writeFile"}
	// GuideShowMessage shows a message, and does not wait for the user.
	GuideShowMessage = Notification[GuideMessage]{"guide/showMessage"}
	// GuideCommand runs one of the extension's commands.
	GuideCommand = Notification[GuideCommandParams]{"guide/command"}
	// GuideProgress shows the progress of a guide. The first one opens the notification; the next request closes it.
	GuideProgress = Notification[GuideProgressParams]{"guide/progress"}
	// GuideForward forwards an address of this machine to the user's browser, and returns the address there.
	GuideForward = Request[GuideAddress, GuideAddress]{"guide/forward"}
	// GuideBrowse opens an address in the user's browser.
	GuideBrowse = Request[GuideAddress, None]{"guide/browse"}
	// GuideSaveHub saves the team's hub and the user's token in the editor.
	GuideSaveHub = Request[HubConnectParams, None]{"guide/saveHub"}
)

// GuideName names a guide.
type GuideName string

// The guides.
const (
	GuideConnect GuideName = "connect"
	GuideDoctor  GuideName = "doctor"
	GuideExport  GuideName = "export"
	GuideHub     GuideName = "hub"
	GuideImport  GuideName = "import"
	GuideLink    GuideName = "link"
	GuideSample  GuideName = "sample"
	GuideBrowser GuideName = "browser"
)

// GuideRunParams start a guide.
type GuideRunParams struct {
	Guide GuideName `json:"guide"`
	// Options are the editor's own initialization options.
	Options InitializationOptions `json:"options"`
	// Agents are the agents to connect without asking, replacing the connected ones; only for the guide connect.
	Agents []string `json:"agents,omitempty"`
	// Approvals maps an agent to the tools whose requests for permission go to the inbox. An absent agent sends none; an empty
	// list means all tools.
	Approvals map[string][]string `json:"approvals,omitempty"`
	// Link creates the link by which terminals find the program, without asking; only for the guides connect and link.
	Link bool `json:"link,omitempty"`
	// Undo connects exactly Agents, without asking: an empty list disconnects all.
	Undo bool `json:"undo,omitempty"`
	// Target is what to export; if absent, the user chooses. Only for the guide export.
	Target *HistoryTarget `json:"target,omitempty"`
	// Shown is the current filter of the history, if any; only for the guide export.
	Shown *HistoryMatching `json:"shown,omitempty"`
	// Hub is the current setting without its token; only for the guide hub.
	Hub *HubConnectParams `json:"hub,omitempty"`
}

// HistoryTarget selects entries of the history by one of its two fields.
type HistoryTarget struct {
	*HistoryEntries
	*HistoryMatching
}

// HistoryEntries are entries by their ids.
type HistoryEntries struct {
	QuestionIDs []string `json:"questionIds"`
}

// HistoryMatching selects all entries that match a text and a filter. Empty ones match everything.
type HistoryMatching struct {
	Text   string        `json:"text"`
	Filter HistoryFilter `json:"filter"`
}

// GuideResult has the messages to show at the end of a guide. Each message stays until the user has closed it.
type GuideResult struct {
	Messages []GuideMessage `json:"messages,omitempty"`
}

// GuideSeverity is how bad a message is.
type GuideSeverity string

// The severities, as the editor names them.
const (
	GuideInformation GuideSeverity = "Information"
	GuideWarning     GuideSeverity = "Warning"
	GuideError       GuideSeverity = "Error"
)

// GuideMessage is a message with buttons.
type GuideMessage struct {
	Severity GuideSeverity `json:"severity"`
	Text     string        `json:"text"`
	Buttons  []GuideButton `json:"buttons,omitempty"`
}

// GuideButton opens a file, runs a command of the extension, or starts a guide.
type GuideButton struct {
	Title string `json:"title"`
	// Open are URIs of files; if there are several, the user chooses one.
	Open    []string        `json:"open,omitempty"`
	Command string          `json:"command,omitempty"`
	Guide   *GuideRunParams `json:"guide,omitempty"`
}

// GuideCommandParams name a command of the extension.
type GuideCommandParams struct {
	Command string `json:"command"`
}

// GuidePickParams are a list, with the editor's own names. It stays open until the user chooses or presses Escape.
type GuidePickParams struct {
	Title       string `json:"title"`
	Placeholder string `json:"placeholder,omitempty"`
	// Many allows several choices.
	Many  bool        `json:"canSelectMany,omitempty"`
	Items []GuideItem `json:"items"`
}

// GuideItem is an item of a list.
type GuideItem struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Detail      string `json:"detail,omitempty"`
	// Icon is the name of one of the editor's icons.
	Icon string `json:"icon,omitempty"`
	// Picked means that the item is chosen at first, in a list that allows several choices.
	Picked bool `json:"picked,omitempty"`
}

// GuidePickResult are the indexes of the chosen items.
type GuidePickResult struct {
	// Chosen is absent if the user cancelled.
	Chosen []int `json:"chosen,omitzero"`
}

// GuideDescribeParams describe an item.
type GuideDescribeParams struct {
	Item        int    `json:"item"`
	Description string `json:"description"`
}

// GuideInputParams describe an input box, with the editor's own names.
type GuideInputParams struct {
	Prompt      string `json:"prompt"`
	Placeholder string `json:"placeHolder,omitempty"`
	Value       string `json:"value,omitempty"`
	Password    bool   `json:"password,omitempty"`
	// Problem is what is wrong with Value, shown below the box.
	Problem string `json:"problem,omitempty"`
}

// GuideInputResult is the typed text.
type GuideInputResult struct {
	// Text is absent if the user cancelled.
	Text *string `json:"text,omitempty"`
}

// GuideShowTextParams are a text that is not in a file.
type GuideShowTextParams struct {
	// Name is the title. Its extension determines the language, as in agents.diff.
	Name string `json:"name"`
	Text string `json:"text"`
}

// GuideOpenFilesParams are a dialog for existing files, or folders, with the editor's own names. Not every system's dialog can choose both.
type GuideOpenFilesParams struct {
	Title   string `json:"title"`
	Button  string `json:"openLabel"`
	Files   bool   `json:"canSelectFiles"`
	Folders bool   `json:"canSelectFolders"`
	Many    bool   `json:"canSelectMany"`
	// Filters maps names to extensions without dots.
	Filters map[string][]string `json:"filters,omitempty"`
}

// GuideOpenFilesResult are the chosen paths.
type GuideOpenFilesResult struct {
	// Paths is absent if the user cancelled.
	Paths []string `json:"paths,omitempty"`
}

// GuideSaveFileParams are a dialog for a new file, with the editor's own names.
type GuideSaveFileParams struct {
	Title  string `json:"title"`
	Button string `json:"saveLabel"`
	// Name is the proposed file name.
	Name    string              `json:"name"`
	Filters map[string][]string `json:"filters,omitempty"`
}

// GuideSaveFileResult is the chosen file.
type GuideSaveFileResult struct {
	// URI is the file's address; absent if the user cancelled.
	URI string `json:"uri,omitempty"`
	// Path is the file's path on this machine; absent if only the editor can write it.
	Path string `json:"path,omitempty"`
}

// GuideWriteFileParams are a file's content.
type GuideWriteFileParams struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
}

// GuideProgressParams are the progress of a guide.
type GuideProgressParams struct {
	Title   string `json:"title"`
	Message string `json:"message,omitempty"`
	// Increment is the progress since the last message, in percent; 0 if unknown.
	Increment float64 `json:"increment,omitempty"`
	// Fixed means that the user cannot cancel the guide now.
	Fixed bool `json:"fixed,omitempty"`
}

// GuideAddress is an address.
type GuideAddress struct {
	Address string `json:"address"`
}
