package server_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/server"
	"followup/internal/waits"
)

func index(n int) *int { return &n }

func TestAnswerReachesTheAgentExactly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		input  string
		answer protocol.AnswerParams
		want   protocol.Answer
	}{
		{
			"a click", `{"question":"Q?","follow_up":[{"text":"A"},{"text":"B"}]}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: index(1)},
			protocol.Answer{Provenance: protocol.ProvenanceClicked, Text: "<answer>\nB\n</answer>"},
		},
		{
			"a click on a suggestion with a mode", `{"question":"Q?","follow_up":[{"text":"A","mode":"code"}]}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: index(0)},
			protocol.Answer{
				Provenance: protocol.ProvenanceClicked, Text: "<answer>\nA\n</answer>",
				Structured: &protocol.Structured{Mode: "code"},
			},
		},
		{
			"an edited suggestion", `{"question":"Q?","follow_up":[{"text":"A","mode":"code"}]}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceEdited, Suggestion: index(0), Text: "A and more"},
			protocol.Answer{
				Provenance: protocol.ProvenanceEdited, Text: "<answer>\nA and more\n</answer>",
				Structured: &protocol.Structured{Provenance: protocol.ProvenanceEdited, Suggestion: "A"},
			},
		},
		{
			"the user's own words, exactly", `{"question":"Q?"}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: "  a\tb\r\n`c` <d> & </answer>\n"},
			protocol.Answer{Provenance: protocol.ProvenanceTyped, Text: "<answer>\n  a\tb\r\n`c` <d> & </answer>\n\n</answer>"},
		},
		{
			"a megabyte", `{"question":"Q?"}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: strings.Repeat("0123456789abcd\n", 1<<16)},
			protocol.Answer{Provenance: protocol.ProvenanceTyped, Text: "<answer>\n" + strings.Repeat("0123456789abcd\n", 1<<16) + "\n</answer>"},
		},
		{
			"only an image", `{"question":"Q?"}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{{MimeType: "image/gif", Data: "R0lGODlh"}}},
			protocol.Answer{
				Provenance: protocol.ProvenanceTyped, Text: "<answer>\n\n</answer>",
				Images: []protocol.Image{{MimeType: "image/gif", Data: "R0lGODlh"}},
			},
		},
		{
			"repairs are reported", `{"question":"Q?","follow_up":["A","A"]}`,
			protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: index(0)},
			protocol.Answer{
				Provenance: protocol.ProvenanceClicked, Text: "<answer>\nA\n</answer>",
				Structured: &protocol.Structured{Repairs: []string{"duplicate_suggestion"}},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			id, replies := e.Ask(e.Session("s"), test.input)
			e.UntilState(id, protocol.ItemPending)
			test.answer.QuestionID = id
			if result := rpctest.Call(e, protocol.QuestionAnswer, test.answer); !result.Accepted {
				t.Fatal("not accepted")
			}
			reply := waits.For(t, replies)
			test.want.QuestionID, test.want.Outcome = id, protocol.OutcomeAnswered
			if test.want.Images == nil {
				test.want.Images = []protocol.Image{}
			}
			if diff := cmp.Diff(rpctest.Reply{Answer: test.want}, reply); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			e.UntilState(id, protocol.ItemClosed)
		})
	}
}

// An invalid answer is refused with a message for the user, and the question can still be answered.
func TestRefusedAnswers(t *testing.T) {
	t.Parallel()
	large := protocol.Image{MimeType: "image/gif", Data: strings.Repeat("R0lGODlh", (2<<20)/6+1)}
	small := protocol.Image{MimeType: "image/gif", Data: "R0lGODlh"}
	tests := []struct {
		name   string
		answer protocol.AnswerParams
		words  string
	}{
		{"nothing", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: " \n\t"}, "empty"},
		{"no such suggestion", protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: index(7)}, "suggestion"},
		{"a click on nothing", protocol.AnswerParams{Provenance: protocol.ProvenanceClicked}, "suggestion"},
		{"an edit of nothing", protocol.AnswerParams{Provenance: protocol.ProvenanceEdited, Text: "x"}, "suggestion"},
		{"nine images", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{small, small, small, small, small, small, small, small, small}}, "8"},
		{"a large image", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{large}}, "2"},
		{"not the declared type", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{{MimeType: "image/png", Data: small.Data}}}, "PNG"},
		{"another type", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{{MimeType: "image/svg+xml", Data: small.Data}}}, "PNG"},
		{"no base64", protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Images: []protocol.Image{{MimeType: "image/png", Data: "%"}}}, "PNG"},
	}
	e := rpctest.Connect(t, nil)
	id, replies := e.Ask(e.Session("s"), `{"question":"Q?","follow_up":["A"]}`)
	e.UntilState(id, protocol.ItemPending)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.answer.QuestionID = id
			_, err := rpc.Call(context.Background(), e.Conn, protocol.QuestionAnswer, test.answer)
			if code := rpctest.ErrorCode(err); code != protocol.CodeRefused || !strings.Contains(err.Error(), test.words) {
				t.Errorf("got %v, want code %d and %q in the message", err, protocol.CodeRefused, test.words)
			}
		})
	}
	rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceClicked, Suggestion: index(0)})
	if reply := waits.For(t, replies); reply.Answer.Text != "<answer>\nA\n</answer>" {
		t.Errorf("got %+v", reply)
	}
}

