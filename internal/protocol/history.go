package protocol

import (
	"math"
	"time"
)

// The history contains every closed question, of all agents and windows, and imported ones, newest first.
var (
	// HistoryList returns a page of entries, newest first.
	HistoryList = Request[HistoryListParams, HistoryPage]{"history/list"}
	// HistorySearch returns a page of entries that contain all words of a text. The last word may be a prefix.
	HistorySearch = Request[HistorySearchParams, HistoryPage]{"history/search"}
	// HistoryFacets returns the values that filters can have.
	HistoryFacets = Request[None, HistoryFacetsResult]{"history/facets"}
	// HistoryGet returns one entry with its images.
	HistoryGet = Request[QuestionParams, HistoryEntry]{"history/get"}
	// HistoryFind returns the open and closed questions whose ids have a prefix.
	HistoryFind = Request[HistoryFindParams, HistoryFindResult]{"history/find"}
	// HistoryDelete hides entries at once, and deletes them permanently after 10 s. Until then, HistoryRestore undoes it.
	HistoryDelete = Request[HistoryDeleteParams, HistoryDeleteResult]{"history/delete"}
	// HistoryRestore undoes a deletion within 10 s. A repetition returns the same result.
	HistoryRestore = Request[HistoryRestoreParams, HistoryDeleteResult]{"history/restore"}
	// HistoryText returns entries as text, for the clipboard or a file that the caller writes. It can be cancelled.
	HistoryText = Request[HistoryTextParams, HistoryTextResult]{"history/text"}
	// HistoryExport writes entries to a file. It can be cancelled.
	HistoryExport = Request[HistoryExportParams, HistoryExportResult]{"history/export"}
	// HistoryImport imports other tools' logs. If it is cancelled, entries imported so far stay. If it fails, the error's data is
	// their HistoryImportResult.
	HistoryImport = Request[HistoryImportParams, HistoryImportResult]{"history/import"}
	// HistoryFindLogs returns where other tools keep logs on this machine.
	HistoryFindLogs = Request[None, HistoryFindLogsResult]{"history/findLogs"}
	// HistoryCountLogs returns the result that HistoryImport would have, and writes nothing.
	HistoryCountLogs = Request[HistoryImportParams, HistoryImportResult]{"history/countLogs"}
	// HistoryDidImport, from the sidecar, reports the progress of an import.
	HistoryDidImport = Notification[HistoryImportProgress]{"history/didImport"}
	// HistoryDidChange, from the sidecar, reports entries that were added without a request.
	HistoryDidChange = Notification[None]{"history/didChange"}
	// HistoryConfigure configures what the history keeps.
	HistoryConfigure = Request[HistoryConfigureParams, None]{"history/configure"}
)

// HistoryFilter restricts entries. Absent fields match everything.
type HistoryFilter struct {
	// Agents are names of agents.
	Agents []string `json:"agents,omitempty"`
	// Workspaces are URIs of workspace folders.
	Workspaces []string      `json:"workspaces,omitempty"`
	Kinds      []HistoryKind `json:"kinds,omitempty"`
	// Outcomes are values of ItemOutcome.Outcome.
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// From is the earliest time at which an entry was closed, in milliseconds since 1970.
	From int64 `json:"from,omitempty"`
	// To is the end of the period, exclusive.
	To int64 `json:"to,omitempty"`
}

// HistoryListParams select a page.
type HistoryListParams struct {
	Filter HistoryFilter `json:"filter,omitzero"`
	// After is HistoryPage.Next of the previous page; absent for the first page.
	After string `json:"after,omitempty"`
	// Limit is the maximum number of entries: 50 by default, at most 200.
	Limit int `json:"limit,omitempty"`
}

// HistorySearchParams select a page of matching entries.
type HistorySearchParams struct {
	HistoryListParams
	// Text is what the user typed.
	Text string `json:"text"`
	// ShortIDs adds HistoryEntry.ShortID.
	ShortIDs bool `json:"shortIds,omitempty"`
	// Plain omits HistoryEntry.Rendered and HistoryEntry.Matches, for clients without a page.
	Plain bool `json:"plain,omitempty"`
}

// HistoryPage is a page of the history.
type HistoryPage struct {
	Entries []HistoryEntry `json:"entries"`
	// Next selects the next page; absent on the last.
	Next string `json:"next,omitempty"`
	// Saved is false if the history is not being saved on disk.
	Saved bool `json:"saved"`
	// Problem is why, in the user's language.
	Problem string `json:"problem,omitempty"`
	// Shared means that the history belongs to a hub, so its readers cannot delete entries.
	Shared bool `json:"shared,omitempty"`
}

