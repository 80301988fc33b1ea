package inbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// keeper makes changes durable at once, unless it is busy.
type keeper struct {
	registry *conversation.Registry
	busy     bool
	waiting  []conversation.Section
}

func (k *keeper) Persist(s conversation.Section) {
	k.waiting = append(k.waiting, s)
	if !k.busy {
		k.release()
	}
}

func (k *keeper) release() {
	for _, s := range k.waiting {
		for _, c := range s.Conversations {
			k.registry.Release(c, s.At)
		}
	}
	k.waiting = nil
}

func (k *keeper) Has(*conversation.Conversation) bool { return true }

// house returns a registry with an inbox.
func house() (*conversation.Registry, *Inbox, *keeper) {
	n := 0
	g := conversation.New(conversation.Options{
		Log: zap.NewNop(), Background: background.New(zap.NewNop()), PassText: func(*conversation.Stream) {},
		NewID: func() string { n++; return fmt.Sprint("id", n) },
	})
	g.NotShownAfter = time.Hour
	k := &keeper{registry: g}
	audience := &Inboxes{}
	b := New(g, audience, func() {})
	audience.Add(b)
	g.Persister, g.Audience = k, audience
	return g, b, k
}

func ask(g *conversation.Registry, session, id, question string) *conversation.Record {
	g.Enter()
	defer g.Leave()
	c, _ := g.Open(session, protocol.SessionOpenParams{Agent: "Test", Key: session}, conversation.Settings{Locale: locale.English})
	call := dialect.ReadInput("ask_followup_question", fmt.Appendf(nil, `{"question":%q}`, question), c.Reading)
	r, err := g.Ask(c, protocol.AskParams{QuestionID: id, Tool: "ask_followup_question"}, call)
	if err != nil {
		panic(err)
	}
	return r
}

// A subscriber gets very many questions in pages, oldest first and each once. A change meanwhile waits for at most one
// page.
func TestPages(t *testing.T) {
	const all = 10_000
	g, b, _ := house()
	for n := range all {
		ask(g, fmt.Sprint(n), fmt.Sprint("q", n), "Q?")
	}
	snapshot := b.Subscribe()
	seen := map[string]bool{}
	last := -1
	take := func(items []protocol.InboxItem) {
		t.Helper()
		if len(items) > pageItems {
			t.Fatalf("%d items in one message", len(items))
		}
		for _, item := range items {
			if seen[item.QuestionID] || item.Order <= last {
				t.Fatalf("%s is repeated, or out of order", item.QuestionID)
			}
			seen[item.QuestionID], last = true, item.Order
		}
	}
	take(snapshot.Items)
	for more := snapshot.More; more > 0; {
		if more != all-len(seen) {
			t.Fatalf("%d are announced, want %d", more, all-len(seen))
		}
		change, _ := b.Next()
		take(change.Items)
		more = change.More
	}
	if _, more := b.Next(); len(seen) != all || more {
		t.Errorf("%d were sent; more: %v", len(seen), more)
	}
}

// Long questions make short pages.
func TestPagesAreBounded(t *testing.T) {
	g, b, _ := house()
	for n := range 10 {
		ask(g, fmt.Sprint(n), fmt.Sprint("q", n), strings.Repeat("x", pageBytes/2))
	}
	if first := b.Subscribe(); len(first.Items) != 1 || first.More != 9 {
		t.Errorf("%d items, %d more", len(first.Items), first.More)
	}
}

// A question that is not durable is sent to nobody, not even a new subscriber. Once it is, the next message has it.
func TestDurableBeforeSent(t *testing.T) {
	g, b, k := house()
	r := ask(g, "s", "q", "Q?")
	b.Subscribe()
	k.busy = true
	g.Enter()
	if _, err := g.Dismiss(r, ""); err != nil {
		t.Fatal(err)
	}
	g.Leave()
	ask(g, "t", "new", "New?")
	if change, more := b.Next(); more {
		t.Errorf("sent %+v", change)
	}
	if again := b.Subscribe(); len(again.Items) != 0 {
		t.Errorf("sent %+v", again.Items)
	}
	g.View(k.release)
	change, _ := b.Next()
	if len(change.Items) != 2 || change.Items[0].State != protocol.ItemClosed || change.Items[1].QuestionID != "new" {
		t.Errorf("sent %+v", change.Items)
	}
	if len(b.entries) != 1 {
		t.Errorf("%d records are known, of which one is open", len(b.entries))
	}
}

// A question's Markdown is parsed once for all interfaces, including later ones.
func TestMarkdownIsParsedOnce(t *testing.T) {
	g, first, k := house()
	audience := &Inboxes{}
	all := []*Inbox{first, New(g, audience, func() {}), New(g, audience, func() {})}
	for _, b := range all {
		audience.Add(b)
	}
	g.Audience = audience
	for _, b := range all[:2] {
		b.Subscribe()
	}
	k.busy = true
	ask(g, "s", "q", "**Which** port?")
	for _, b := range all[:2] {
		if change, _ := b.Next(); len(change.Items) > 0 {
			t.Errorf("sent before it is durable: %+v", change.Items)
		}
	}
	g.Enter()
	k.release()
	g.Leave()
	var read []*protocol.Rendered
	for _, b := range all[:2] {
		change, _ := b.Next()
		for _, item := range change.Items {
			read = append(read, item.Rendered)
		}
	}
	for _, item := range all[2].Subscribe().Items {
		read = append(read, item.Rendered)
	}
	if len(read) != 3 || read[0] == nil || read[0] != read[1] || read[1] != read[2] {
		t.Errorf("got %v", read)
	}
}

// An interface gets a question once its Markdown is parsed, and parsing does not hold the registry's lock.
func TestSlowMarkdown(t *testing.T) {
	g, b, _ := house()
	b.Subscribe()
	r := ask(g, "s", "q", "**Which** port?")
	reading, read := make(chan struct{}), make(chan struct{})
	go r.Rendering.Make(func() *protocol.Rendered {
		close(reading)
		<-read
		return &protocol.Rendered{PlainQuestion: "Which port?"}
	})
	<-reading
	sent := make(chan protocol.InboxChange)
	go func() {
		change, _ := b.Next()
		sent <- change
	}()
	ask(g, "other", "r", "Meanwhile?")
	close(read)
	items := map[string]protocol.InboxItem{}
	for change := range sent {
		for _, item := range change.Items {
			items[item.QuestionID] = item
		}
		if len(items) == 2 {
			break
		}
		go func() {
			change, _ := b.Next()
			sent <- change
		}()
	}
	if got := items["q"].Rendered; got == nil || got.PlainQuestion != "Which port?" {
		t.Errorf("got %+v", got)
	}
}

func BenchmarkManyInterfaces(b *testing.B) {
	long := strings.Repeat("## Heading\n\n- one **bold** item with `code`\n- another [link](https://example.com)\n\nA paragraph of *some* text.\n\n", 180)
	for n := range b.N {
		g, first, _ := house()
		audience := &Inboxes{}
		all := []*Inbox{first}
		for range 99 {
			all = append(all, New(g, audience, func() {}))
		}
		for _, one := range all {
			audience.Add(one)
			one.Subscribe()
		}
		g.Audience = audience
		ask(g, "s", fmt.Sprint("q", n), long)
		for _, one := range all {
			one.Next()
		}
	}
}
