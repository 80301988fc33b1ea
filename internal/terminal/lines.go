package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Lines shows questions as plain lines and reads lines in return: for terminals that cannot show a screen, and for screen readers.
type Lines struct {
	Options
	model
	single     bool // one question is asked, not an inbox
	err        error
	asked      *protocol.InboxItem // the question that was asked last
	answered   string              // the id of the question that was answered last
	printed    string              // what was printed last
	ask        bool                // a prompt is due
	collecting bool                // an answer of several lines is being read
	more       []string            // these lines
	reader     *bufio.Reader
	reading    bool
	prompts    atomic.Int64 // the number of prompts printed
}

// lineMsg is a line that the user has typed, with the number of prompts at its end.
type lineMsg struct {
	text    string
	prompts int64
	err     error
}

// Why a question is left without an answer.
var (
	errNext      = errors.New("the user continues with another question")
	errQuit      = errors.New("the user leaves")
	errElsewhere = errors.New("the question was closed elsewhere")
)

// withoutTerminal has a program leave the terminal alone: Lines print and read by themselves.
var withoutTerminal = []tea.ProgramOption{tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer()}

// NewLines returns lines on a terminal.
func NewLines(o Options, sidecar *rpc.Conn) *Lines {
	return &Lines{Options: o, model: newModel(o.Locale, sidecar), reader: bufio.NewReader(o.In)}
}

// Ask shows a question until it is answered or dismissed. It returns an error if the user leaves, the question is closed elsewhere, or ctx
// ends.
func (l *Lines) Ask(ctx context.Context, item *protocol.InboxItem) error {
	l.single = true
	l.update(begunMsg{Items: []protocol.InboxItem{*item}})
	_, err := tea.NewProgram(l, append(withoutTerminal, tea.WithContext(ctx), tea.WithoutSignalHandler())...).Run()
	return errors.Join(err, l.err)
}

func (l *Lines) Init() tea.Cmd { return l.show() }

func (l *Lines) View() tea.View { return tea.View{} }

func (l *Lines) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var command tea.Cmd
	switch msg := msg.(type) {
	case failedMsg:
		l.failed = msg.error
		return l, tea.Quit
	case lineMsg:
		l.reading = false
		if msg.err != nil { // half a line is none: the terminal may have gone
			return l, l.leave(errQuit)
		}
		if msg.prompts == l.prompts.Load() { // what was typed before a prompt was meant for something else
			command = l.enter(msg.text)
		}
	case sentMsg:
		if l.update(msg); l.card == nil {
			l.answered = msg.id
		}
	default:
		l.update(msg)
	}
	return l, tea.Batch(command, l.show())
}

func (l *Lines) leave(why error) tea.Cmd {
	l.err = why
	return tea.Quit
}

func (l *Lines) print(format string, args ...any) { _, _ = fmt.Fprintf(l.Out, format, args...) }

const (
	nothingOpen  locale.Key = "No question is open. What agents ask appears here."
	wordsNotSent locale.Key = "Your words, which were not sent:"
)

// show prints what is new, and reads the next line where one is expected.
func (l *Lines) show() tea.Cmd {
	if l.note != "" {
		l.print("%s\n", l.note)
		l.note = ""
	}
	var opened tea.Cmd
	if l.begun && l.card == nil {
		if l.single && l.asked != nil {
			return tea.Quit
		}
		if opened = l.openNext(); l.card == nil && l.printed != "nothing" {
			l.printed = "nothing"
			l.print("\n%s\n", l.speak.Text(nothingOpen))
		}
	}
	switch c := l.card; {
	case c == nil:
	case c.sending:
		return opened
	case c.over != nil && l.single:
		return l.leave(errElsewhere)
	case c.over != nil && l.printed != "over":
		l.printed = "over"
		l.print("\n%s\n%s", l.speak.Text(closedElsewhere, said(l.speak, *c.over)), l.speak.Text("Press Enter to continue."))
	case c.over == nil:
		l.showCard(c)
	}
	return tea.Batch(opened, l.read())
}

// openNext opens the pending question after the last one, or else the first.
func (l *Lines) openNext() tea.Cmd {
	all := l.inbox.open()
	var found *protocol.InboxItem
	for _, item := range all {
		if item.State != protocol.ItemPending || item.QuestionID == l.answered { // the change that closes it is on its way
			continue
		}
		if found == nil || l.asked != nil && found.Order <= l.asked.Order && item.Order > l.asked.Order {
			found = item
		}
	}
	if found == nil {
		return nil
	}
	if len(all) > 1 {
		l.print("\n%s", l.speak.Text(openQuestions, len(all)))
	}
	command := l.open(found)
	l.asked, l.card.lines, l.card.changed = found, true, true // a draft that changes elsewhere changes nothing here
	l.card.step, l.card.replying = 0, false
	clear(l.card.picks)
	return command
}