// HistoryEntry is one question and its outcome.
type HistoryEntry struct {
	Envelope
	QuestionID string      `json:"questionId"`
	Kind       HistoryKind `json:"kind"`
	// ShortID is the shortest unique prefix of QuestionID, at least 8 characters; only if the search asked for it.
	ShortID string `json:"shortId,omitempty"`
	Agent   string `json:"agent"`
	// Workspace is the URI of the workspace folder where it was asked, if any.
	Workspace string `json:"workspace,omitempty"`
	Tool      string `json:"tool"`
	// Source is the tool whose log it was imported from; absent for questions asked in Followup.
	Source string `json:"source,omitempty"`
	// Payload is what the agent offered; absent for an invalid call.
	Payload  *Payload  `json:"payload,omitempty"`
	Rendered *Rendered `json:"rendered,omitempty"`
	// Error is why a call was invalid.
	Error *CallError `json:"error,omitempty"`
	// Guidance marks a request for guidance.
	Guidance *Guidance `json:"guidance,omitempty"`
	// AskedAt is when the agent asked, in milliseconds since 1970; absent if an imported log does not have it.
	AskedAt int64       `json:"askedAt,omitempty"`
	Outcome ItemOutcome `json:"outcome"`
	// Shortened means that long texts were cut for the page; HistoryGet returns them in full.
	Shortened bool `json:"shortened,omitempty"`
	// Images are the answer's images; only from HistoryGet.
	Images []Image `json:"images,omitempty"`
	// Collected is false until the asking agent has received the answer.
	Collected bool `json:"collected"`
	// Matches are the words that a search found in the entry's texts, without duplicates; only from HistorySearch.
	Matches []HistoryMatch `json:"matches,omitempty"`
	// Excerpt is a line with the first match, unless the question or the answer begins with a match.
	Excerpt string `json:"excerpt,omitempty"`
}

// HistoryMatch is a word of a text, a run of letters, digits and combining marks, and the part of it to mark.
type HistoryMatch struct {
	Word string `json:"word"`
	// Start is where the part begins, in UTF-16 code units.
	Start int `json:"start"`
	// End is where the part ends, exclusive.
	End int `json:"end"`
}

// HistoryFindParams are a prefix of ids.
type HistoryFindParams struct {
	// Prefix is a prefix or a complete id, which matches only itself.
	Prefix string `json:"prefix"`
	// Limit is the maximum number of questions: 10 by default, at most 50.
	Limit int `json:"limit,omitempty"`
}

// HistoryFindResult are the matching questions, ordered by id.
type HistoryFindResult struct {
	Questions []FoundQuestion `json:"questions"`
	// More means that others match too.
	More bool `json:"more,omitempty"`
}

// FoundQuestion is a question by its id: either Entry or Item is set.
type FoundQuestion struct {
	// Entry is a closed question, with its images.
	Entry *HistoryEntry `json:"entry,omitempty"`
	// Item is an open question.
	Item *InboxItem `json:"item,omitempty"`
}

// HistoryFacetsResult are the values that filters can have.
type HistoryFacetsResult struct {
	Agents     []string `json:"agents"`
	Workspaces []string `json:"workspaces"`
}

// HistoryDeleteParams select the entries to delete: by id, or all that match a filter and a text.
type HistoryDeleteParams struct {
	// DeletionID is the caller's unique id for the deletion, of at most 64 bytes. Only CountOnly may omit it. A repetition deletes nothing
	// more, and returns the same result.
	DeletionID  string   `json:"deletionId,omitempty"`
	QuestionIDs []string `json:"questionIds,omitempty"`
	// All deletes everything that matches Filter and Text, instead of QuestionIDs.
	All    bool          `json:"all,omitempty"`
	Filter HistoryFilter `json:"filter,omitzero"`
	Text   string        `json:"text,omitempty"`
	// CountOnly deletes nothing and returns the number of entries, for a confirmation.
	CountOnly bool `json:"countOnly,omitempty"`
}

// HistoryDeleteResult is the result of a deletion or a restoration.
type HistoryDeleteResult struct {
	// Count is the number of entries.
	Count int `json:"count"`
	// Undo is the deletion's id, for HistoryRestore; absent if nothing was deleted.
	Undo string `json:"undo,omitempty"`
	// UndoUntil is the end of the time to undo, in milliseconds since 1970.
	UndoUntil int64 `json:"undoUntil,omitempty"`
}

