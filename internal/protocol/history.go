package protocol

// The history is every question that has an outcome, of all agents and windows, and what was imported. Newest first.
var (
	// HistoryList gives a page.
	HistoryList = Request[HistoryListParams, HistoryPage]{"history/list"}
	// HistorySearch gives a page of what holds all words of a text; the last word may be the beginning of one.
	HistorySearch = Request[HistorySearchParams, HistoryPage]{"history/search"}
	// HistoryFacets tells what the filters can name.
	HistoryFacets = Request[None, HistoryFacetsResult]{"history/facets"}
	// HistoryGet gives one entry with its images.
	HistoryGet = Request[QuestionParams, HistoryEntry]{"history/get"}
	// HistoryFind gives the questions, open and closed, whose ids begin with a text.
	HistoryFind = Request[HistoryFindParams, HistoryFindResult]{"history/find"}
	// HistoryDelete hides entries at once and removes them for good when the time to undo it, 10 s, has passed.
	HistoryDelete = Request[HistoryDeleteParams, HistoryDeleteResult]{"history/delete"}
	// HistoryRestore undoes a deletion in time.
	HistoryRestore = Request[HistoryRestoreParams, HistoryDeleteResult]{"history/restore"}
	// HistoryText gives entries as text, for the clipboard or a file that the caller writes. It can be cancelled.
	HistoryText = Request[HistoryTextParams, HistoryTextResult]{"history/text"}
	// HistoryExport writes entries to a file. It can be cancelled.
	HistoryExport = Request[HistoryExportParams, HistoryExportResult]{"history/export"}
	// HistoryImport reads other tools' logs. It can be cancelled; what was read until then stays. If it fails, the error's data is a
	// HistoryImportResult: what was read before.
	HistoryImport = Request[HistoryImportParams, HistoryImportResult]{"history/import"}
	// HistoryFindLogs tells where other tools keep logs on this machine.
	HistoryFindLogs = Request[None, HistoryFindLogsResult]{"history/findLogs"}
	// HistoryCountLogs tells what HistoryImport would bring, and writes nothing.
	HistoryCountLogs = Request[HistoryImportParams, HistoryImportResult]{"history/countLogs"}
	// HistoryDidImport tells how far an import has come, from the sidecar.
	HistoryDidImport = Notification[HistoryImportProgress]{"history/didImport"}
	// HistoryDidChange tells that entries came by themselves, from the sidecar.
	HistoryDidChange = Notification[None]{"history/didChange"}
	// HistoryConfigure sets what is kept.
	HistoryConfigure = Request[HistoryConfigureParams, None]{"history/configure"}
)

// HistoryKind is what an agent wanted of the user.
type HistoryKind string

// The kinds.
const (
	KindQuestion HistoryKind = "question"
	KindApproval HistoryKind = "approval"
	// KindPlan is an approval of a plan.
	KindPlan HistoryKind = "plan"
	// KindGuidance is a request for guidance after too many invalid calls.
	KindGuidance HistoryKind = "guidance"
)

// HistoryFilter narrows the history; an absent field narrows nothing.
type HistoryFilter struct {
	// Agents are agents' names.
	Agents []string `json:"agents,omitempty"`
	// Workspaces are URIs of workspace folders.
	Workspaces []string      `json:"workspaces,omitempty"`
	Kinds      []HistoryKind `json:"kinds,omitempty"`
	// Outcomes are those of ItemOutcome.
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// From and To bound when the entry was closed, in milliseconds since 1970; To is exclusive.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
}

// HistoryListParams asks for a page.
type HistoryListParams struct {
	Filter HistoryFilter `json:"filter,omitzero"`
	// After is the Next of the page before; absent: the first page.
	After string `json:"after,omitempty"`
	// Limit is how many entries at most; absent: 50, at most 200.
	Limit int `json:"limit,omitempty"`
}

// HistorySearchParams asks for a page of what holds a text.
type HistorySearchParams struct {
	// Text is what the user typed.
	Text   string        `json:"text"`
	Filter HistoryFilter `json:"filter,omitzero"`
	After  string        `json:"after,omitempty"`
	Limit  int           `json:"limit,omitempty"`
	// ShortIDs adds HistoryEntry.ShortID.
	ShortIDs bool `json:"shortIds,omitempty"`
	// Plain leaves Rendered out, for a client that shows no page.
	Plain bool `json:"plain,omitempty"`
}

