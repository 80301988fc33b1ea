package main

import (
	"bytes"
	"encoding/json"
	"errors"

	"followup/internal/dialect"
)

// tool is the tool whose calls are parsed.
const tool = "ask_followup_question"

// options accept every text.
func options() (o dialect.Options) {
	o.Limits.Parameter, o.Limits.Message = 16<<20, 16<<20
	return o
}

// chunkReader is the interface of both parsers.
type chunkReader interface {
	Append(chunk []byte)
	End()
}

func openTags(emit func(dialect.Event)) chunkReader { return dialect.NewTags(options(), emit) }

func openInput(emit func(dialect.Event)) chunkReader { return dialect.NewInput(tool, options(), emit) }

// read parses a text in chunks and handles every event, as for a question that is shown while it grows.
func read(open func(func(dialect.Event)) chunkReader) func([]byte) {
	return func(text []byte) {
		shown, valid := 0, false
		take := func(e dialect.Event) {
			switch e := e.(type) {
			case *dialect.Grew:
				shown += len(e.Text)
			case *dialect.Done:
				valid = e.Call.Err == nil && len(e.Call.Followup.Question) == shown && len(e.Call.Followup.Suggest) == 2
			}
		}
		reader := open(take)
		eachChunk(text, reader.Append)
		reader.End()
		if !valid {
			check(errors.New("the call was not read"))
		}
	}
}

// lookAndKeep is the minimum cost of reading: looking at every byte once, and keeping it.
func lookAndKeep(text []byte) {
	var kept []byte
	eachChunk(text, func(piece []byte) {
		if bytes.IndexByte(piece, 0) >= 0 {
			check(errors.New("there is no such byte"))
		}
		kept = append(kept, piece...)
	})
	if len(kept) != len(text) {
		check(errors.New("not all was kept"))
	}
}

// validate only checks with the standard library that a text is JSON.
func validate(text []byte) {
	if !json.Valid(text) {
		check(errors.New("the text is no JSON"))
	}
}
