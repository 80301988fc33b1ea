package protocol

// A guide leads the user through a task in several steps: connect agents, import logs, export the history. The program has the steps, and
// the editor shows them. Each guide is a process, "followup guide": the editor sends GuideRun to it, and answers its requests meanwhile.
var (
	// GuideRun runs a guide. Its result has the messages to show at the end; its error says why it failed, in the user's language. It can be
	// cancelled.
	GuideRun = Request[GuideRunParams, GuideResult]{"guide/run"}
	// GuideAgain notifies a running guide that the user has started it once more.
	GuideAgain = Notification[None]{"guide/again"}

	// GuidePick has the user choose from a list.
	GuidePick = Request[GuidePickParams, GuidePickResult]{"guide/pick"}
	// GuideDescribe changes the description of an item while the list is shown.
	GuideDescribe = Notification[GuideDescribeParams]{"guide/describe"}
	// GuideInput has the user type a line.
	GuideInput = Request[GuideInputParams, GuideInputResult]{"guide/input"}
	// GuideConfirm asks the user for their consent, in a modal dialog.
	GuideConfirm = Request[GuideConfirmParams, GuideConfirmResult]{"guide/confirm"}
	// GuideOpenFiles has the user choose files or folders.
	GuideOpenFiles = Request[GuideOpenFilesParams, GuideOpenFilesResult]{"guide/openFiles"}
	// GuideSaveFile has the user choose the file to write.
	GuideSaveFile = Request[GuideSaveFileParams, GuideSaveFileResult]{"guide/saveFile"}
	// GuideWriteFile has the editor write a file, where only it can.
	GuideWriteFile = Request[GuideWriteFileParams, None]{"guide/writeFile"}
	// GuideShowMessage shows a message, and does not wait for the user.
	GuideShowMessage = Notification[GuideMessage]{"guide/showMessage"}
	// GuideCommand has the editor run one of the extension's commands.
	GuideCommand = Notification[GuideCommandParams]{"guide/command"}
	// GuideProgress shows how far a guide has come. The first one opens the notification; the next request closes it.
	GuideProgress = Notification[GuideProgressParams]{"guide/progress"}
	// GuideForward makes an address of this machine known where the user's browser is, and gives the one that it has there.
	GuideForward = Request[GuideAddress, GuideAddress]{"guide/forward"}
	// GuideBrowse opens an address in the user's browser.
	GuideBrowse = Request[GuideAddress, None]{"guide/browse"}
	// GuideSaveHub has the editor keep the team's hub, and the user's token for it.
	GuideSaveHub = Request[HubConnectParams, None]{"guide/saveHub"}
)

// GuideName names a guide.
type GuideName string

// The guides.
const (
	GuideConnect GuideName = "connect"
	GuideExport  GuideName = "export"
	GuideHub     GuideName = "hub"
	GuideImport  GuideName = "import"
	GuideSample  GuideName = "sample"
	GuideBrowser GuideName = "browser"
)

// GuideRunParams start a guide.
type GuideRunParams struct {
	Guide GuideName `json:"guide"`
	// Options are those of the editor's handshake.
	Options InitializationOptions `json:"options"`
	// Agents, of connect, are the agents to connect without asking, in place of those that are connected.
	Agents []string `json:"agents,omitempty"`
	// Approvals are the tools whose requests for permission each of the Agents brings into the inbox: none for an absent one, all for an
	// empty list.
	Approvals map[string][]string `json:"approvals,omitempty"`
	// Undo has Agents connected, even if there are none.
	Undo bool `json:"undo,omitempty"`
	// Target, of export, is what to export; absent: the user chooses.
	Target *HistoryTarget `json:"target,omitempty"`
	// Shown, of export, is what the history shows at the moment, if it is narrowed.
	Shown *HistoryMatching `json:"shown,omitempty"`
	// Hub, of hub, is what is set: its token is absent.
	Hub *HubConnectParams `json:"hub,omitempty"`
}

// HistoryTarget is what an action on the history is about: one of the two.
type HistoryTarget struct {
	*HistoryEntries
	*HistoryMatching
}

// HistoryEntries are entries by their ids.
type HistoryEntries struct {
	QuestionIDs []string `json:"questionIds"`
}