// HistoryPage is a page of the history.
type HistoryPage struct {
	Entries []HistoryEntry `json:"entries"`
	// Next asks for the page that follows; absent on the last.
	Next string `json:"next,omitempty"`
	// Saved is false where history is not being kept on disk, and Problem says why.
	Saved   bool   `json:"saved"`
	Problem string `json:"problem,omitempty"`
	// Shared tells that the history is a hub's: nothing of it is deleted by those who read it.
	Shared bool `json:"shared,omitempty"`
}

// HistoryEntry is one question and its outcome.
type HistoryEntry struct {
	Envelope
	QuestionID string      `json:"questionId"`
	Kind       HistoryKind `json:"kind"`
	// ShortID is the shortest beginning of QuestionID, of 8 characters at least, that no other question's id has; only with ShortIDs.
	ShortID string `json:"shortId,omitempty"`
	Agent   string `json:"agent"`
	// Workspace is the URI of the workspace folder that it was asked in; absent when there was none.
	Workspace string `json:"workspace,omitempty"`
	Tool      string `json:"tool"`
	// Source is the tool whose log it was imported from; absent for Followup's own.
	Source string `json:"source,omitempty"`
	// Payload is everything that was offered; absent for an invalid call.
	Payload  *Payload  `json:"payload,omitempty"`
	Rendered *Rendered `json:"rendered,omitempty"`
	// Error tells why a call was invalid.
	Error *CallError `json:"error,omitempty"`
	// Guidance marks a request for guidance.
	Guidance *Guidance `json:"guidance,omitempty"`
	// AskedAt is in milliseconds since 1970; absent where an imported log does not tell.
	AskedAt int64       `json:"askedAt,omitempty"`
	Outcome ItemOutcome `json:"outcome"`
	// Shortened tells that long texts were cut for the page; history/get gives them whole.
	Shortened bool `json:"shortened,omitempty"`
	// Images are the answer's; only from history/get.
	Images []Image `json:"images,omitempty"`
	// Collected is false while the agent that asked has not been given the answer.
	Collected bool `json:"collected"`
	// Matches are the words that a search found in the entry's texts, each once; only from history/search, unless Plain.
	Matches []HistoryMatch `json:"matches,omitempty"`
	// Excerpt is a line with the first match in it, if neither the question nor the answer begins with one.
	Excerpt string `json:"excerpt,omitempty"`
}

// HistoryMatch is a word as a text has it, all letters, digits and combining marks in a row, and the part of it to mark.
type HistoryMatch struct {
	Word string `json:"word"`
	// Start and End are in UTF-16 code units.
	Start int `json:"start"`
	End   int `json:"end"`
}

// HistoryFindParams names questions by the beginning of their ids.
type HistoryFindParams struct {
	// Prefix is the beginning, or a whole id, which is given alone.
	Prefix string `json:"prefix"`
	// Limit is how many questions at most; absent: 10, at most 50.
	Limit int `json:"limit,omitempty"`
}

// HistoryFindResult is what was found, in the order of the ids.
type HistoryFindResult struct {
	Questions []FoundQuestion `json:"questions"`
	// More tells that there are others.
	More bool `json:"more,omitempty"`
}

// FoundQuestion is a question by its id: one of Entry and Item is there.
type FoundQuestion struct {
	// Entry is a closed question, with its images.
	Entry *HistoryEntry `json:"entry,omitempty"`
	// Item is an open one.
	Item *InboxItem `json:"item,omitempty"`
}

// HistoryFacetsResult tells what the filters can name.
type HistoryFacetsResult struct {
	Agents     []string `json:"agents"`
	Workspaces []string `json:"workspaces"`
}

// HistoryDeleteParams names what is deleted: entries, or all that a filter and a text let through.
type HistoryDeleteParams struct {
	QuestionIDs []string `json:"questionIds,omitempty"`
	// All deletes everything that Filter and Text let through, instead of QuestionIDs.
	All    bool          `json:"all,omitempty"`
	Filter HistoryFilter `json:"filter,omitzero"`
	Text   string        `json:"text,omitempty"`
	// CountOnly deletes nothing: it tells how many entries would be deleted, so that the user can be asked.
	CountOnly bool `json:"countOnly,omitempty"`
}

