package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"followup/internal/waits"
)

// If no inbox is open, followup mcp itself shows a desktop notification.
func TestMCPNotifiesWhereNoInboxIsOpen(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	shown := filepath.Join(tools, "shown")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + shown + ".part && mv " + shown + ".part " + shown + "\n"
	if err := os.WriteFile(filepath.Join(tools, "notify-send"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	agent := newMCP(t, storageDir(t))
	agent.command.Env = slices.DeleteFunc(agent.command.Env, func(v string) bool { return strings.HasPrefix(v, "PATH=") })
	agent.command.Env = append(agent.command.Env, "PATH="+tools+":"+os.Getenv("PATH"))
	agent.start()
	agent.send(initializeOld)
	agent.receive()
	agent.send(`{"method":"notifications/initialized"}`)
	agent.send(`{"id":1,"method":"tools/call","params":{"name":"ask_followup_question","arguments":{"question":"Which *branch*?"}}}`)
	waits.Until(t, "a desktop notification is shown", func() bool {
		_, err := os.Stat(shown)
		return err == nil
	})
	text, err := os.ReadFile(shown)
	program := binary
	if strings.Contains(program, " ") {
		program = `"` + program + `"` // for a shell
	}
	for _, want := range []string{"Codex asks you", "Which branch?", program + " answer", program + " web"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the notice is %q (%v), want %q in it", text, err, want)
		}
	}
	agent.end()
}
