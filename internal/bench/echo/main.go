// Command echo is the minimum of a Go program for a round trip over standard input and output: hand-written framing, one goroutine,
// the standard library's JSON. It answers every request with the state of an empty session.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Session               string `json:"session"`
		InitializationOptions struct {
			ProtocolVersion int `json:"protocolVersion"`
		} `json:"initializationOptions"`
	} `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// greeting is the result of initialize.
type greeting struct {
	ProtocolVersion int               `json:"protocolVersion"`
	ServerInfo      map[string]string `json:"serverInfo"`
}

// state is the result of every other request, as long as that of session/get.
type state struct {
	Session             string   `json:"session"`
	Agent               string   `json:"agent"`
	Key                 string   `json:"key"`
	ConsecutiveMistakes int      `json:"consecutiveMistakes"`
	WorkspaceFolders    []string `json:"workspaceFolders"`
	Conversation        []string `json:"conversation"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		body, err := read(in)
		if errors.Is(err, io.EOF) {
			return
		}
		check(err)
		var r request
		check(json.Unmarshal(body, &r))
		switch {
		case r.Method == "exit":
			return
		case r.ID == nil:
		case r.Method == "initialize":
			reply(r.ID, greeting{r.Params.InitializationOptions.ProtocolVersion, map[string]string{"name": "echo"}})
		default:
			reply(r.ID, state{r.Params.Session, "bench", "round trips", 0, []string{}, []string{}})
		}
	}
}

func read(in *bufio.Reader) ([]byte, error) {
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return nil, err
			}
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	return body, err
}

func reply(id json.RawMessage, result any) {
	body, err := json.Marshal(response{"2.0", id, result})
	check(err)
	_, err = os.Stdout.Write(append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...))
	check(err)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}
