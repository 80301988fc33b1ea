package terminal

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/form"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

const (
	// guard is how long keys that act are ignored after something appears or moves, either by itself or by a key that may be
	// pressed twice or held: the keys were meant for something else.
	guard = 400 * time.Millisecond
	// saveAfter is how long a changed draft may stay unsaved.
	saveAfter = 400 * time.Millisecond
)

// screen shows the inbox on the whole terminal: the list of open questions, or one question.
type screen struct {
	model
	now           func() time.Time
	width, height int
	scroll        int       // by the user
	quiet         time.Time // no key acts before
	lastKey       string    // the key that was pressed last
	saving        bool      // a save is running or scheduled
	begun         bool      // the snapshot has arrived
	failed        error
	summaries     map[*protocol.InboxItem]summary
}

// summary is a question in the list, at a width.
type summary struct {
	lines []string
	width int
}

// The messages of the screen.
type (
	changedMsg protocol.InboxChange // the first one is the snapshot
	failedMsg  struct{ error }
	sentMsg    sent
	saveMsg    struct{}
	savedMsg   struct{ err error }
)

func newScreen(m model) *screen {
	m.typed = map[string]string{}
	return &screen{model: m, now: time.Now, width: 80, height: 24, summaries: map[*protocol.InboxItem]summary{}}
}

func (s *screen) Init() tea.Cmd { return nil }

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var command tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case saveMsg:
		command = s.save()
	case savedMsg:
		if s.saving = false; msg.err != nil && s.card != nil {
			s.card.Note = s.speak.Text(notSaved, archive.Inline(msg.err.Error()))
		}
	case tea.PasteMsg:
		if s.card != nil {
			s.card.paste(msg.Content)
		}
	case tea.KeyPressMsg:
		command = s.press(msg)
	case failedMsg:
		s.failed = msg.error
		return s, tea.Quit
	case sentMsg:
		s.guardIf(s.sent(sent(msg)))
	case changedMsg:
		before, begun := len(s.Items), s.begun
		s.begun = true
		defer s.forget()
		s.guardIf(s.change(protocol.InboxChange(msg)) && begun)             // before the snapshot, nothing could move
		if all := s.Open(); before == 0 && len(all) == 1 && s.card == nil { // open the only question
			s.show(all[0])
			s.guardIf(true)
		}
	}
	return s, tea.Batch(command, s.saveSoon())
}

// guardIf blocks acting keys for a moment if something moved that the user may be about to act on.
func (s *screen) guardIf(moved bool) {
	if moved {
		s.quiet = s.now().Add(guard)
	}
}

// acts reports whether a key could have an unintended effect on a question.
func (s *screen) acts(name string) bool {
	switch {
	case s.card != nil && s.card.Writing():
		return name == "enter"
	case s.card != nil && s.card.stillWriting():
		return slices.Contains([]string{"enter", "esc", "ctrl+n"}, name)
	}
	return !slices.Contains([]string{"up", "down", "tab", "shift+tab"}, name)
}

func (s *screen) press(key tea.KeyPressMsg) tea.Cmd {
	name, held := key.String(), key.String() == s.lastKey
	s.lastKey = name
	switch {
	case name == "ctrl+c":
		return tea.Quit
	case name == "pgup":
		s.scroll -= s.height / 2
		return nil
	case name == "pgdown":
		s.scroll += s.height / 2
		return nil
	case s.acts(name) && s.now().Before(s.quiet):
		s.guardIf(held)
		return nil
	case s.card != nil && s.card.Sending:
		return nil
	}
	s.scroll = 0
	if s.card == nil {
		return s.pressList(name)
	}
	if s.card.stillWriting() && !s.acts(name) {
		s.guardIf(true) // the user has not seen that the question is closed
	}
	step := s.card.Draft.Step
	asked := s.card.press(key)
	s.guardIf(s.card.Draft.Step != step && !slices.Contains([]string{"left", "right", "h", "l"}, name))
	switch {
	case asked.Back || asked.Next:
		save, next := s.save(), s.following()
		s.guardIf(asked.Next || s.card.Over != nil)
		if s.putAway(); asked.Next && next != nil {
			s.show(next)
		}
		return save
	case asked != form.Action{}:
		id := s.card.Item.QuestionID
		s.card.Sending = true
		return func() tea.Msg { return sentMsg(s.send(context.Background(), id, asked)) }
	}
	return nil
}