// HistoryRestoreParams identify a deletion.
type HistoryRestoreParams struct {
	// Undo is HistoryDeleteResult.Undo.
	Undo string `json:"undo"`
}

// HistoryFormat is an export format.
type HistoryFormat string

// The formats.
const (
	// HistoryMarkdown is for people.
	HistoryMarkdown HistoryFormat = "markdown"
	// HistoryJSON is an array of HistoryEntry, with images.
	HistoryJSON HistoryFormat = "json"
)

// HistoryTextParams select entries and a format.
type HistoryTextParams struct {
	Format HistoryFormat `json:"format"`
	// QuestionIDs are the entries' ids; if absent, all that match Filter and Text.
	QuestionIDs []string      `json:"questionIds,omitempty"`
	Filter      HistoryFilter `json:"filter,omitzero"`
	Text        string        `json:"text,omitempty"`
}

// HistoryTextResult is the text.
type HistoryTextResult struct {
	// Count is the number of entries.
	Count int `json:"count"`
	// Text is at most 4 MiB. A longer text is an error.
	Text string `json:"text"`
}

// HistoryExportParams select entries, a format and a file.
type HistoryExportParams struct {
	HistoryTextParams
	// Path is the file to write, an absolute path.
	Path string `json:"path"`
}

// HistoryExportResult is the result of an export.
type HistoryExportResult struct {
	Count int `json:"count"`
}

// HistoryFindLogsResult are the places of other tools' logs.
type HistoryFindLogsResult struct {
	Places []LogPlace `json:"places"`
}

// LogPlace is where one tool keeps logs.
type LogPlace struct {
	// Tool is the tool's name.
	Tool string `json:"tool"`
	// Paths are absolute paths of files and folders.
	Paths []string `json:"paths"`
}

// HistoryImportParams select other tools' logs.
type HistoryImportParams struct {
	// Paths are absolute paths of files or folders.
	Paths []string `json:"paths"`
	// Token identifies the caller in HistoryDidImport, also for a count. If absent, no progress is reported.
	Token string `json:"token,omitempty"`
}

// HistoryImportProgress is the progress of an import or a count.
type HistoryImportProgress struct {
	Token string `json:"token"`
	// Read is the number of bytes read so far.
	Read int64 `json:"read"`
	// Total is the number of bytes to read; absent if unknown.
	Total int64 `json:"total,omitempty"`
	// Found is the number of questions found so far.
	Found int `json:"found"`
}

// HistoryImportResult is the result of an import.
type HistoryImportResult struct {
	// Added is the number of new entries.
	Added int `json:"added"`
	// Known is the number of entries that were imported before.
	Known int `json:"known"`
	// Unanswered is the number of questions without an answer in the logs.
	Unanswered int `json:"unanswered"`
	// Files is the number of files read.
	Files int `json:"files"`
	// SkippedCount is the number of files that were not read: unknown, unreadable or not regular.
	SkippedCount int `json:"skippedCount"`
	// Skipped are the first 20 of them.
	Skipped []DamagedRecord `json:"skipped"`
	// DamagedCount is the number of unreadable lines.
	DamagedCount int `json:"damagedCount"`
	// Damaged are the first 20 of them.
	Damaged []DamagedRecord `json:"damaged"`
	// Summary is the result in the user's language; only of HistoryImport.
	Summary string `json:"summary,omitempty"`
}

// DamagedRecord is an unreadable line of a log, or an unreadable file.
type DamagedRecord struct {
	File string `json:"file"`
	// Line is counted from 1; 0 means the whole file.
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// HistoryConfigureParams configure the history for all windows that share the storage folder.
type HistoryConfigureParams struct {
	// Keep is false to keep only open questions and, for a week, answers that no agent has collected.
	Keep bool `json:"keep"`
	// RetentionDays is the number of days to keep an entry (0 = forever).
	RetentionDays int `json:"retentionDays"`
	// KeepImporting keeps importing new logs from the places of HistoryFindLogs.
	KeepImporting bool `json:"keepImporting,omitempty"`
}

// RetentionAge converts days to a duration. Too many days give the longest duration instead of wrapping around.
func RetentionAge(days int) time.Duration {
	const day = 24 * time.Hour
	return time.Duration(min(int64(days), math.MaxInt64/int64(day))) * day
}