// showCard prints the question, unless it is the last text that was printed, and a prompt.
func (l *Lines) showCard(c *card) {
	if now := fmt.Sprint(c.item.QuestionID, c.step); l.printed != now {
		p := &page{width: 1 << 16, lines: []string{""}, plain: true}
		c.draw(p)
		if c.step == 0 && c.begun() != "" {
			p.add(plain, "", l.speak.Text("Draft from elsewhere:"))
			p.block("  ", shown(c.begun()))
		}
		l.print("%s\n", ansi.Strip(strings.Join(p.lines, "\n")))
		l.printed, l.ask = now, true
	}
	if c.note != "" {
		l.print("%s\n", c.note)
		c.note, l.ask = "", true
	}
	if !l.ask || l.collecting {
		return
	}
	prompt := locale.Key("Number, own words, or ?: ")
	switch {
	case c.item.Payload.Approval != nil:
		prompt = "Type a word from the list, /next or /quit: "
	case c.reviewing():
		prompt = "Submit? y/n: "
	case c.part().multi:
		prompt = "Numbers with commas, own words, or ?; empty skips it: "
	}
	if l.Forget != nil {
		l.Forget()
	}
	l.ask = false
	l.prompts.Add(1)
	l.print("%s", l.speak.Text(prompt))
}

// read reads a line, unless one is being read. What is typed beyond it remains the terminal's, and can be dropped.
func (l *Lines) read() tea.Cmd {
	if l.reading {
		return nil
	}
	l.reading = true
	return func() tea.Msg {
		text, err := l.reader.ReadString('\n')
		return lineMsg{strings.TrimRight(text, "\r\n"), l.prompts.Load(), err}
	}
}

const plainHelp locale.Key = "Type a number to choose. Anything else is your answer; start it with = if it looks like a number " +
	"or a command.\n" +
	"/more: several lines, ended by a line with a single dot. /begun: send the draft from elsewhere. /reply WORDS: write to the " +
	"agent instead of answering.\n" +
	"/dismiss: decline to answer. /next: another question. /quit: leave."

func (l *Lines) enter(line string) tea.Cmd {
	l.ask = true
	c := l.card
	command, words, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case c == nil:
		if command == "/quit" {
			return l.leave(nil)
		}
		return nil
	case c.over != nil: // what the user was typing is theirs, and goes to no other question
		if unsent := strings.Join(append(l.more, line), "\n"); unsent != "" {
			l.print("%s\n  %s\n", l.speak.Text(wordsNotSent), shown(unsent))
		}
		l.card, l.collecting, l.more = nil, false, nil
		return nil
	case l.collecting && line != ".":
		l.more = append(l.more, line)
		return nil
	case l.collecting:
		line = strings.Join(l.more, "\n")
		l.collecting, l.more = false, nil
		return l.act(c.typed(line))
	case command == "/quit":
		return l.leave(errQuit)
	case command == "/next":
		if l.single {
			return l.leave(errNext)
		}
		l.card, l.printed = nil, ""
		return nil
	case c.item.Payload.Approval != nil:
		return l.act(c.typed(line))
	case c.reviewing() && strings.HasPrefix(strings.ToLower(command), "y"):
		return l.act(c.submit())
	case c.reviewing():
		c.show(0)
		return nil
	case command == "?" || command == "/help":
		c.note = l.speak.Text(plainHelp)
		return nil
	case command == "/dismiss":
		return l.act(action{dismiss: true})
	case command == "/reply" && c.questionnaire():
		c.aside = words
		c.reply(true)
		return l.act(c.send())
	case command == "/begun":
		return l.act(c.typed(c.begun()))
	case command == "/more":
		l.collecting = true
		return nil
	case strings.HasPrefix(line, "="):
		return l.act(c.typed(line[1:]))
	}
	numbers, ok := numbers(line)
	if !ok {
		return l.act(c.typed(line))
	}
	if n := c.options(); numbers[0] < 0 || numbers[len(numbers)-1] >= n || len(numbers) > 1 && !c.part().multi {
		c.note = l.speak.Text("Type a number from {0} to {1}.", 1, n)
		return nil
	}
	return l.act(c.chosen(numbers))
}

// act sends what a line asks for, if anything.
func (l *Lines) act(a action) tea.Cmd {
	if a == (action{}) {
		return nil
	}
	return l.send(a)
}

// numbers returns the numbers of a line, from 0, in order and without repetition.
func numbers(line string) (all []int, ok bool) {
	for number := range strings.SplitSeq(line, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return nil, false
		}
		all = append(all, n-1)
	}
	slices.Sort(all)
	return slices.Compact(all), true
}

func (c *card) typed(words string) action {
	c.picks[c.step] = protocol.PickDraft{Other: words, OtherChosen: true}
	c.suggestion, c.mode = nil, ""
	c.load()
	return c.send()
}

func (c *card) chosen(numbers []int) action {
	c.picks[c.step] = protocol.PickDraft{Options: numbers}
	c.row = numbers[0]
	c.load()
	return c.choose()
}

// begun returns the words that were begun in another view.
func (c *card) begun() string {
	if c.item.Draft == nil {
		return ""
	}
	return c.item.Draft.Text
}
