package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// importLogs imports other tools' logs that the user chooses: those on this machine by tool, or files and folders.
func (g *guide) importLogs(ctx context.Context) ([]protocol.GuideMessage, error) {
	defer g.whileAgain(func() {
		rpc.Notify(g.editor, protocol.GuideShowMessage, information(g.text("An import is already running."))[0])
	})()
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.HistoryDidImport, func(_ context.Context, now protocol.HistoryImportProgress) error {
		if now.Token == importID.Str {
			g.importProgress(now)
		}
		return nil
	})
	var result protocol.HistoryImportResult
	began := false
	err := g.atKeeper(ctx, router, func(ctx context.Context, conn *rpc.Conn) error {
		paths, err := g.chooseLogs(ctx, conn)
		if err != nil || len(paths) == 0 {
			return err
		}
		began = true
		g.importProgress(protocol.HistoryImportProgress{})
		params := protocol.HistoryImportParams{Paths: paths, Token: importID.Str}
		result, err = rpc.CallUntil(ctx, conn, importID, protocol.HistoryImport, params)
		return err
	})
	switch {
	case began && ctx.Err() != nil:
		return information(g.text("The import was cancelled. The questions found until then are in the history.")), nil
	case err != nil || !began:
		return nil, g.failed("The log could not be imported: {0}", ctx, err)
	}
	return g.imported(result), nil
}

func (g *guide) importProgress(now protocol.HistoryImportProgress) {
	shown := protocol.GuideProgressParams{Title: g.text("Importing questions")}
	switch {
	case now.Total > 0:
		shown.Message = g.text("{0} MB of {1} MB read, questions found: {2}", now.Read/1_000_000, now.Total/1_000_000, now.Found)
		done := min(100, 100*float64(now.Read)/float64(now.Total))
		shown.Increment, g.done = max(0, done-g.done), max(done, g.done)
	case now.Read > 0:
		shown.Message = g.text("{0} MB read, questions found: {1}", now.Read/1_000_000, now.Found)
	}
	rpc.Notify(g.editor, protocol.GuideProgress, shown)
}

// imported returns the summary of an import.
func (g *guide) imported(r protocol.HistoryImportResult) []protocol.GuideMessage {
	history := protocol.GuideButton{Title: g.text("Show History"), Command: commandShowHistory}
	if r.SkippedCount+r.DamagedCount == 0 {
		return information(r.Summary, history)
	}
	for _, trouble := range append(r.Skipped, r.Damaged...) {
		at := trouble.File
		if trouble.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, trouble.Line)
		}
		g.log.Warn(at + ": " + trouble.Reason)
	}
	if more := r.SkippedCount + r.DamagedCount - len(r.Skipped) - len(r.Damaged); more > 0 {
		g.log.Warn("more lines or files could not be read", zap.Int("count", more))
	}
	return warning(r.Summary, g.toLog("Show Details"), history)
}

// chooseLogs asks the user for logs, and shows meanwhile how many questions each choice would add. It returns nothing if the user
// cancels.
func (g *guide) chooseLogs(ctx context.Context, conn *rpc.Conn) ([]string, error) {
	found, err := rpc.Call(ctx, conn, protocol.HistoryFindLogs, protocol.None{})
	if err != nil {
		g.log.Warn("could not list the logs on this machine", zap.Error(err))
	}
	list := protocol.GuidePickParams{
		Title:       g.text("Import Questions from a Log"),
		Placeholder: g.text("Logs of other agents on this machine, or your own files and folders"),
	}
	for _, place := range found.Places {
		detail := strings.Join(place.Paths[:min(3, len(place.Paths))], ", ")
		if len(place.Paths) > 3 {
			detail += ", …"
		}
		list.Items = append(list.Items, protocol.GuideItem{
			Label: g.text("All of {0}", place.Tool), Description: g.text("counting…"),
			Detail: detail, Icon: "history",
		})
	}
	list.Items = append(list.Items,
		protocol.GuideItem{Label: g.text("Choose files…"), Icon: "file"},
		protocol.GuideItem{Label: g.text("Choose folders…"), Icon: "folder"})
	counting, stop := context.WithCancel(ctx)
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		g.countLogs(counting, conn, found.Places)
	}()
	chosen, ok, err := g.pick(ctx, list)
	stop()
	<-counted
	if err != nil || !ok {
		return nil, err
	}
	if chosen < len(found.Places) {
		return found.Places[chosen].Paths, nil
	}
	folders := chosen > len(found.Places)
	dialog := protocol.GuideOpenFilesParams{
		Title: g.text("Import Questions from a Log"), Button: g.text("Import"), Files: !folders, Folders: folders, Many: true,
	}
	if !folders {
		dialog.Filters = map[string][]string{g.text("Logs"): {"jsonl", "json", "log"}, g.text("All files"): {"*"}}
	}
	files, err := rpc.Call(ctx, g.editor, protocol.GuideOpenFiles, dialog)
	return files.Paths, err
}

