package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// Lines has questions answered by lines: for terminals that cannot show a screen, and for screen readers.
type Lines struct {
	Options
	speak   locale.Tag
	sidecar *rpc.Conn
	want    chan struct{} // asks for a line
	read    chan string   // gets it; closed at the end of the input
	reading bool          // a line is asked for, and was not taken
}

// NewLines makes them. A line is read where one is asked for: what is typed beyond it is still the terminal's, and can be dropped.
func NewLines(o Options, sidecar *rpc.Conn) *Lines {
	l := &Lines{Options: o, speak: o.Locale, sidecar: sidecar, want: make(chan struct{}, 1), read: make(chan string, 1)}
	go func() {
		defer close(l.read)
		lines := bufio.NewReader(l.In)
		for range l.want {
			line, err := lines.ReadString('\n')
			if err != nil { // half a line is none: the terminal may have gone
				return
			}
			l.read <- strings.TrimRight(line, "\r\n")
		}
	}()
	return l
}

// asked asks for a line, unless one is asked for. Who takes it from the channel sets reading.
func (l *Lines) asked() <-chan string {
	if !l.reading {
		l.reading = true
		l.want <- struct{}{}
	}
	return l.read
}

// next is the next line.
func (l *Lines) next(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case line, open := <-l.asked():
		if l.reading = !open; !open {
			return "", errQuit
		}
		return line, nil
	}
}

// forget drops what was typed until now: it was meant for something else than what is shown next.
func (l *Lines) forget() {
	if l.Forget != nil {
		l.Forget()
	}
	select {
	case _, open := <-l.read:
		l.reading = !open
	default:
	}
}

// Why a question is left without an answer.
var (
	errNext = errors.New("the user goes on to another question")
	errQuit = errors.New("the user leaves")
)

// Ask shows a question and has it answered, or dismissed, and gives nil then. It ends early where ctx does: the question is closed, and
// what is being typed is not for another one.
func (l *Lines) Ask(ctx context.Context, item *protocol.InboxItem) error {
	l.print("\n%s\n", heading(l.speak, item))
	if item.Context != "" {
		l.print("%s\n\n", shown(cmp.Or(rendered(item).PlainContext, item.Context)))
	}
	for {
		var err error
		switch {
		case item.Payload.Approval != nil:
			err = l.askApproval(ctx, item)
		case item.Payload.Questionnaire != nil:
			err = l.askAll(ctx, item)
		default:
			err = l.askOne(ctx, item)
		}
		var again refusal
		switch {
		case errors.Is(err, errClosed):
			return nil
		case !errors.As(err, &again):
			return err
		}
		l.print("%s\n", again.why)
	}
}

// refusal is an input that cannot be taken; the question is asked again.
type refusal struct{ why string }

func (r refusal) Error() string { return r.why }

func (l *Lines) refuse(key locale.Key, args ...any) error { return refusal{l.speak.Text(key, args...)} }

func (l *Lines) print(format string, args ...any) { _, _ = fmt.Fprintf(l.Out, format, args...) }

// line is what the user types behind a prompt.
func (l *Lines) line(ctx context.Context, prompt locale.Key) (string, error) {
	l.forget()
	l.print("%s", l.speak.Text(prompt))
	return l.next(ctx)
}

// askOne has a question with suggestions answered.
func (l *Lines) askOne(ctx context.Context, item *protocol.InboxItem) error {
	asked := item.Payload.Followup
	l.print("%s\n", shown(cmp.Or(rendered(item).PlainQuestion, asked.Question)))
	for i, s := range asked.Suggest {
		l.print("  %d. %s\n", i+1, suggestion(l.speak, s))
	}
	l.begun(item)
	line, err := l.line(ctx, "Number, own words, or ?: ")
	if err != nil {
		return err
	}
	words, numbers, err := l.understand(ctx, item, line, len(asked.Suggest))
	switch {
	case err != nil:
		return err
	case len(numbers) == 1:
		return l.answer(ctx, item, protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &numbers[0]})
	case words == "":
		return l.refuse("The answer is empty.")
	}
	return l.answer(ctx, item, protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words})
}

