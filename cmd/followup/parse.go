package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"followup/internal/archive"
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/session"
)

// exitInvalid is the exit status of parse if a call is invalid. For parse, exitUsage also means that the input cannot be read.
const exitInvalid = 1

// maxChunk is the maximum size of a read in bytes.
const maxChunk = 16 << 20

// parseOptions are the flags of "followup parse".
type parseOptions struct {
	tool    string
	format  string
	chunk   int
	speak   locale.Tag
	dialect dialect.Options
}

// parsed is the document that parse prints.
type parsed struct {
	Text                string       `json:"text"`
	Calls               []parsedCall `json:"calls"`
	ConsecutiveMistakes int          `json:"consecutiveMistakes"`
	// Hidden counts complete calls that were not run, by what contained them.
	Hidden question.Hidden `json:"hidden,omitzero"`

	mistakes session.Mistakes // counted as in a session, without its limit
}

type parsedCall struct {
	Tool    string          `json:"tool"`
	Status  string          `json:"status"`
	Payload any             `json:"payload,omitempty"` // *question.Followup or *question.Questionnaire
	Error   *parsedError    `json:"error,omitempty"`
	Repairs []question.Code `json:"repairs,omitzero"`
	Notices []question.Code `json:"notices,omitzero"`
}

type parsedError struct {
	Code    question.Code `json:"code"`
	Message string        `json:"message"`
	Found   string        `json:"found,omitempty"`
}

// parseCommand is "followup parse": the parser on the command line.
func parseCommand(p process) *cobra.Command {
	o := parseOptions{chunk: 4096}
	c := &cobra.Command{
		Use:   "parse",
		Short: "Print the calls in an agent's output as JSON",
		Long: "Read an agent's output on standard input and print the calls in it as one JSON document.\n\n" +
			"Exit status: 0 all calls are valid, or there are none; 1 a call is invalid; 2 wrong usage, or the input cannot be read.",
		Example: "  followup parse < message.txt\n  echo '{\"question\": \"Which port?\"}' | followup parse --format json",
		Args:    takesNone("the input is read from standard input"),
		RunE:    func(*cobra.Command, []string) error { return runParse(p, o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.tool, "tool", question.ToolFollowup, "with --format json, read the input of the tool `NAME`")
	flags.StringVar(&o.format, "format", "tags", "read `FORMAT`: tags in text, or json, one call's arguments")
	flags.Var(integer{&o.chunk, 1, maxChunk}, "chunk", "read `N` bytes at a time")
	readingFlags(flags, &o.dialect.Strict, &o.dialect.Limits)
	localeFlag(c, flags, &o.speak, "error messages", p.env)
	flags.Func("opaque", "ignore calls inside the elements `NAMES`, such as pre,code", func(list string) error {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				o.dialect.OpaqueTags = append(o.dialect.OpaqueTags, name)
			}
		}
		return nil
	})
	oneOf(c, "tool", question.ToolFollowup, question.ToolAskUser)
	oneOf(c, "format", "tags", "json")
	return c
}

func runParse(p process, o parseOptions) error {
	result, err := readAll(o, p.stdin)
	if err != nil {
		fmt.Fprintf(p.stderr, "followup parse: reading standard input: %v\n", err)
		return status(exitUsage)
	}
	line, err := archive.Line(result) // an agent wrote it, and the output may be a terminal
	if err == nil {
		var out bytes.Buffer
		err = json.Indent(&out, append(line, '\n'), "", "  ")
		_, wrong := p.stdout.Write(out.Bytes())
		err = errors.Join(err, wrong)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "followup parse: writing the result: %v\n", err)
		return status(exitUsage)
	}
	for _, call := range result.Calls {
		if call.Error != nil {
			return status(exitInvalid)
		}
	}
	return nil
}

// incremental is the common interface of both parsers.
type incremental interface {
	Append(chunk []byte)
	End()
}

// readAll reads the input chunk by chunk.
func readAll(o parseOptions, stdin io.Reader) (parsed, error) {
	result := parsed{Calls: []parsedCall{}}
	var text strings.Builder
	take := func(e dialect.Event) {
		switch e := e.(type) {
		case *dialect.Text:
			text.WriteString(e.Text)
		case *dialect.Hidden:
			result.Hidden.Count(e.By)
		case *dialect.Done:
			result.add(e.Call, o.speak)
		}
	}
	var reader incremental = dialect.NewTags(o.dialect, take)
	if o.format == "json" {
		reader = dialect.NewInput(o.tool, o.dialect, take)
	}
	input := bufio.NewReaderSize(stdin, 64<<10) // saves system calls for small chunks
	chunk := make([]byte, o.chunk)
	for {
		n, err := io.ReadFull(input, chunk)
		reader.Append(chunk[:n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return result, err
		}
	}
	reader.End()
	result.Text = text.String()
	return result, nil
}

// add adds one call to the document and counts it.
func (p *parsed) add(call question.Call, words locale.Tag) {
	if call.Err != nil {
		p.mistakes = p.mistakes.Invalid()
		p.ConsecutiveMistakes = p.mistakes.Count()
		p.Calls = append(p.Calls, parsedCall{
			Tool: call.Tool, Status: "invalid",
			Error: &parsedError{call.Err.Code, dialect.Message(words, call.Tool, call.Err), dialect.Found(words, call.Err)},
		})
		return
	}
	p.mistakes = p.mistakes.Valid()
	p.ConsecutiveMistakes = p.mistakes.Count()
	valid := parsedCall{
		Tool: call.Tool, Status: "valid",
		Payload: call.Followup, Repairs: call.Repairs, Notices: call.Notices,
	}
	if call.Questionnaire != nil {
		valid.Payload = call.Questionnaire
	}
	p.Calls = append(p.Calls, valid)
}