// HistoryMatching is all that a text and a filter let through, which may narrow nothing.
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

// GuideButton does one thing: it opens a file, runs a command of the extension's, or starts a guide.
type GuideButton struct {
	Title string `json:"title"`
	// Open are files, by their URIs; of several the user chooses one.
	Open    []string        `json:"open,omitempty"`
	Command string          `json:"command,omitempty"`
	Guide   *GuideRunParams `json:"guide,omitempty"`
}

// GuideCommandParams name a command of the extension's.
type GuideCommandParams struct {
	Command string `json:"command"`
}

// GuidePickParams are a list, with the editor's own names.
type GuidePickParams struct {
	Title       string `json:"title"`
	Placeholder string `json:"placeholder,omitempty"`
	// Many lets the user choose several; else one.
	Many  bool        `json:"canSelectMany,omitempty"`
	Items []GuideItem `json:"items"`
}

// GuideItem is an item of a list.
type GuideItem struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Detail      string `json:"detail,omitempty"`
	// Icon is one of the editor's.
	Icon string `json:"icon,omitempty"`
	// Picked is chosen unless the user changes that, of a list with Many.
	Picked bool `json:"picked,omitempty"`
}

// GuidePickResult are the indexes of the chosen items.
type GuidePickResult struct {
	// Chosen is absent where the user has left.
	Chosen []int `json:"chosen,omitzero"`
}

// GuideDescribeParams describe an item.
type GuideDescribeParams struct {
	Item        int    `json:"item"`
	Description string `json:"description"`
}

// GuideInputParams are a line to type, with the editor's own names.
type GuideInputParams struct {
	Prompt      string `json:"prompt"`
	Placeholder string `json:"placeHolder,omitempty"`
	Value       string `json:"value,omitempty"`
	Password    bool   `json:"password,omitempty"`
	// Problem is what is wrong with Value.
	Problem string `json:"problem,omitempty"`
}

// GuideInputResult is what was typed.
type GuideInputResult struct {
	// Text is absent where the user has left.
	Text *string `json:"text,omitempty"`
}

// GuideConfirmParams are a question with one button besides Cancel.
type GuideConfirmParams struct {
	Text   string `json:"text"`
	Detail string `json:"detail"`
	Button string `json:"button"`
}

// GuideConfirmResult reports whether the user has agreed.
type GuideConfirmResult struct {
	Agreed bool `json:"agreed"`
}

// GuideOpenFilesParams are a dialog for existing files, or folders, with the editor's own names. Not every system's dialog can choose both.
type GuideOpenFilesParams struct {
	Title   string `json:"title"`
	Button  string `json:"openLabel"`
	Files   bool   `json:"canSelectFiles"`
	Folders bool   `json:"canSelectFolders"`
	Many    bool   `json:"canSelectMany"`
	// Filters are extensions without dots, by their names.
	Filters map[string][]string `json:"filters,omitempty"`
}

// GuideOpenFilesResult are the chosen paths.
type GuideOpenFilesResult struct {
	// Paths is absent where the user has left.
	Paths []string `json:"paths,omitempty"`
}

// GuideSaveFileParams are a dialog for a new file, with the editor's own names.
type GuideSaveFileParams struct {
	Title  string `json:"title"`
	Button string `json:"saveLabel"`
	// Name is what is proposed.
	Name    string              `json:"name"`
	Filters map[string][]string `json:"filters,omitempty"`
}

// GuideSaveFileResult is the chosen file.
type GuideSaveFileResult struct {
	// URI is absent where the user has left. Path is the file's on this machine; absent where only the editor can write it.
	URI  string `json:"uri,omitempty"`
	Path string `json:"path,omitempty"`
}

// GuideWriteFileParams are a file's content.
type GuideWriteFileParams struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
}

// GuideProgressParams are how far a guide has come.
type GuideProgressParams struct {
	Title   string `json:"title"`
	Message string `json:"message,omitempty"`
	// Increment is what has been done since the one before, in percent; 0 where that is not known.
	Increment float64 `json:"increment,omitempty"`
	// Fixed means that the user cannot cancel it.
	Fixed bool `json:"fixed,omitempty"`
}

// GuideAddress is an address.
type GuideAddress struct {
	Address string `json:"address"`
}