// HistoryDeleteResult tells what was deleted, or restored.
type HistoryDeleteResult struct {
	// Count is how many entries.
	Count int `json:"count"`
	// Undo restores them; absent when nothing was deleted.
	Undo string `json:"undo,omitempty"`
	// UndoUntil is when that ends, in milliseconds since 1970.
	UndoUntil int64 `json:"undoUntil,omitempty"`
}

// HistoryRestoreParams undoes a deletion.
type HistoryRestoreParams struct {
	// Undo is the deletion's.
	Undo string `json:"undo"`
}

// HistoryFormat is a form of export.
type HistoryFormat string

// The forms.
const (
	// HistoryMarkdown is for people.
	HistoryMarkdown HistoryFormat = "markdown"
	// HistoryJSON is an array of HistoryEntry, with images.
	HistoryJSON HistoryFormat = "json"
)

// HistoryTextParams names what is given, and in which form.
type HistoryTextParams struct {
	Format HistoryFormat `json:"format"`
	// QuestionIDs names entries; absent: all that Filter and Text let through.
	QuestionIDs []string      `json:"questionIds,omitempty"`
	Filter      HistoryFilter `json:"filter,omitzero"`
	Text        string        `json:"text,omitempty"`
}

// HistoryTextResult is what was asked for.
type HistoryTextResult struct {
	// Count is how many entries.
	Count int `json:"count"`
	// Text is 4 MiB at most; more is refused.
	Text string `json:"text"`
}

// HistoryExportParams names what is exported, in which form, and where to.
type HistoryExportParams struct {
	Format HistoryFormat `json:"format"`
	// QuestionIDs names entries; absent: all that Filter and Text let through.
	QuestionIDs []string      `json:"questionIds,omitempty"`
	Filter      HistoryFilter `json:"filter,omitzero"`
	Text        string        `json:"text,omitempty"`
	// Path is the file to write, absolute.
	Path string `json:"path"`
}

// HistoryExportResult tells what was exported.
type HistoryExportResult struct {
	Count int `json:"count"`
}

// HistoryFindLogsResult tells where other tools keep logs.
type HistoryFindLogsResult struct {
	Places []LogPlace `json:"places"`
}

// LogPlace is where one tool keeps logs.
type LogPlace struct {
	// Tool is its name.
	Tool string `json:"tool"`
	// Paths are files and folders, absolute.
	Paths []string `json:"paths"`
}

// HistoryImportParams names logs of other tools.
type HistoryImportParams struct {
	// Paths are files or folders, absolute.
	Paths []string `json:"paths"`
	// Token is the caller's, for HistoryDidImport, also while logs are only counted; absent: no progress is told.
	Token string `json:"token,omitempty"`
}

// HistoryImportProgress tells how far an import, or a count, has come.
type HistoryImportProgress struct {
	Token string `json:"token"`
	// Read and Total are bytes; Total is 0 while it is not known.
	Read  int64 `json:"read"`
	Total int64 `json:"total,omitempty"`
	// Found is how many exchanges have been found so far.
	Found int `json:"found"`
}

// HistoryImportResult tells what an import brought.
type HistoryImportResult struct {
	// Added are new entries, Known those that had been imported before.
	Added int `json:"added"`
	Known int `json:"known"`
	// Unanswered are questions in the logs that have no answer there.
	Unanswered int `json:"unanswered"`
	// Files is how many were read.
	Files int `json:"files"`
	// SkippedCount is how many files were not read: of no known kind, unreadable, no files at all; Skipped tells of the first 20.
	SkippedCount int             `json:"skippedCount"`
	Skipped      []DamagedRecord `json:"skipped"`
	// DamagedCount is how many lines could not be read; Damaged tells of the first 20.
	DamagedCount int             `json:"damagedCount"`
	Damaged      []DamagedRecord `json:"damaged"`
	// Summary is all that in the user's words, of HistoryImport.
	Summary string `json:"summary,omitempty"`
}

// DamagedRecord is a line of a log that could not be read, or a file.
type DamagedRecord struct {
	File string `json:"file"`
	// Line is counted from 1; 0 when it is about the file as a whole.
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// HistoryConfigureParams sets what is kept, for all windows that use the same storage folder.
type HistoryConfigureParams struct {
	// Keep is false to keep nothing but what is still open.
	Keep bool `json:"keep"`
	// RetentionDays is after how many days an entry is removed; 0: never.
	RetentionDays int `json:"retentionDays"`
	// KeepImporting imports what comes to the places of HistoryFindLogs; absent: not.
	KeepImporting bool `json:"keepImporting,omitempty"`
}
