package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// The sample arrives about as fast as a model writes.
const (
	samplePiece    = 8
	sampleInterval = 25 * time.Millisecond
)

// sample asks a question like an agent, and returns the result that an agent would get.
func (g *guide) sample(ctx context.Context) ([]protocol.GuideMessage, error) {
	defer g.whileAgain(func() {
		rpc.Notify(g.editor, protocol.GuideCommand, protocol.GuideCommandParams{Command: commandFocus})
	})()
	var results []string
	err := g.atKeeper(ctx, nil, func(ctx context.Context, conn *rpc.Conn) error {
		open := protocol.SessionOpenParams{Agent: "Followup", Key: "sample", WorkspaceFolders: g.params.Options.WorkspaceFolders}
		session, err := rpc.Call(ctx, conn, protocol.SessionOpen, open)
		if err != nil {
			return err
		}
		stream := newID()
		if err := g.writeSample(ctx, conn, session.Session, stream); err != nil {
			return err
		}
		end := protocol.StreamEndParams{Session: session.Session, StreamID: stream, Reason: protocol.StreamComplete}
		found, err := rpc.Call(ctx, conn, protocol.StreamEnd, end)
		if err != nil {
			return err
		}
		for _, call := range found.Calls {
			answer, err := rpc.Call(ctx, conn, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: call.QuestionID})
			if err != nil {
				return err
			}
			results = append(results, received(answer)...)
		}
		return nil
	})
	var wrong *jsonrpc2.Error
	switch {
	case errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled:
		return nil, nil // the question was withdrawn
	case err != nil:
		return nil, plainError(err)
	}
	g.log.Info("the sample question was answered", zap.Strings("received", results))
	line := strings.Join(strings.Fields(strings.Join(results, " ")), " ")
	return information(g.text("An agent would now have received: {0}", line), g.toLog("Open Log")), nil
}

// received returns the result that an agent gets for an answer.
func received(answer protocol.Answer) []string {
	texts := []string{answer.Text}
	for _, image := range answer.Images {
		texts = append(texts, "["+image.MimeType+"]")
	}
	if answer.Structured != nil {
		if text, err := json.Marshal(answer.Structured); err == nil {
			texts = append(texts, string(text))
		}
	}
	return texts
}

// writeSample sends the sample in pieces, like a model that writes a call's arguments.
func (g *guide) writeSample(ctx context.Context, conn *rpc.Conn, session, stream string) error {
	type suggestion struct {
		Text string `json:"text"`
		Mode string `json:"mode,omitempty"`
	}
	call, err := json.Marshal(map[string]any{
		"question": g.text("Hello! This is how an agent asks you something. Which way of answering would you like to try?"),
		"follow_up": []suggestion{
			{Text: g.text("Choose this one to send it exactly as it is")},
			{Text: g.text("Press 2 on the keyboard to choose this one")},
			{Text: g.text("Edit this one before it is sent")},
			{Text: g.text("Choose this one to switch the agent to another mode, too"), Mode: "code"},
		},
	})
	if err != nil {
		return err
	}
	tick := time.NewTicker(sampleInterval)
	defer tick.Stop()
	offset := 0
	for runes := range slices.Chunk([]rune(string(call)), samplePiece) {
		piece := string(runes)
		rpc.Notify(conn, protocol.StreamAppendToolInput, protocol.StreamAppendToolInputParams{
			Session: session, StreamID: stream, CallID: "sample", Tool: "ask_followup_question", Offset: offset, Fragment: piece,
		})
		offset += len(piece)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
