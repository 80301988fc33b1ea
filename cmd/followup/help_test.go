package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls do with each command, including the hidden ones and the topics of the help.
func everyCommand(do func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		do(c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(process{env: noVariables}))
}

// oneScreen is the height of a screen that shows the help of any command.
const oneScreen = 45

var (
	aFlag    = regexp.MustCompile(`--[a-z][a-z-]*[a-z]`)
	aPage    = regexp.MustCompile(`\bdocs/`)
	aVerbose = regexp.MustCompile(`(?m)^  `) // an example or a table, which does not wrap
)

// The help of each command has its sections in one order, fits one screen, breaks no flag, and refers to no page that packages lack.
func TestHelp(t *testing.T) {
	t.Parallel()
	everyCommand(func(c *cobra.Command) {
		name := c.CommandPath()
		text := helpText(c, 0)
		height, at := 0, 0
		for line := range strings.Lines(text) {
			width := cells(strings.TrimSuffix(line, "\n"))
			height += 1 + max(0, width-1)/helpWidth
			if width > helpWidth && !aVerbose.MatchString(line) {
				t.Errorf("%s: a line has %d cells: %q", name, width, line)
			}
		}
		if height > oneScreen {
			t.Errorf("the help of %s has %d lines", name, height)
		}
		for _, section := range []string{"Usage: ", "\nExamples:\n", "\nFlags:\n", "\nMore flags:\n", "\nExit status: "} {
			if i := strings.Index(text, section); i >= 0 && i < at {
				t.Errorf("%s: %q is not in its place", name, section)
			} else if i >= 0 {
				at = i
			}
		}
		for _, flag := range aFlag.FindAllString(c.Long, -1) {
			if !strings.Contains(text, flag) {
				t.Errorf("%s: the help breaks %s", name, flag)
			}
		}
		if cited := aPage.FindString(text); cited != "" {
			t.Errorf("%s: the help cites %q", name, cited)
		}
		if c.Runnable() && !isTopic(c) && !c.HasAvailableSubCommands() && !c.HasExample() && !c.Hidden {
			t.Errorf("%s has no example", name)
		}
	})
}

// A flag that several commands share is explained by one topic, and listed by name in each command.
func TestHelpTopics(t *testing.T) {
	t.Parallel()
	explained := map[string]string{}
	root := newRoot(process{env: noVariables})
	for _, topic := range helpTopics(root) {
		text := helpText(topic, 0)
		topic.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if topicOf(f) == topic.Name() && !f.Hidden {
				explained[f.Name] = topic.Name()
				if !strings.Contains(text, "      --"+f.Name+" ") {
					t.Errorf("followup help %s does not explain --%s", topic.Name(), f.Name)
				}
			}
		})
		if status, stdout, stderr := shell(t, "", "help", topic.Name()); status != 0 || stdout != text || stderr != "" {
			t.Errorf("followup help %s: status %d, %q", topic.Name(), status, stderr)
		}
	}
	if got := helpText(root, 0); !strings.Contains(got, "followup help storage  Where ") || explained["storage"] != topicStorage {
		t.Errorf("the topics are missing in %s", got)
	}
	everyCommand(func(c *cobra.Command) {
		text := helpText(c, 0)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			topic := topicOf(f)
			if topic == "" || f.Hidden || isTopic(c) {
				return
			}
			if !strings.Contains(text, "followup help "+topic) || !strings.Contains(text, "--"+f.Name) || strings.Contains(text, "      --"+f.Name+" ") {
				t.Errorf("%s: --%s is not left to the topic %s", c.CommandPath(), f.Name, topic)
			}
		})
	})
	// The topic "hub" does not hide the command's help.
	if status, stdout, _ := shell(t, "", "help", "hub", "invite"); status != 0 || !strings.HasPrefix(stdout, "Usage: followup hub invite NAME") {
		t.Errorf("status %d, %q", status, stdout)
	}
}

// Texts wrap at spaces only.
func TestWrapped(t *testing.T) {
	t.Parallel()
	const text = "needs --no-browser or https://a-b.example/c-d in Application\u00a0Support, 数据库"
	want := []string{"needs", "--no-browser", "or", "https://a-b.example/c-d", "in", "Application Support,", "数据库"}
	if got := wrapped(text, 12); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := wrapped("limit (0 = never)", 12); !slices.Equal(got, []string{"limit", "(0 = never)"}) {
		t.Errorf("got %q", got)
	}
	if got := wrapped("one two\nthree", 80); !slices.Equal(got, []string{"one two three"}) {
		t.Errorf("got %q", got)
	}
}
