package inbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// page returns an interface that shows a hub and has no questions of its own. do runs a function under the lock.
func page() (b *inbox.Inbox, h *inbox.Hub, do func(func())) {
	registry := conversation.New(conversation.Options{Log: zap.NewNop(), Background: background.New(zap.NewNop())})
	b, h = inbox.New(registry, &inbox.Inboxes{}, func() {}), inbox.NewHub(protocol.HubState{})
	registry.View(func() { b.SetHub(h) })
	return b, h, registry.View
}

func asked(id string, order int) protocol.InboxItem {
	return protocol.InboxItem{
		QuestionID: id, State: protocol.ItemPending, Order: order,
		Payload: protocol.Payload{Followup: &protocol.Followup{Question: "?", Suggest: []protocol.Suggestion{}}},
	}
}

func ids(items []protocol.InboxItem) (all []string) {
	for _, item := range items {
		all = append(all, item.QuestionID)
	}
	return all
}

func TestHubQuestionsInTheInbox(t *testing.T) {
	b, h, do := page()
	b.Subscribe()
	do(func() {
		h.SetState(protocol.HubState{State: protocol.HubConnected, Name: "Team"})
		arriving := asked("arriving", 3)
		arriving.State = protocol.ItemStreaming
		over := asked("never sent", 4)
		over.State = protocol.ItemClosed
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{asked("a", 1), asked("b", 2), arriving, over}, Removed: []string{"unknown"}})
	})
	change, more := b.Next()
	if !more || change.Hub == nil || change.Hub.Name != "Team" || !slices.Equal(ids(change.Items), []string{"a", "b"}) || change.Removed != nil {
		t.Errorf("sent: %+v", change)
	}
	if change.Items[0].Hub != "Team" {
		t.Errorf("sent without the hub's name: %+v", change.Items[0])
	}
	if _, more := b.Next(); more {
		t.Error("the change is sent twice")
	}
	do(func() {
		if !b.HasHub("a") || b.HasHub("arriving") || b.HasHub("own") {
			t.Error("HasHub returns wrong results")
		}
		closed := asked("a", 1)
		closed.State, closed.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeAnswered, AnsweredBy: "Ann"}
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{closed, asked("b", 2)}})
		if b.HasHub("a") {
			t.Error("a closed question still belongs to the hub")
		}
	})
	change, _ = b.Next()
	if !slices.Equal(ids(change.Items), []string{"a", "b"}) || change.Items[0].Outcome.AnsweredBy != "Ann" || change.Hub != nil {
		t.Errorf("sent: %+v", change)
	}
	// The agent reports what it did after the question was closed.
	do(func() {
		corrected := asked("a", 1)
		corrected.State, corrected.Outcome = protocol.ItemClosed, &protocol.ItemOutcome{Outcome: protocol.OutcomeDenied, Effective: protocol.OutcomeAllowed}
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{corrected}})
		if b.HasHub("a") {
			t.Error("a corrected question is open again")
		}
	})
	if change, _ = b.Next(); !slices.Equal(ids(change.Items), []string{"a"}) || change.Items[0].Outcome.Effective != protocol.OutcomeAllowed {
		t.Errorf("sent: %+v", change)
	}
	// A page that reconnects gets the open questions and the hub's state.
	do(func() { h.SetState(protocol.HubState{State: protocol.HubConnecting, Name: "Team", Problem: "away"}) })
	if snapshot := b.Subscribe(); !slices.Equal(ids(snapshot.Items), []string{"b"}) || snapshot.Hub.Problem != "away" {
		t.Errorf("the snapshot is %+v", snapshot)
	}
	do(func() { b.SetHub(inbox.NewHub(protocol.HubState{State: protocol.HubOff})) })
	if change, _ := b.Next(); !slices.Equal(change.Removed, []string{"b"}) || change.Hub.State != protocol.HubOff {
		t.Errorf("sent: %+v", change)
	}
}

