package inboxclient

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func TestApply(t *testing.T) {
	t.Parallel()
	image := func(data string) *protocol.Draft {
		return &protocol.Draft{Images: []protocol.DraftImage{{Hash: "h", Data: data}}}
	}
	item := func(id string, order int, state protocol.ItemState, p protocol.Payload, d *protocol.Draft) protocol.InboxItem {
		return protocol.InboxItem{QuestionID: id, Order: order, State: state, Payload: p, Draft: d}
	}
	followup := func(text string, suggest ...protocol.Suggestion) protocol.Payload {
		return protocol.Payload{Followup: &protocol.Followup{Question: text, Suggest: suggest}}
	}
	b := New(&rpc.Router{})
	b.Apply(protocol.InboxChange{
		Items: []protocol.InboxItem{
			item("3", 3, protocol.ItemPending, followup("Three?"), nil), item("1", 1, protocol.ItemPending, followup("One?"), image("data")),
			item("2", 2, protocol.ItemStreaming, followup("Tw"), nil),
			item("4", 4, protocol.ItemStreaming, protocol.Payload{Questionnaire: &protocol.Questionnaire{}}, nil),
		},
		Storage: &protocol.Storage{Saved: true},
	})
	b.Apply(protocol.InboxChange{
		Removed: []string{"unknown"},
		Items: []protocol.InboxItem{
			item("1", 1, protocol.ItemPending, followup("One?"), image("")), item("3", 3, protocol.ItemClosed, followup("Three?"), nil),
		},
		Grown: []protocol.InboxGrowth{
			{QuestionID: "2", Text: "o?", Suggest: []protocol.Suggestion{{Answer: "a"}}},
			{QuestionID: "4", Parts: []protocol.PartGrowth{{Index: 1, Text: "Second?", Header: "H"}, {Index: 0, Text: "First?", MultiSelect: true}}},
			{QuestionID: "4", Parts: []protocol.PartGrowth{{Index: 1, Text: " Yes?", Options: []protocol.Option{{Label: "x"}}}}},
			{QuestionID: "unknown", Text: "?"},
		},
	})
	want := []*protocol.InboxItem{}
	for _, item := range []protocol.InboxItem{
		item("1", 1, protocol.ItemPending, followup("One?"), image("data")),
		item("2", 2, protocol.ItemStreaming, followup("Two?", protocol.Suggestion{Answer: "a"}), nil),
		item("4", 4, protocol.ItemStreaming, protocol.Payload{Questionnaire: &protocol.Questionnaire{Questions: []protocol.Question{
			{Question: "First?", MultiSelect: true}, {Question: "Second? Yes?", Header: "H", Options: []protocol.Option{{Label: "x"}}},
		}}}, nil),
	} {
		want = append(want, &item)
	}
	if diff := cmp.Diff(want, b.Open()); diff != "" || !b.Storage.Saved {
		t.Errorf("%+v %s", b.Storage, diff)
	}
	b.Apply(protocol.InboxChange{Removed: []string{"1", "2"}, Storage: &protocol.Storage{}})
	if len(b.Open()) != 1 || b.Storage.Saved {
		t.Errorf("%+v %+v", b.Storage, b.Open())
	}
}
