package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

const (
	// rest is how long what has come or moved by itself, or by a key that may be pressed twice or held, takes no key that acts: the
	// key was meant for something else.
	rest = 400 * time.Millisecond
	// saveAfter is how long what the user writes may be unsaved.
	saveAfter = 400 * time.Millisecond
	// lastSave bounds the saving at the end.
	lastSave = 2 * time.Second
)

// screen is the inbox on a whole screen: a list of what is open, or one question.
type screen struct {
	speak   locale.Tag
	sidecar *rpc.Conn
	now     func() time.Time

	inbox         *inbox
	begun         bool
	cursor        string // the id of the question that the keys are at
	card          *card  // nil while the list is shown
	width, height int
	scroll        int // by hand
	note          string
	quiet         time.Time // until then no key acts
	last          string    // the key that was pressed last
	saving        bool      // a save is on its way, or will be
	failed        error
}

// What the screen is told, besides the terminal's messages.
type (
	begunMsg   protocol.Inbox
	changedMsg protocol.InboxChange
	failedMsg  struct{ error }
	saveMsg    struct{ id string }
	savedMsg   struct{ err error }
	sentMsg    struct {
		id        string
		result    protocol.CloseResult
		dismissed bool
		err       error
	}
)

// ShowScreen shows what is open on the whole terminal, until the user leaves or ctx ends.
func (b *Inbox) ShowScreen(ctx context.Context, sidecar *rpc.Conn) error {
	s := newScreen(b.options.Locale, sidecar)
	program := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(b.options.In), tea.WithOutput(b.options.Out),
		tea.WithEnvironment(b.options.Environment), tea.WithoutSignalHandler())
	go func() {
		err := b.subscribe(ctx, sidecar, func(snapshot protocol.Inbox) { program.Send(begunMsg(snapshot)) },
			func(change protocol.InboxChange) { program.Send(changedMsg(change)) })
		if err != nil {
			program.Send(failedMsg{err})
		}
	}()
	_, err := program.Run()
	err = errors.Join(err, s.leave(ctx, b.options.Out))
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the user has ended it, by a signal
	}
	return errors.Join(err, s.failed)
}

// leave saves what the user was writing. Words for a question that is closed by now, which nothing keeps, are told as the screen would.
func (s *screen) leave(ctx context.Context, out io.Writer) error {
	if s.card == nil || !s.card.changed {
		return nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
	defer cancel()
	_, err := rpc.Call(last, s.sidecar, protocol.QuestionSaveDraft, s.draft())
	if _, closed := refused(err); !closed {
		return err
	}
	if words := s.card.words(); words != "" {
		_, err = fmt.Fprintf(out, "%s\n%s\n", s.speak.Text("Your words, which were not sent:"), shown(words))
		return err
	}
	return nil
}

func newScreen(speak locale.Tag, sidecar *rpc.Conn) *screen {
	return &screen{speak: speak, sidecar: sidecar, now: time.Now, inbox: newInbox(), width: 80, height: 24}
}

// Init asks nothing of the terminal.
func (s *screen) Init() tea.Cmd { return nil }

// Update takes a message.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var command tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case begunMsg:
		s.begun = true
		s.inbox.begin(protocol.Inbox(msg))
		s.change(protocol.InboxChange{})
		s.quiet = time.Time{}
		s.arrive(0)
	case changedMsg:
		before := len(s.inbox.items)
		s.change(protocol.InboxChange(msg))
		s.arrive(before)
	case failedMsg:
		s.failed = msg.error
		return s, tea.Quit
	case saveMsg:
		command = s.save()
	case savedMsg:
		if s.saving = false; msg.err != nil && s.card != nil {
			s.card.note = s.speak.Text("Nothing can be saved at the moment. {0}", archive.Inline(msg.err.Error()))
		}
	case sentMsg:
		s.sent(msg)
	case tea.PasteMsg:
		if s.card != nil {
			s.card.paste(msg.Content)
		}
	case tea.KeyPressMsg:
		command = s.press(msg)
	}
	return s, tea.Batch(command, s.saveSoon())
}

// arrive opens the only question that there is, if none was open before it: nothing else is asked of the user.
func (s *screen) arrive(before int) {
	all := s.inbox.open()
	if before == 0 && len(all) == 1 && s.card == nil {
		s.open(all[0])
		s.quiet = s.now().Add(rest)
	}
}