func TestHubQuestionsInPages(t *testing.T) {
	b, h, do := page()
	do(func() {
		for n := range 250 {
			h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{asked(fmt.Sprint(n), n)}})
		}
	})
	snapshot := b.Subscribe()
	do(func() { h.Apply(protocol.InboxChange{Removed: []string{"249"}}) })
	sent, more := ids(snapshot.Items), snapshot.More
	for more > 0 {
		if len(sent)+more > 250 {
			t.Fatalf("%d were sent, and %d more are announced", len(sent), more)
		}
		change, _ := b.Next()
		sent, more = append(sent, ids(change.Items)...), change.More
	}
	if len(sent) != 249 || sent[0] != "0" || sent[248] != "248" {
		t.Errorf("%d were sent: %v", len(sent), sent)
	}
}

func TestNewPageGetsDraftImages(t *testing.T) {
	b, h, do := page()
	b.Subscribe()
	image := func(data string) []protocol.DraftImage {
		return []protocol.DraftImage{{Hash: "h", MimeType: "image/png", Data: data}}
	}
	with := func(draft protocol.Draft) protocol.InboxChange {
		item := asked("a", 1)
		item.Draft = &draft
		return protocol.InboxChange{Items: []protocol.InboxItem{item}}
	}
	do(func() {
		h.Apply(with(protocol.Draft{Text: "x"}))
		h.SaveDraft("a", protocol.Draft{Text: "xy", Images: image("AA==")}, b) // the hub has the image from this interface
		h.Apply(with(protocol.Draft{Text: "xyz", Images: image("")}))
	})
	if got := b.Subscribe().Items[0].Draft; got.Text != "xyz" || got.Images[0].Data != "AA==" {
		t.Errorf("the draft is %+v", got)
	}
}

// The watcher is called for each question that begins to wait after the hub's snapshot, and for each end.
func TestHubQuestionsAreWatched(t *testing.T) {
	b, h, do := page()
	var log []string
	known := map[string]time.Time{}
	b.Watch = func(item protocol.InboxItem, since time.Time) {
		if closed := item.State == protocol.ItemClosed; closed || since != known[item.QuestionID] { // not known yet
			log = append(log, item.QuestionID+" "+string(item.State))
		}
		known[item.QuestionID] = since
	}
	b.Subscribe()
	with := func(state protocol.ItemState, id string) protocol.InboxItem {
		item := asked(id, 1)
		item.State = state
		return item
	}
	items := func(all ...protocol.InboxItem) protocol.InboxChange { return protocol.InboxChange{Items: all} }
	steps := []struct {
		name   string
		change protocol.InboxChange
		want   []string
	}{
		{"a snapshot's first part", protocol.InboxChange{Items: items(with("pending", "a")).Items, More: 2}, nil},
		{"its last part", items(with("queued", "b"), with("pending", "c")), nil},
		{"a draft", items(with("pending", "a")), nil},
		{"it becomes pending", items(with("pending", "b")), []string{"b pending"}},
		{"it arrives", items(with("streaming", "d")), nil},
		{"it is asked", items(with("pending", "d")), []string{"d pending"}},
		{"sent again", items(with("pending", "d")), nil},
		{"answered", items(with("closed", "d"), with("closed", "unknown")), []string{"d closed"}},
		{"removed", protocol.InboxChange{Removed: []string{"b", "unknown"}}, []string{"b closed"}},
	}
	for _, step := range steps {
		log = nil
		if do(func() { h.Apply(step.change) }); !slices.Equal(log, step.want) {
			t.Errorf("%s: %v, want %v", step.name, log, step.want)
		}
	}
	log = nil
	do(func() {
		b.SetHub(inbox.NewHub(protocol.HubState{State: protocol.HubOff}))
		h.Apply(items(with("pending", "at another hub")))
	})
	if slices.Sort(log); !slices.Equal(log, []string{"a closed", "c closed"}) {
		t.Errorf("left: %v", log)
	}
}

