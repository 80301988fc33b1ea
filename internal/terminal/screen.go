package terminal

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

const (
	// guard is how long keys that act are ignored after something has appeared or moved by itself, or by a key that may be pressed twice or
	// held: they were meant for something else.
	guard = 400 * time.Millisecond
	// saveAfter is how long a draft may be unsaved.
	saveAfter = 400 * time.Millisecond
)

// screen shows the inbox on the whole terminal: a list of the open questions, or one question.
type screen struct {
	model
	now           func() time.Time
	width, height int
	scroll        int       // by hand
	quiet         time.Time // until then no key acts
	lastKey       string    // the key that was pressed last
	saving        bool      // a save is on its way, or will be
}

// The messages of the screen itself.
type (
	saveMsg  struct{}
	savedMsg struct{ err error }
)

func newScreen(speak locale.Tag, sidecar *rpc.Conn) *screen {
	return &screen{model: newModel(speak, sidecar), now: time.Now, width: 80, height: 24}
}

func (s *screen) Init() tea.Cmd { return nil }

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var command tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case failedMsg:
		s.failed = msg.error
		return s, tea.Quit
	case saveMsg:
		command = s.save()
	case savedMsg:
		if s.saving = false; msg.err != nil && s.card != nil {
			s.card.note = s.speak.Text(notSaved, archive.Inline(msg.err.Error()))
		}
	case tea.PasteMsg:
		if s.card != nil {
			s.card.paste(msg.Content)
		}
	case tea.KeyPressMsg:
		command = s.press(msg)
	default:
		before := len(s.inbox.items)
		if s.update(msg) {
			s.guard()
		}
		if all := s.inbox.open(); before == 0 && len(all) == 1 && s.card == nil { // nothing else is asked of the user
			command = s.open(all[0])
			s.guard()
		}
	}
	return s, tea.Batch(command, s.saveSoon())
}

func (s *screen) guard() { s.quiet = s.now().Add(guard) }

// acts reports whether a key could do something to a question which the user did not mean.
func (s *screen) acts(name string) bool {
	if s.card != nil && s.card.over == nil && s.card.writing() {
		return name == "enter"
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
		if held {
			s.guard()
		}
		return nil
	case s.card != nil && s.card.sending:
		return nil
	}
	s.scroll = 0
	if s.card == nil {
		return s.pressList(name)
	}
	step := s.card.step
	asked := s.card.press(key)
	if s.card.step != step && !slices.Contains([]string{"left", "right", "h", "l"}, name) {
		s.guard()
	}
	switch {
	case asked.back:
		save := s.save()
		s.card = nil
		return save
	case asked != action{}:
		return s.send(asked)
	}
	return nil
}

func (s *screen) pressList(name string) tea.Cmd {
	all := s.inbox.open()
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
		s.guard()
		return s.open(all[open])
	}
	if at >= 0 && at < len(all) {
		s.cursor = all[at].QuestionID
	}
	return nil
}

// saveSoon saves a changed draft in a moment.
func (s *screen) saveSoon() tea.Cmd {
	if s.card == nil || !s.card.changed || s.saving || s.card.sending {
		return nil
	}
	s.saving = true
	return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveMsg{} })
}

// save saves a changed draft now.
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

const notSaved locale.Key = "Nothing can be saved at the moment. {0}"

func (s *screen) View() tea.View {
	p := &page{width: min(s.width, widest)}
	var foot []string
	if s.card != nil {
		s.card.draw(p)
		foot = s.card.foot(p.width)
	} else {
		s.draw(p)
		foot = help(s.speak.Text("↑↓ move · 1–9 Enter open · q quit"), p.width)
	}
	if now := s.inbox.saved; now != nil && !now.Saved {
		foot = append(styledLines(alarm, s.speak.Text(notSaved, archive.Inline(now.Problem)), p.width), foot...)
	}
	content, cursor, top, bottom := p.fit(s.height, s.scroll, foot)
	if s.card != nil {
		s.card.saw(p.width, top, bottom)
	}
	view := tea.NewView(content)
	view.AltScreen, view.Cursor = true, cursor
	return view
}

const openQuestions locale.Key = "Open questions: {0}"

func (s *screen) draw(p *page) {
	all := s.inbox.open()
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
		text := archive.Inline(archive.Asked(s.speak, protocol.HistoryEntry{Payload: &item.Payload}))
		for k, line := range wrapped(text, p.width-5) {
			if k == 2 { // the card has the rest
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
		if here {
			p.to = len(p.lines) - 1
		}
	}
}