// change takes up a change. What moves by it takes no key for a moment.
func (s *screen) change(change protocol.InboxChange) {
	order := s.ids()
	at := max(0, slices.Index(order, s.cursor))
	for _, closed := range s.inbox.apply(change) {
		if s.card != nil && s.card.item.QuestionID == closed.QuestionID && !s.card.sending {
			s.card.over = &closed
			s.card.dismissing, s.card.changed = false, false
			s.card.focus()
			s.quiet = s.now().Add(rest)
		}
	}
	if s.card != nil && s.card.over == nil {
		if item := s.inbox.items[s.card.item.QuestionID]; item != nil {
			if item.State != s.card.item.State {
				s.quiet = s.now().Add(rest)
			}
			s.card.take(item)
		}
	}
	if now := s.ids(); !slices.Contains(now, s.cursor) {
		s.cursor = ""
		if len(now) > 0 {
			s.cursor = now[min(at, len(now)-1)]
		}
		if s.card == nil {
			s.quiet = s.now().Add(rest)
		}
	}
}

// ids are those of what is open, in order.
func (s *screen) ids() (all []string) {
	for _, item := range s.inbox.open() {
		all = append(all, item.QuestionID)
	}
	return all
}

func (s *screen) open(item *protocol.InboxItem) {
	s.cursor, s.card, s.scroll, s.note = item.QuestionID, newCard(s.speak, item), 0, ""
	touch(s.sidecar, item)
}

// sent takes what became of an answer.
func (s *screen) sent(msg sentMsg) {
	if s.card == nil || s.card.item.QuestionID != msg.id {
		return
	}
	s.card.sending = false
	why, no := refused(msg.err)
	switch {
	case no:
		s.card.note = archive.Inline(why)
	case msg.err != nil:
		s.card.note = archive.Inline(msg.err.Error())
	case !msg.result.Accepted:
		closed := *s.card.item
		closed.Outcome = &msg.result.Outcome
		s.card.over, s.card.changed = &closed, false
		s.card.focus()
	default:
		s.card, s.scroll = nil, 0
		if s.note = s.speak.Text("Sent."); msg.dismissed {
			s.note = s.speak.Text("Dismissed.")
		}
		s.quiet = s.now().Add(rest)
	}
}

// acts tells of a key that it could do something to a question which the user did not mean.
func (s *screen) acts(key tea.KeyPressMsg) bool {
	if s.card != nil && s.card.over == nil && s.card.writing() && key.String() != "enter" {
		return false
	}
	switch key.String() {
	case "up", "down", "tab", "shift+tab", "pgup", "pgdown", "ctrl+c":
		return false
	}
	return true
}

// press takes a key.
func (s *screen) press(key tea.KeyPressMsg) tea.Cmd {
	name, last := key.String(), s.last
	s.last = name
	switch {
	case name == "ctrl+c":
		return tea.Quit
	case name == "pgup":
		s.scroll -= s.height / 2
		return nil
	case name == "pgdown":
		s.scroll += s.height / 2
		return nil
	case s.acts(key) && s.now().Before(s.quiet):
		if name == last { // it is held
			s.quiet = s.now().Add(rest)
		}
		return nil
	case s.card == nil:
		command := s.pressList(name)
		if s.card != nil {
			s.quiet = s.now().Add(rest)
		}
		return command
	case s.card.sending:
		return nil
	}
	s.scroll = 0
	step := s.card.step
	asks := s.card.press(key)
	if s.card.step != step && !slices.Contains([]string{"left", "right", "h", "l"}, name) {
		s.quiet = s.now().Add(rest)
	}
	return s.do(asks)
}

func (s *screen) pressList(name string) tea.Cmd {
	ids := s.ids()
	at := slices.Index(ids, s.cursor)
	s.scroll, s.note = 0, ""
	switch name {
	case "q", "esc":
		return tea.Quit
	case "up", "k":
		at = max(at-1, 0)
	case "down", "j":
		at = min(at+1, len(ids)-1)
	case "enter", "space", "right", "l":
		if item := s.inbox.items[s.cursor]; item != nil {
			s.open(item)
		}
		return nil
	}
	if len(name) == 1 && name >= "1" && name <= "9" {
		if k := int(name[0] - '1'); k < len(ids) {
			s.open(s.inbox.items[ids[k]])
		}
		return nil
	}
	if at >= 0 && at < len(ids) {
		s.cursor = ids[at]
	}
	return nil
}