// askAll has a questionnaire answered, one question after the other.
func (l *Lines) askAll(ctx context.Context, item *protocol.InboxItem) error {
	questions := item.Payload.Questions
	picks := make([]protocol.Pick, len(questions))
	l.begun(item)
	for i := 0; i < len(questions); {
		q := questions[i]
		if len(questions) > 1 {
			l.print("%s\n", l.speak.Text("Question {0} of {1}", i+1, len(questions)))
		}
		l.print("%s\n", title(item, i))
		for k, option := range q.Options {
			l.print("  %d. %s\n", k+1, shown(option.Label))
			read := renderedPart(item, i).Options[k]
			for _, more := range []string{cmp.Or(read.PlainDescription, option.Description), cmp.Or(read.PlainPreview, option.Preview)} {
				if more != "" {
					l.print("     %s\n", strings.ReplaceAll(shown(more), "\n", "\n     "))
				}
			}
		}
		prompt := locale.Key("Number, own words, or ?: ")
		if q.MultiSelect {
			prompt = "Numbers with commas, own words, or ?; empty leaves it out: "
		}
		line, err := l.line(ctx, prompt)
		if err != nil {
			return err
		}
		words, numbers, err := l.understand(ctx, item, line, len(q.Options))
		if err == nil && !q.MultiSelect && len(numbers) > 1 {
			err = l.refuse("There are the numbers {0} to {1}.", 1, len(q.Options))
		}
		var again refusal
		switch {
		case errors.As(err, &again):
			l.print("%s\n", again.why)
			continue
		case err != nil:
			return err
		}
		picks[i] = protocol.Pick{Options: numbers, Other: words}
		i++
	}
	for i, q := range questions {
		said := answered(q, picks[i])
		if said == "" {
			said = l.speak.Text("left out")
		}
		l.print("%s — %s\n", title(item, i), said)
	}
	sure, err := l.line(ctx, "Submit? y/n: ")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(sure)), "y") {
		return refusal{}
	}
	return l.answer(ctx, item, protocol.AnswerParams{Picks: picks})
}

// begun shows what was begun elsewhere.
func (l *Lines) begun(item *protocol.InboxItem) {
	touch(l.sidecar, item)
	if words := begun(item); words != "" {
		l.print("%s\n  %s\n", l.speak.Text("Begun elsewhere:"), strings.ReplaceAll(shown(words), "\n", "\n  "))
	}
	for _, line := range addedLines(l.speak, item) {
		l.print("%s\n", line)
	}
}

func begun(item *protocol.InboxItem) string {
	if item.Draft == nil {
		return ""
	}
	return item.Draft.Text
}

const plainHelp locale.Key = "A number chooses. Anything else is your answer; begin it with = where it would be taken for a " +
	"number or a command.\n" +
	"/more: several lines, ended by a line with a single dot. /begun: send what you have begun elsewhere. /reply WORDS: write to the " +
	"agent instead of answering.\n" +
	"/dismiss: decline to answer. /next: another question. /quit: leave."

// understand takes a line: numbers of what is offered, from 0, words, or a command, which it carries out.
func (l *Lines) understand(ctx context.Context, item *protocol.InboxItem, line string, offered int) (words string, numbers []int, err error) {
	command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch command {
	case "?", "/help":
		return "", nil, l.refuse(plainHelp)
	case "/quit":
		return "", nil, errQuit
	case "/next":
		return "", nil, errNext
	case "/dismiss":
		return "", nil, cmp.Or(l.close(rpc.Call(context.WithoutCancel(ctx), l.sidecar, protocol.QuestionDismiss,
			protocol.QuestionParams{QuestionID: item.QuestionID})), errClosed)
	case "/reply":
		if item.Payload.Questionnaire != nil {
			images, quotes := added(item)
			return "", nil, cmp.Or(l.close(rpc.Call(context.WithoutCancel(ctx), l.sidecar, protocol.QuestionReply,
				protocol.ReplyParams{QuestionID: item.QuestionID, Text: rest, Images: images, Quotes: quotes})), errClosed)
		}
	case "/begun":
		return begun(item), nil, nil
	case "/more":
		words, err := l.several(ctx)
		return words, nil, err
	}
	if own, ok := strings.CutPrefix(line, "="); ok {
		return own, nil, nil
	}
	for number := range strings.SplitSeq(line, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return line, nil, nil
		}
		if n < 1 || n > offered {
			return "", nil, l.refuse("There are the numbers {0} to {1}.", 1, offered)
		}
		if !slices.Contains(numbers, n-1) {
			numbers = append(numbers, n-1)
		}
	}
	slices.Sort(numbers)
	return "", numbers, nil
}

// errClosed ends the asking of a question that is over.
var errClosed = errors.New("the question is over")

// several are lines until one with a single dot. Where they end without it, they are half of what was meant.
func (l *Lines) several(ctx context.Context) (string, error) {
	var all []string
	for {
		line, err := l.next(ctx)
		if err != nil || line == "." {
			return strings.Join(all, "\n"), err
		}
		all = append(all, line)
	}
}

// answer gives an answer, with what other views added.
func (l *Lines) answer(ctx context.Context, item *protocol.InboxItem, params protocol.AnswerParams) error {
	params.QuestionID = item.QuestionID
	params.Images, params.Quotes = added(item)
	return l.close(rpc.Call(context.WithoutCancel(ctx), l.sidecar, protocol.QuestionAnswer, params))
}

// close is what became of closing a question. An outcome from elsewhere that came first stands.
func (l *Lines) close(result protocol.CloseResult, err error) error {
	if why, refused := refused(err); refused {
		return refusal{why}
	}
	if err == nil && !result.Accepted {
		return errElsewhere
	}
	return err
}
