package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/store"
	"followup/internal/waits"
)

const twoCalls = "<ask_followup_question><question>First?</question></ask_followup_question> " +
	"<ask_followup_question><question>Second?</question></ask_followup_question>"

// cutStream returns an editor of a new process, after an earlier one has read a stream of two questions, and the questions' ids.
func cutStream(t *testing.T) (e *rpctest.Editor, disk *rpctest.Disk, stream protocol.StreamParams, asked []string) {
	folder := t.TempDir()
	gone := rpctest.ConnectTo(t, folder, nil)
	stream = protocol.StreamParams{Session: gone.Session("s"), StreamID: rpctest.NewID()}
	give(gone, stream)
	gone.Until(func() bool {
		asked = nil
		for _, text := range []string{"First?", "Second?"} {
			for _, item := range gone.Items {
				if item.State != protocol.ItemStreaming && item.Payload.Question == text {
					asked = append(asked, item.QuestionID)
				}
			}
		}
		return len(asked) == 2
	})
	gone.Leave()
	disk = rpctest.NewDisk()
	e = rpctest.ConnectTo(t, folder, onDisk(disk))
	e.Session("s")
	return e, disk, stream, asked
}

func give(e *rpctest.Editor, stream protocol.StreamParams) {
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: stream.Session, StreamID: stream.StreamID, Text: twoCalls})
}

func end(stream protocol.StreamParams, reason protocol.StreamEndReason) protocol.StreamEndParams {
	return protocol.StreamEndParams{Session: stream.Session, StreamID: stream.StreamID, Reason: reason}
}

func foundIn(result protocol.StreamEndResult) (ids []string) {
	for _, call := range result.Calls {
		ids = append(ids, call.QuestionID)
	}
	return ids
}

// If the saved part of a stream cannot be looked up, none of its questions is asked again, and its end returns the error. A retry works.
func TestUnreadableStream(t *testing.T) {
	t.Parallel()
	e, disk, stream, asked := cutStream(t)
	disk.Fail("Conversation", func() error { return fmt.Errorf("%w: bad sector", store.ErrUnavailable) })
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	give(e, stream)
	for range 2 {
		_, err := rpc.Call(t.Context(), e.Conn, protocol.StreamEnd, end(stream, protocol.StreamComplete))
		if rpctest.ErrorCode(err) != protocol.CodeRefused || !strings.Contains(err.Error(), "bad sector") {
			t.Errorf("got %v", err)
		}
	}
	disk.Fail("Conversation", nil)
	if got := rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: stream.Session}).Conversation; len(got) != 2 {
		t.Errorf("asked are %+v", got)
	}
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	give(e, stream)
	if got := foundIn(rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamComplete))); !slices.Equal(got, asked) {
		t.Errorf("found %q, not %q", got, asked)
	}
}

// A stream that cannot be resumed can be aborted, which withdraws its open questions.
func TestUnreadableStreamIsAborted(t *testing.T) {
	t.Parallel()
	e, disk, stream, asked := cutStream(t)
	disk.Fail("Conversation", func() error { return fmt.Errorf("%w: bad sector", store.ErrUnavailable) })
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamAborted))
	for _, id := range asked {
		if outcome := e.UntilState(id, protocol.ItemClosed).Outcome; outcome.Outcome != protocol.OutcomeWithdrawn {
			t.Errorf("%s is %s", id, outcome.Outcome)
		}
	}
}

// A stream need not be sent again: ending it returns the saved calls, and aborting it withdraws them.
func TestNothingIsGivenAgain(t *testing.T) {
	t.Parallel()
	e, _, stream, asked := cutStream(t)
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	if got := foundIn(rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamComplete))); !slices.Equal(got, asked) {
		t.Errorf("found %q, not %q", got, asked)
	}
	e, _, stream, asked = cutStream(t)
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamAborted))
	for _, id := range asked {
		e.UntilState(id, protocol.ItemClosed)
	}
}

// The end of a stream finds a question that was answered during the look-up.
func TestAnsweredWhileItsStreamIsResumed(t *testing.T) {
	t.Parallel()
	e, disk, stream, asked := cutStream(t)
	read, goOn := make(chan struct{}), make(chan struct{})
	disk.Fail("Conversation", func() error {
		close(read)
		<-goOn
		return nil
	})
	rpc.Notify(e.Conn, protocol.StreamResume, stream)
	give(e, stream)
	waits.For(t, read)
	disk.Fail("Conversation", nil)
	rpctest.Call(e, protocol.QuestionAnswer, typed(asked[0], "yes"))
	close(goOn)
	if got := foundIn(rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamComplete))); !slices.Equal(got, asked) {
		t.Errorf("found %q, not %q", got, asked)
	}
	if got := rpctest.Call(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: asked[0]}); got.Text != "<answer>\nyes\n</answer>" {
		t.Errorf("got %+v", got)
	}
}

// An agent gets its answer even if the user deletes it from the history, both during the stream and after its end.
func TestDeletedBeforeItWasAwaited(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	stream := protocol.StreamParams{Session: e.Session("s"), StreamID: rpctest.NewID()}
	give(e, stream)
	remove := func(id, text string) {
		e.UntilState(id, protocol.ItemPending)
		rpctest.Call(e, protocol.QuestionAnswer, typed(id, text))
		rpctest.Call(e, protocol.HistoryDelete, protocol.HistoryDeleteParams{DeletionID: rpctest.NewID(), QuestionIDs: []string{id}})
	}
	var first string
	e.Until(func() bool {
		for _, item := range e.Items {
			if item.State == protocol.ItemPending {
				first = item.QuestionID
			}
		}
		return first != ""
	})
	remove(first, "one")
	found := foundIn(rpctest.Call(e, protocol.StreamEnd, end(stream, protocol.StreamComplete)))
	remove(found[1], "two")
	for i, want := range []string{"one", "two"} {
		if got := rpctest.Call(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: found[i]}); got.Text != "<answer>\n"+want+"\n</answer>" {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
	if page := rpctest.Call(e, protocol.HistoryList, protocol.HistoryListParams{}); len(page.Entries) > 0 {
		t.Errorf("the history has %+v", page.Entries)
	}
}

// A question that is withdrawn while its call arrives stays withdrawn once the call is complete.
func TestWithdrawnWhileItArrives(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), nil)
	stream := protocol.StreamAppendParams{Session: e.Session("s"), StreamID: rpctest.NewID()}
	e.Append(&stream, "<ask_followup_question><question>Which")
	var id string
	e.Until(func() bool {
		for id = range e.Items {
		}
		return id != ""
	})
	rpctest.Call(e, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id})
	e.Append(&stream, " one?</question></ask_followup_question>")
	result := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: stream.Session, StreamID: stream.StreamID, Reason: protocol.StreamComplete})
	if got := foundIn(result); !slices.Equal(got, []string{id}) {
		t.Fatalf("found %q, not %q", got, id)
	}
	if code := rpctest.Code(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id}); code != protocol.CodeCancelled {
		t.Errorf("got code %d", code)
	}
}