// The interface shows a streamed question while it grows, however it is split, and each piece costs only its own size.
func TestStreamedQuestionGrows(t *testing.T) {
	t.Parallel()
	const call = "Hm. <ask_followup_question><question>Größer 😀 or smaller?</question><follow_up><suggest>Größer</suggest>" +
		"<suggest mode='code'>Smaller</suggest></follow_up></ask_followup_question> Waiting."
	for _, size := range []int{1, 2, 3, 7, 40, 1000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			e := rpctest.Connect(t, nil)
			session, stream := e.Session("s"), rpctest.NewID()
			pieces := protocol.StreamAppendParams{Session: session, StreamID: stream}
			runes := []rune(call)
			for at := 0; at < len(runes); at += size {
				e.Append(&pieces, string(runes[at:min(at+size, len(runes))]))
			}
			ended := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
			if len(ended.Calls) != 1 || ended.Calls[0].Status != protocol.CallValid {
				t.Fatalf("got %+v", ended)
			}
			item := e.UntilState(ended.Calls[0].QuestionID, protocol.ItemPending)
			want := protocol.Followup{Question: "Größer 😀 or smaller?", Suggest: []protocol.Suggestion{{Answer: "Größer"}, {Answer: "Smaller", Mode: "code"}}}
			if diff := cmp.Diff(want, *item.Payload.Followup); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			e.Until(func() bool { return e.Passed[stream] == "Hm.  Waiting." })
		})
	}
}

// Bytes are decoded the same however they are cut: a split character is joined, and each invalid byte becomes U+FFFD.
func TestStreamedBytes(t *testing.T) {
	t.Parallel()
	texts := []string{
		"plain text", "aß€🚀\U0010FFFF", "\uFEFFx", "\x80a", "\xe2\x82a", "a\xf0\x9f\x9a", "\xed\xa0\xbd", "\xc0\xaf\xe0\x80\x80", "\xf4\x90\x80\x80\xf5", "é\xff🚀",
	}
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	for _, text := range texts {
		for size := 1; size <= len(text); size++ {
			stream, offset := rpctest.NewID(), 0
			for piece := range slices.Chunk([]byte(text), size) {
				rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{
					Session: session, StreamID: stream, Offset: offset, Data: base64.StdEncoding.EncodeToString(piece),
				})
				offset += len(piece)
			}
			rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: session, StreamID: stream, Offset: offset, Text: "."})
			rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
			var got string
			e.Until(func() bool { got = e.Passed[stream]; return strings.HasSuffix(got, ".") })
			if want := string([]rune(text)) + "."; got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}

// The end of a stream includes a call whose answer was collected while the stream was running.
func TestAnsweredBeforeTheStreamEnds(t *testing.T) {
	t.Parallel()
	e := rpctest.ConnectTo(t, t.TempDir(), func(*server.Options) {})
	session, stream := e.Session("s"), rpctest.NewID()
	rpc.Notify(e.Conn, protocol.StreamAppend, protocol.StreamAppendParams{
		Session: session, StreamID: stream, Text: "<ask_followup_question><question>Q?</question></ask_followup_question> And",
	})
	var id string
	e.Until(func() bool {
		for _, item := range e.Items {
			id = item.QuestionID
		}
		return id != ""
	})
	e.UntilState(id, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionAnswer, typed(id, "yes"))
	rpctest.Call(e, protocol.QuestionAwait, protocol.QuestionParams{QuestionID: id})
	rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: session})
	ended := rpctest.Call(e, protocol.StreamEnd, protocol.StreamEndParams{Session: session, StreamID: stream, Reason: protocol.StreamComplete})
	if len(ended.Calls) != 1 || ended.Calls[0].QuestionID != id || ended.Calls[0].Status != protocol.CallValid {
		t.Errorf("got %+v", ended)
	}
}