// countLogs shows how many new questions each place has.
func (g *guide) countLogs(ctx context.Context, conn *rpc.Conn, places []protocol.LogPlace) {
	id := jsonrpc2.ID{Str: "count", IsString: true}
	for i, place := range places {
		count, err := rpc.CallOrLeave(ctx, conn, id, protocol.HistoryCountLogs, protocol.HistoryImportParams{Paths: place.Paths})
		if ctx.Err() != nil {
			return
		}
		words := ""
		if err == nil {
			words = g.speak.Count(count.Added, "{0} new question", "{0} new questions")
		}
		rpc.Notify(g.editor, protocol.GuideDescribe, protocol.GuideDescribeParams{Item: i, Description: words})
	}
}

// export writes entries to a file that the user chooses: the entries that the editor names, otherwise all or those shown in the
// history.
func (g *guide) export(ctx context.Context) ([]protocol.GuideMessage, error) {
	what, file, err := g.chooseExport(ctx)
	if err != nil || file.URI == "" {
		return nil, err
	}
	rpc.Notify(g.editor, protocol.GuideProgress, protocol.GuideProgressParams{Title: g.text("Exporting history")})
	var count int
	err = g.atKeeper(ctx, nil, func(ctx context.Context, conn *rpc.Conn) error {
		if file.Path != "" {
			to := protocol.HistoryExportParams{HistoryTextParams: what, Path: file.Path}
			result, err := rpc.CallUntil(ctx, conn, exportID, protocol.HistoryExport, to)
			count = result.Count
			return err
		}
		result, err := rpc.CallUntil(ctx, conn, exportID, protocol.HistoryText, what)
		if err != nil {
			return err
		}
		count = result.Count
		_, err = rpc.Call(ctx, g.editor, protocol.GuideWriteFile, protocol.GuideWriteFileParams{URI: file.URI, Text: result.Text})
		return err
	})
	if err != nil {
		return nil, g.failed("The history could not be exported: {0}", ctx, err)
	}
	name := file.Path
	if name == "" {
		name = file.URI
	}
	text := g.speak.Count(count, exportedOne, exportedMany, name)
	return information(text, protocol.GuideButton{Title: g.text("Open"), Open: []string{file.URI}}), nil
}

// exportID is the id of the request that exports.
var exportID = jsonrpc2.ID{Str: "export", IsString: true}

// chooseExport asks the user which entries to export, in which format and to which file. If they cancel, the file has no URI.
func (g *guide) chooseExport(ctx context.Context) (what protocol.HistoryTextParams, file protocol.GuideSaveFileResult, err error) {
	title := g.text("Export History")
	matching := g.params.Shown
	if target := g.params.Target; target != nil {
		if target.HistoryEntries != nil {
			what.QuestionIDs = target.QuestionIDs
		}
		matching = target.HistoryMatching
	} else if matching != nil {
		chosen, ok, err := g.pick(ctx, protocol.GuidePickParams{
			Title: title, Placeholder: g.text("What do you want to export?"),
			Items: []protocol.GuideItem{{Label: g.text("What the History tab shows")}, {Label: g.text("All of the history")}},
		})
		if err != nil || !ok {
			return what, file, err
		}
		if chosen > 0 {
			matching = nil
		}
	}
	if matching != nil {
		what.Text, what.Filter = matching.Text, matching.Filter
	}
	forms := []struct {
		name, extension string
		format          protocol.HistoryFormat
		words           locale.Key
	}{
		{"Markdown", "md", protocol.HistoryMarkdown, "for people"},
		{"JSON", "json", protocol.HistoryJSON, "for programs: everything, with images"},
	}
	list := protocol.GuidePickParams{Title: title, Placeholder: g.text("In which format?")}
	for _, form := range forms {
		list.Items = append(list.Items, protocol.GuideItem{Label: form.name, Description: g.text(form.words)})
	}
	chosen, ok, err := g.pick(ctx, list)
	if err != nil || !ok {
		return what, file, err
	}
	form := forms[chosen]
	what.Format = form.format
	file, err = rpc.Call(ctx, g.editor, protocol.GuideSaveFile, protocol.GuideSaveFileParams{
		Title: title, Button: g.text("Export"), Filters: map[string][]string{form.name: {form.extension}},
		Name: "followup-history-" + time.Now().Format(time.DateOnly) + "." + form.extension,
	})
	return what, file, err
}
