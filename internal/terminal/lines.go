package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"

	"followup/internal/form"
	"followup/internal/inboxclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Lines shows questions as plain lines and reads lines as answers: for screen readers, and for terminals that cannot show a screen.
type Lines struct {
	Options
	model
	single    bool     // there is only one question, not an inbox
	order     int      // of the question that was asked last
	announced int      // the number of other questions that the user knows of
	more      []string // the lines so far of an answer of several lines; nil outside of one
	reader    *bufio.Reader
	typed     chan line
	reading   bool
	results   chan sent
	prompts   atomic.Int64 // the number of prompts printed
}

// line is a line that the user has typed, with the number of prompts at its end.
type line struct {
	text    string
	prompts int64
	err     error
}

// errUnanswered means that the user left a question, or that it was closed elsewhere.
var errUnanswered = errors.New("the question was not answered here")

// NewLines returns a view by lines on a terminal.
func NewLines(o Options, sidecar *rpc.Conn) *Lines {
	return &Lines{
		Options: o, model: model{Inbox: inboxclient.New(&rpc.Router{}), speak: o.Locale, sidecar: sidecar, lines: true, typed: map[string]string{}},
		reader: bufio.NewReader(o.In), typed: make(chan line, 1), results: make(chan sent, 1),
	}
}

// Ask shows a question until it is answered or dismissed. It fails if the user leaves, the question is closed elsewhere, or ctx
// ends.
func (l *Lines) Ask(ctx context.Context, item *protocol.InboxItem) error {
	l.single = true
	l.change(protocol.InboxChange{Items: []protocol.InboxItem{*item}})
	return l.ask(ctx, item)
}

// wait returns the next line that the user types; empty as soon as a change makes over true.
func (l *Lines) wait(ctx context.Context, over func() bool) (text string, err error) {
	for !over() {
		if sending := l.card != nil && l.card.Sending; !l.reading && !sending { // further typed lines stay in the terminal's buffer, and can be dropped
			l.reading = true
			go func() {
				text, err := l.reader.ReadString('\n')
				l.typed <- line{strings.TrimRight(text, "\r\n"), l.prompts.Load(), err}
			}()
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case change := <-l.Changes:
			l.change(change)
			l.announce()
		case result := <-l.results:
			l.sent(result)
		case typed := <-l.typed:
			l.reading = false
			switch {
			case typed.err != nil: // ignore an incomplete line: the terminal may have disconnected
				return "", errUnanswered
			case typed.prompts == l.prompts.Load(): // a line typed before the prompt was meant for something else
				return typed.text, nil
			}
		}
	}
	return "", nil
}

func (l *Lines) printf(format string, args ...any) { _, _ = fmt.Fprintf(l.Out, format, args...) }

const (
	nothingOpen  locale.Key = "No question is open. New questions appear here."
	wordsNotSent locale.Key = "Your words, which were not sent:"
)

// run asks the questions one by one.
func (l *Lines) run(ctx context.Context) error {
	snapshot, err := l.Subscribe(ctx, l.sidecar)
	if err != nil {
		return err
	}
	l.change(snapshot)
	for announced := false; ; {
		if next := l.next(); next != nil {
			if err := l.ask(ctx, next); err != nil {
				return err
			}
			announced = false
			continue
		}
		if !announced {
			announced = true
			l.printf("\n%s\n", l.speak.Text(nothingOpen))
		}
		typed, err := l.wait(ctx, func() bool { return l.next() != nil })
		if err == nil && strings.TrimSpace(typed) == "/quit" {
			err = errUnanswered
		}
		if err != nil {
			return err
		}
	}
}

// next returns the pending question after the last one, otherwise the first; nil if none is pending.
func (l *Lines) next() *protocol.InboxItem {
	pending := slices.DeleteFunc(l.Open(), func(item *protocol.InboxItem) bool { return item.State != protocol.ItemPending })
	if len(pending) == 0 {
		return nil
	}
	return pending[max(0, slices.IndexFunc(pending, func(item *protocol.InboxItem) bool { return item.Order > l.order }))]
}

// ask shows a question until it is answered or closed, or the user moves on to another one.
func (l *Lines) ask(ctx context.Context, item *protocol.InboxItem) error {
	l.order = item.Order
	l.show(item)
	c := l.card
	if l.announced = c.others; c.others > 0 {
		l.printf("\n%s", l.othersOpen())
	}
	for step := -1; l.card == c; {
		if c.Over != nil {
			return l.closed(ctx, c)
		}
		if step != c.Draft.Step {
			step = c.Draft.Step
			l.print(c)
		}
		if c.Note != "" {
			l.printf("%s\n", c.Note)
			c.Note = ""
		}
		if l.more == nil {
			l.prompt(c)
		}
		typed, err := l.wait(ctx, func() bool { return c.Over != nil })
		if err == nil && c.Over == nil {
			err = l.enter(ctx, c, typed)
		}
		if err != nil {
			return err
		}
	}
	if l.note != "" {
		l.printf("%s\n", l.note)
	}
	return nil
}

