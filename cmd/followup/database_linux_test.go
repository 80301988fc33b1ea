//go:build !nopostgres

package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"followup/internal/protocol"
	"followup/internal/reach"
	"followup/internal/rpc"
	"followup/internal/store/postgres/cluster"
)

// Two windows share a database like a folder. While its server is down, they report that nothing is saved and continue. When it
// returns, they save the answers.
func TestWindowsShareADatabase(t *testing.T) {
	server, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	t.Setenv("XDG_DATA_HOME", storageDir(t)) // the databases' keepers have their sockets here
	t.Setenv("HOME", storageDir(t))
	keptBy := func(place string) string {
		folder, err := reach.KeeperFolder(place, os.Getenv)
		if err != nil {
			t.Fatal(err)
		}
		endsKeeper(t, folder)
		return place
	}
	anotherWindowGoesOn(t, keptBy(server.Place("shared")))

	place := keptBy(server.Place("away"))
	s := startSidecar(t, place)
	s.untilStorage(func(s protocol.Storage) bool { return s.Saved })
	session, err := rpc.Call(context.Background(), s.conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: "s"})
	if err != nil {
		t.Fatal(err)
	}
	const id = "019a9c00-0000-7000-8000-000000000003"
	answered := make(chan protocol.Answer, 1)
	go func() {
		answer, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAsk, protocol.AskParams{
			Session: session.Session, QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`),
		})
		if err != nil {
			t.Error(err)
		}
		answered <- answer
	}()
	s.untilPending(id)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if result, err := rpc.Call(context.Background(), s.conn, protocol.QuestionAnswer, protocol.AnswerParams{
		QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: "while it was away",
	}); err != nil || !result.Accepted {
		t.Fatalf("%+v, %v", result, err)
	}
	s.untilStorage(func(s protocol.Storage) bool { return !s.Saved })
	<-answered
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	s.untilStorage(func(s protocol.Storage) bool { return s.Saved })
	if past := pastIn(t, storeIn(t, place)); len(past) != 1 || past[0].Outcome.Text != "while it was away" {
		t.Errorf("got %+v", past)
	}
}

// If the address of a hub's database can never work, the hub exits with an error instead of waiting. It rejects an address with a
// password, which every user of the machine could read there, and does not print the password.
func TestHubWithAWrongAddress(t *testing.T) {
	t.Parallel()
	server, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	for place, want := range map[string]string{
		"postgres://followup@127.0.0.1:99999/followup":                             "port",
		"postgres://followup@[::1/followup":                                        "cannot be read as a database's address",
		"postgres://followup@db..invalid/followup":                                 "db..invalid",
		"postgres://followup:s%zzecret@127.0.0.1/followup":                         "the address must not contain a password",
		"postgres://followup@127.0.0.1/followup?password=secret":                   "the address must not contain a password",
		"service=nothing-of-this-name":                                             "nothing-of-this-name",
		strings.Replace(server.Place("s"), "/postgres?", "/another?", 1):           "another",
		strings.Replace(server.Place("s"), "user=followup", "user=nobody-else", 1): "nobody-else",
	} {
		status, stdout, stderr := shell(t, place, "hub", "--listen", "127.0.0.1:0")
		if status != 1 || stdout != "" || !strings.Contains(stderr, want) || strings.Contains(stderr, "secret") {
			t.Errorf("%s: status %d, %q, %s", place, status, stdout, stderr)
		}
	}
}