func (s *screen) pressList(name string) tea.Cmd {
	all := s.Open()
	at := slices.Index(s.ids(), s.cursor)
	s.note = ""
	open := -1
	switch {
	case name == "q" || name == "esc":
		return tea.Quit
	case name == "up" || name == "k":
		at = max(at-1, 0)
	case name == "down" || name == "j":
		at = min(at+1, len(all)-1)
	case name == "enter" || name == "space" || name == "right" || name == "l":
		open = at
	case len(name) == 1 && name >= "1" && name <= "9":
		open = int(name[0] - '1')
	}
	if open >= 0 && open < len(all) {
		s.guardIf(true)
		s.show(all[open])
		return nil
	}
	if at >= 0 && at < len(all) {
		s.cursor = all[at].QuestionID
	}
	return nil
}

// saveSoon schedules saving a changed draft.
func (s *screen) saveSoon() tea.Cmd {
	if s.card == nil || !s.card.Changed || s.saving || s.card.Sending {
		return nil
	}
	s.saving = true
	return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveMsg{} })
}

// save saves a changed draft now.
func (s *screen) save() tea.Cmd {
	if s.card == nil || !s.card.Changed || s.card.Over != nil || s.card.Sending {
		s.saving = false
		return nil
	}
	params := s.draft()
	s.card.Changed, s.card.SavedAt = false, params.Draft.ChangedAt
	return func() tea.Msg {
		_, err := rpc.Call(context.Background(), s.sidecar, protocol.QuestionSaveDraft, params)
		return savedMsg{err}
	}
}

func (s *screen) draft() protocol.SaveDraftParams {
	draft := s.card.Merged()
	draft.ChangedAt = s.now().UnixMilli()
	return protocol.SaveDraftParams{QuestionID: s.card.Item.QuestionID, Draft: draft}
}

const notSaved locale.Key = "Nothing can be saved at the moment. {0}"

func (s *screen) View() tea.View {
	p := &page{width: min(s.width, widest)}
	foot := &page{width: p.width}
	if s.Storage != nil && !s.Storage.Saved {
		foot.add(alarm, "", s.speak.Text(notSaved, archive.Inline(s.Storage.Problem)))
	}
	if s.card != nil {
		s.card.draw(p)
		s.card.drawFoot(foot)
	} else {
		s.draw(p)
		foot.keys(s.speak, "↑↓ move", "1–9 Enter open", "q quit")
	}
	content, cursor, top, bottom := p.fit(s.height, s.scroll, foot.lines(0, foot.height))
	if s.card != nil {
		s.card.saw(p.width, top, bottom)
	}
	view := tea.NewView(content)
	view.AltScreen, view.Cursor = true, cursor
	return view
}

const openQuestions locale.Key = "Open questions: {0}"

func (s *screen) draw(p *page) {
	all := s.Open()
	switch {
	case !s.begun:
		return
	case len(all) == 0:
		p.add(strong, "", s.speak.Text(nothingOpen))
	default:
		p.add(strong, "", s.speak.Text(openQuestions, len(all)))
	}
	if s.note != "" {
		p.add(weak, "", s.note)
	}
	for i, item := range all {
		p.gap()
		number := "   "
		if i < 9 {
			number = string(rune('1'+i)) + ". "
		}
		here := item.QuestionID == s.cursor
		p.row(here, number, heading(s.speak, item))
		p.push(s.summary(item, p.width)...)
		switch {
		case item.State == protocol.ItemQueued:
			p.add(weak, "     ", s.speak.Text("queued behind another question"))
		case item.State == protocol.ItemStreaming:
			p.add(weak, "     ", s.speak.Text("still arriving"))
		case item.Orphaned:
			p.add(weak, "     ", s.speak.Text("no agent waits"))
		}
		if here {
			p.to = p.height - 1
		}
	}
}

// summary returns the first two lines of a question; the card has the rest. They are kept, since a text may be long.
func (s *screen) summary(item *protocol.InboxItem, width int) []string {
	if kept, known := s.summaries[item]; known && kept.width == width {
		return kept.lines
	}
	text := archive.Inline(archive.QuestionSummary(s.speak, protocol.HistoryEntry{Payload: &item.Payload}))
	p := &page{width: width}
	p.block("     ", ansi.Truncate(text, 3*width, ""))
	lines := p.lines(0, min(p.height, 2))
	if p.height > 2 {
		lines[1] = ansi.Truncate(lines[1], width-1, "") + "…"
	}
	s.summaries[item] = summary{lines, width}
	return lines
}

// forget drops the summaries of questions that are gone or still grow.
func (s *screen) forget() {
	for item := range s.summaries {
		if s.Items[item.QuestionID] != item || item.State == protocol.ItemStreaming {
			delete(s.summaries, item)
		}
	}
}
