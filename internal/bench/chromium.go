package main

import "time"

// inBatch is the number of questions, or keys, in a turn, whose figure is a quantile; inClicks is the number of answers.
const (
	inBatch  = 20
	inClicks = 5
)

var inChromium = compare(
	"the page in Chromium as followup web serves it, a call of 2 KB from another process; the measure: one frame",
	func() contest {
		command("node", "extension/build.mjs", "--only", "browser") // it is built into the sidecar
		n, end := startEnd(nil, "page", "./cmd/followup")
		n.load("call", callOf(2<<10))
		turn := func(name string, times int) func() time.Duration {
			return func() time.Duration { return n.turn(name, "call", times) }
		}
		return contest{
			contenders: []contender{
				{name: "one frame", turn: turn("frame", 1)},
				{name: "from a call's last byte to buttons that can be clicked, p50", turn: turn("p50", inBatch)},
				{name: "the same, p95", turn: turn("p95", inBatch)},
				{name: "a page's load to its first card, of one", turn: turn("load 1", 1)},
				{name: "the same, of 1,000 open questions", turn: turn("load 1000", 1)},
				{name: "a key to what it writes, beside one card, p50", turn: turn("key 1", inBatch)},
				{name: "the same, beside 1,000 open questions", turn: turn("key 1000", inBatch)},
				{name: "a click on an answer to the closed card, of one, p50", turn: turn("answer 1", inClicks)},
				{name: "the same, of 1,000 open questions", turn: turn("answer 1000", inClicks)},
			},
			end: end,
		}
	})