// closed shows how the question was closed elsewhere, and leaves it. It prints the user's unsent words, so that they do not go to another question.
func (l *Lines) closed(ctx context.Context, c *card) error {
	if l.single {
		return errUnanswered
	}
	l.printf("\n%s\n%s", c.closedBy(), l.speak.Text("Press Enter to continue."))
	typed, err := l.wait(ctx, func() bool { return false })
	unsent := []string{c.Unsent(*c.Over), strings.Join(append(l.more, typed), "\n")}
	if unsent = slices.DeleteFunc(unsent, func(words string) bool { return words == "" }); len(unsent) > 0 {
		l.printf("%s\n", l.notSent(strings.Join(unsent, "\n\n")))
	}
	l.card, l.more = nil, nil
	return err
}

func (l *Lines) print(c *card) {
	p := &page{width: 1 << 16, plain: true}
	c.draw(p)
	if words := c.Begun().Text; c.Draft.Step == 0 && words != "" {
		p.add(plain, "", l.speak.Text("Your draft from another inbox:"))
		p.block("  ", shown(words))
	}
	l.printf("\n%s\n", ansi.Strip(strings.Join(p.lines(0, p.height), "\n")))
}

func (l *Lines) prompt(c *card) {
	if l.Forget != nil {
		l.Forget()
	}
	l.prompts.Add(1)
	l.printf("%s", l.speak.Text(c.prompt()))
}

func (c *card) prompt() locale.Key {
	switch {
	case c.Item.Payload.Approval != nil:
		return "Type a word from the list, /next or /quit: "
	case c.Reviewing():
		return "Submit? y/n: "
	case c.Multi():
		return "Numbers separated by commas, own words, or ?; Enter alone skips it: "
	case c.Options() == 0:
		return "Your answer, or ?: "
	}
	return "Number, own words, or ?: "
}

func (l *Lines) othersOpen() string {
	return othersOpen(l.speak, l.card.others) + " " + l.speak.Text("/next shows another one.")
}

// announce prints that more questions are open, below what the user is typing, and then the prompt again.
func (l *Lines) announce() {
	c := l.card
	if c == nil || c.Over != nil {
		return
	}
	if before := l.announced; before != c.others {
		if l.announced = c.others; c.others > before {
			l.printf("\n%s\n", l.othersOpen())
			if l.more == nil && !c.Sending {
				l.printf("%s", l.speak.Text(c.prompt()))
			}
		}
	}
}

const plainHelp locale.Key = "Type a number to choose. Anything else is your answer; start it with = if it looks like a number " +
	"or a command.\n" +
	"/more: several lines, ended by a line with a single dot. /begun: send your draft from another inbox. /reply WORDS: write to the " +
	"agent instead of answering.\n" +
	"/dismiss: decline to answer. /next: another question. /quit: leave."

// enter carries out a line.
func (l *Lines) enter(ctx context.Context, c *card, typed string) error {
	command, words, _ := strings.Cut(strings.TrimSpace(typed), " ")
	var asked form.Action
	switch {
	case l.more != nil && typed != ".":
		l.more = append(l.more, typed)
		return nil
	case l.more != nil:
		asked = c.Answer(strings.Join(l.more, "\n"))
		l.more = nil
	case command == "/quit" || command == "/next" && l.single:
		return errUnanswered
	case command == "/next":
		l.card = nil
		return nil
	case command == "/more" && c.Item.Payload.Approval == nil && !c.Reviewing():
		l.more = []string{}
		return nil
	default:
		asked = c.enter(typed, command, words)
	}
	if asked == (form.Action{}) {
		return nil
	}
	c.Sending = true
	go func() { l.results <- l.send(context.WithoutCancel(ctx), c.Item.QuestionID, asked) }() // changes are received meanwhile
	for c.Sending {
		if _, err := l.wait(ctx, func() bool { return !c.Sending }); err != nil {
			return err
		}
	}
	return nil
}

// enter returns the action for a line.
func (c *card) enter(line, command, words string) form.Action {
	numbers, isNumbers := numbers(line)
	switch n := c.Options(); {
	case c.Item.Payload.Approval != nil:
		return c.Answer(line)
	case c.Reviewing() && strings.HasPrefix(strings.ToLower(command), "y"):
		return c.Send()
	case c.Reviewing():
		return c.Show(0)
	case command == "?" || command == "/help":
		c.Note = c.speak.Text(plainHelp)
		return form.Action{}
	case command == "/dismiss":
		return form.Action{Dismiss: true}
	case command == "/reply" && c.IsQuestionnaire():
		c.Reply(true)
		defer c.Reply(false)
		return c.Answer(words)
	case command == "/begun":
		return c.Answer(c.Begun().Text)
	case strings.HasPrefix(line, "="):
		return c.Answer(line[1:])
	case !isNumbers || n == 0:
		return c.Answer(line)
	case numbers[0] < 0 || numbers[len(numbers)-1] >= n || len(numbers) > 1 && !c.Multi():
		c.Note = c.speak.Text("Type a number from {0} to {1}.", 1, n)
		return form.Action{}
	}
	return c.ChooseAll(numbers)
}

// numbers returns the numbers in a line, from 0, sorted and without duplicates.
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