// do does what a key asked of the card.
func (s *screen) do(d deed) tea.Cmd {
	c := s.card
	id := c.item.QuestionID
	switch {
	case d.back:
		save := s.save()
		s.card, s.scroll = nil, 0
		if s.inbox.items[id] == nil {
			if ids := s.ids(); len(ids) > 0 && !slices.Contains(ids, s.cursor) {
				s.cursor = ids[0]
			}
		}
		return save
	case d.dismiss:
		c.sending = true
		return s.send(id, true, func(ctx context.Context) (protocol.CloseResult, error) {
			return rpc.Call(ctx, s.sidecar, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
		})
	case d.answer != nil:
		c.sending = true
		d.answer.QuestionID = id
		return s.send(id, false, func(ctx context.Context) (protocol.CloseResult, error) {
			return rpc.Call(ctx, s.sidecar, protocol.QuestionAnswer, *d.answer)
		})
	case d.decide != nil:
		c.sending = true
		return s.send(id, false, func(ctx context.Context) (protocol.CloseResult, error) {
			return rpc.Call(ctx, s.sidecar, protocol.QuestionDecide, *d.decide)
		})
	case d.reply != nil:
		c.sending = true
		d.reply.QuestionID = id
		return s.send(id, false, func(ctx context.Context) (protocol.CloseResult, error) {
			return rpc.Call(ctx, s.sidecar, protocol.QuestionReply, *d.reply)
		})
	}
	return nil
}

func (s *screen) send(id string, dismissed bool, call func(context.Context) (protocol.CloseResult, error)) tea.Cmd {
	return func() tea.Msg {
		result, err := call(context.Background())
		return sentMsg{id, result, dismissed, err}
	}
}

// saveSoon has the draft saved in a moment, if it has changed.
func (s *screen) saveSoon() tea.Cmd {
	if s.card == nil || !s.card.changed || s.saving || s.card.sending {
		return nil
	}
	s.saving = true
	id := s.card.item.QuestionID
	return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveMsg{id} })
}

// save saves the draft now.
func (s *screen) save() tea.Cmd {
	if s.card == nil || !s.card.changed || s.card.over != nil || s.card.sending {
		s.saving = false
		return nil
	}
	params := s.draft()
	s.card.changed, s.card.saved = false, params.Draft.ChangedAt
	return func() tea.Msg {
		_, err := rpc.Call(context.Background(), s.sidecar, protocol.QuestionSaveDraft, params)
		return savedMsg{err}
	}
}

func (s *screen) draft() protocol.SaveDraftParams {
	draft := s.card.draft()
	draft.ChangedAt = s.now().UnixMilli()
	return protocol.SaveDraftParams{QuestionID: s.card.item.QuestionID, Draft: draft}
}

// View draws the screen.
func (s *screen) View() tea.View {
	p := &page{width: min(s.width, widest)}
	var foot []string
	if s.card != nil {
		s.card.draw(p)
		foot = s.card.foot(p.width)
	} else {
		s.draw(p)
		foot = help(s.speak, p.width, "↑↓", locale.Key("move"), "1–9 Enter", locale.Key("open"), "q", locale.Key("quit"))
	}
	if now := s.inbox.saved; now != nil && !now.Saved {
		for _, line := range wrapped(s.speak.Text("Nothing can be saved at the moment. {0}", archive.Inline(now.Problem)), p.width) {
			foot = append([]string{alarm.Render(line)}, foot...)
		}
	}
	content, cursor := p.fit(s.height, s.scroll, foot)
	if s.card != nil {
		s.card.saw(p.width, p.top, p.bottom)
	}
	view := tea.NewView(content)
	view.AltScreen, view.Cursor = true, cursor
	return view
}

const answerWaiting locale.Key = "No question is open. What agents ask appears here."

// draw draws the list.
func (s *screen) draw(p *page) {
	all := s.inbox.open()
	switch {
	case !s.begun:
		return
	case len(all) == 0:
		p.add(strong, "", s.speak.Text(answerWaiting))
	default:
		p.add(strong, "", s.speak.Text("Open questions: {0}", len(all)))
	}
	if s.note != "" {
		p.add(weak, "", s.note)
	}
	for i, item := range all {
		p.gap()
		mark, style := "  ", lipgloss.NewStyle()
		if item.QuestionID == s.cursor {
			mark, style = "❯ ", marked
			p.from = len(p.lines)
		}
		p.item(style, mark, number(i)+heading(s.speak, item))
		text := archive.Inline(archive.Asked(s.speak, protocol.HistoryEntry{Payload: &item.Payload}))
		for k, line := range wrapped(text, p.width-5) {
			if k == 2 { // it is opened for the rest
				last := &p.lines[len(p.lines)-1]
				*last = ansi.Truncate(*last, p.width-1, "") + "…"
				break
			}
			p.lines = append(p.lines, "     "+line)
		}
		switch {
		case item.State == protocol.ItemQueued:
			p.add(weak, "     ", s.speak.Text("queued behind another question"))
		case item.State == protocol.ItemStreaming:
			p.add(weak, "     ", s.speak.Text("is still arriving"))
		case item.Orphaned:
			p.add(weak, "     ", s.speak.Text("no agent waits"))
		}
		if item.QuestionID == s.cursor {
			p.to = len(p.lines) - 1
		}
	}
}

// number is a key that opens a question.
func number(i int) string {
	if i > 8 {
		return "   "
	}
	return string(rune('1'+i)) + ". "
}