// While a question grows, the interface gets only the additions, and together they make the whole.
func TestGrowthIsSentOnce(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session, stream := e.Session("s"), rpctest.NewID()
	pieces := protocol.StreamAppendParams{Session: session, StreamID: stream}
	send := func(text string) { e.Append(&pieces, text) }
	send("<ask_followup_question><question>0")
	want := "0"
	var id string
	e.Until(func() bool {
		for id = range e.Items {
		}
		return id != ""
	})
	for i := range 50 {
		piece := fmt.Sprintf(" %d", i)
		want += piece
		send(piece)
		e.Until(func() bool { return e.Items[id].Payload.Question == want })
	}
	if sent := e.ItemsSent(); sent != 1 {
		t.Errorf("the whole item was sent %d times while it only grew", sent)
	}
}

func TestNotShown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := rpctest.Start(t, nil)
		rpctest.Call(e, protocol.Initialize, protocol.InitializeParams{
			InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version},
		})
		session := e.Session("s")
		_, replies := e.Ask(session, `{"question":"Anyone?"}`)
		begin := time.Now()
		reply := waits.For(t, replies)
		if reply.Answer.Outcome != protocol.OutcomeNotShown || strings.Contains(reply.Answer.Text, "<answer>") {
			t.Errorf("got %+v", reply)
		}
		if waited := time.Since(begin); waited != server.DefaultNotShownAfter {
			t.Errorf("waited %v, want %v", waited, server.DefaultNotShownAfter)
		}
		// An interface that subscribes in time is enough, however late the user answers.
		id, replies := e.Ask(session, `{"question":"And now?"}`)
		synctest.Wait()
		rpctest.Call(e, protocol.InboxSubscribe, protocol.None{})
		<-time.After(time.Hour) // by the bubble's clock
		rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "here"})
		if reply := waits.For(t, replies); reply.Answer.Outcome != protocol.OutcomeAnswered {
			t.Errorf("got %+v", reply)
		}
	})
}

// A dismissal is neither an error nor an answer.
func TestDismissed(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	id, replies := e.Ask(session, `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
	rpctest.Call(e, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	reply := waits.For(t, replies)
	if reply.Answer.Outcome != protocol.OutcomeDismissed || reply.Answer.Error != nil || strings.Contains(reply.Answer.Text, "<") {
		t.Errorf("got %+v", reply)
	}
	if state := rpctest.Call(e, protocol.SessionGet, protocol.SessionParams{Session: session}); state.ConsecutiveMistakes != 0 {
		t.Errorf("a dismissal was counted: %+v", state)
	}
}

// Cancelling question/ask withdraws its question; cancelling question/await does not.
func TestCancel(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	id, replies := e.Ask(session, `{"question":"Q?"}`)
	e.UntilState(id, protocol.ItemPending)
	e.Cancel("question/ask")
	if reply := waits.For(t, replies); rpctest.ErrorCode(reply.Err) != protocol.CodeCancelled {
		t.Errorf("got %+v", reply)
	}
	item := e.UntilState(id, protocol.ItemClosed)
	if item.Outcome.Outcome != protocol.OutcomeWithdrawn {
		t.Errorf("got %+v", item.Outcome)
	}
	if result := rpctest.Call(e, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "late"}); result.Accepted {
		t.Error("an answer to a withdrawn question was accepted")
	}
}

// Many sessions ask and are answered at the same time, each getting its own answer.
func TestManySessionsAtOnce(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	const sessions, each = 20, 5
	type asked struct {
		id      string
		replies <-chan rpctest.Reply
	}
	var all []asked
	for n := range sessions {
		session := e.Session(fmt.Sprint(n))
		for range each {
			id, replies := e.Ask(session, `{"question":"Q?"}`)
			all = append(all, asked{id, replies})
		}
	}
	for len(all) > 0 {
		var rest []asked
		for _, a := range all {
			_, err := rpc.Call(context.Background(), e.Conn, protocol.QuestionAnswer, protocol.AnswerParams{
				QuestionID: a.id, Provenance: protocol.ProvenanceTyped, Text: a.id,
			})
			switch rpctest.ErrorCode(err) {
			case 0:
				if reply := waits.For(t, a.replies); reply.Answer.Text != "<answer>\n"+a.id+"\n</answer>" {
					t.Errorf("%s got %+v", a.id, reply)
				}
			case protocol.CodeRefused, protocol.CodeUnknown: // it is queued, or still arriving
				rest = append(rest, a)
			default:
				t.Fatal(err)
			}
		}
		all = rest
	}
}

// A deadline too large for a time.Duration would wrap around and pass at once.
func TestDeadlineThatIsTooLarge(t *testing.T) {
	t.Parallel()
	e := rpctest.Connect(t, nil)
	session := e.Session("s")
	for _, deadline := range []int{-1, 18446744073710, 1 << 62} {
		code := rpctest.Code(e, protocol.QuestionAsk, protocol.AskParams{
			Session: session, QuestionID: rpctest.NewID(), Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Deadline: deadline,
		})
		if code != -32602 {
			t.Errorf("a deadline of %d ms: got code %d", deadline, code)
		}
	}
}