// A hub chooses the ids of its questions, so they must not affect the user's own questions.
func TestHubIDsDoNotHideOwnQuestions(t *testing.T) {
	registry := conversation.New(conversation.Options{Log: zap.NewNop(), Background: background.New(zap.NewNop())})
	b, h := inbox.New(registry, &inbox.Inboxes{}, func() {}), inbox.NewHub(protocol.HubState{})
	registry.View(func() { b.SetHub(h) })
	b.Subscribe()
	registry.View(func() { h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{asked("late", 1)}}) })
	b.Next()
	registry.View(func() {
		c, _ := registry.Open("session", protocol.SessionOpenParams{Agent: "Test", Key: "key"}, conversation.Settings{Locale: locale.English})
		for _, id := range []string{"own", "late"} {
			own := conversation.StoredRecord(c)
			own.ID = id
			registry.AddRecord(own)
		}
	})
	registry.View(func() {
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{asked("own", 1), asked("other", 2)}})
		if b.HasHub("own") || b.HasHub("late") || !b.HasHub("other") {
			t.Error("a question of the user's own belongs to the hub")
		}
	})
	if change, _ := b.Next(); !slices.Equal(ids(change.Items), []string{"other"}) {
		t.Errorf("sent: %+v", change)
	}
	if snapshot := b.Subscribe(); len(snapshot.Items) != 3 || snapshot.Items[0].Session == "" || snapshot.Items[1].Session == "" {
		t.Errorf("sent after subscribing again: %+v", snapshot)
	}
	registry.View(func() {
		closed := asked("own", 1)
		closed.State = protocol.ItemClosed
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{closed}, Removed: []string{"late"}})
	})
	if change, more := b.Next(); more {
		t.Errorf("a question of the user's own was removed: %+v", change)
	}
}

// A draft that begins while the hub is unreachable is sent to a view that opens later.
func TestNewPageGetsDraftText(t *testing.T) {
	b, h, do := page()
	b.Subscribe()
	do(func() {
		h.Apply(protocol.InboxChange{Items: []protocol.InboxItem{asked("a", 1)}})
		h.SaveDraft("a", protocol.Draft{Text: "begun"}, b)
		h.SaveDraft("unknown", protocol.Draft{Text: "begun"}, b)
	})
	if got := b.Subscribe().Items; len(got) != 1 || got[0].Draft == nil || got[0].Draft.Text != "begun" {
		t.Errorf("sent: %+v", got)
	}
}

// Closed questions are sent in pages too, and those that were never sent are dropped.
func TestClosedHubQuestionsInPages(t *testing.T) {
	b, h, do := page()
	all := func(state protocol.ItemState) (change protocol.InboxChange) {
		for n := range 250 {
			item := asked(fmt.Sprint(n), n)
			item.State = state
			change.Items = append(change.Items, item)
		}
		return change
	}
	do(func() { h.Apply(all(protocol.ItemPending)); h.Apply(all(protocol.ItemClosed)) })
	b.Subscribe()
	if change, more := b.Next(); more {
		t.Errorf("sent %d that closed before the subscription", len(change.Items))
	}
	do(func() { h.Apply(all(protocol.ItemPending)) })
	for sent := 0; sent < 250; {
		change, _ := b.Next()
		sent += len(change.Items)
	}
	do(func() { h.Apply(all(protocol.ItemPending)); h.Apply(all(protocol.ItemClosed)) })
	var over []string
	for {
		change, more := b.Next()
		if !more {
			break
		}
		if len(change.Items) > 100 {
			t.Errorf("%d items in one message", len(change.Items))
		}
		for _, item := range change.Items {
			if item.State != protocol.ItemClosed {
				t.Errorf("%s is sent as %s", item.QuestionID, item.State)
			}
			over = append(over, item.QuestionID)
		}
	}
	if len(over) != 250 {
		t.Errorf("%d were sent as closed, want 250", len(over))
	}
}
