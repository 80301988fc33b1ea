//go:build !nohub && !windows

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"followup/internal/protocol"
)

func TestGuideConnectsAHub(t *testing.T) {
	t.Parallel()
	g := newGuided(t)
	typed := func(texts ...string) {
		for _, text := range texts {
			g.does("guide/input", protocol.GuideInputResult{Text: &text})
		}
	}
	hub := protocol.GuideRunParams{Guide: protocol.GuideHub}
	g.ends(hub, "") // the user cancels
	typed("hub", "https://a:b@hub", "https://hub/?a", "https://hub/#followup_A", "ftp://hub", "https://hub/")
	g.ends(hub, "")
	asked := g.calls("guide/input")
	if !strings.Contains(asked[2], `"value":"hub","problem":"Enter an address`) ||
		!strings.Contains(asked[len(asked)-1], `"password":true`) {
		t.Errorf("asked was %q", asked)
	}
	if saved := g.calls("guide/saveHub"); saved != nil {
		t.Errorf("saved was %q", saved)
	}

	typed("http://hub.example", "followup_A") // unencrypted over a network
	messages, err := g.run(hub)
	if err != nil || len(messages) != 1 || messages[0].Severity != protocol.GuideError ||
		messages[0].Buttons[0].Guide.Hub.URL != "http://hub.example" {
		t.Errorf("%+v, %v", messages, err)
	}
	if saved := g.calls("guide/saveHub"); saved != nil {
		t.Errorf("saved was %q", saved)
	}

	h := startTeam(t)
	token, err := os.ReadFile(h.invited("Ann"))
	if err != nil {
		t.Fatal(err)
	}
	typed(h.proxy.url()+"/", " "+string(token))
	g.ends(hub, "Information: Connected to the hub Team as Ann.")
	saved := g.calls("guide/saveHub")
	if want := fmt.Sprintf(`{"url":%q,"token":%q}`, h.proxy.url(), strings.TrimSpace(string(token))); len(saved) != 1 || saved[0] != want {
		t.Errorf("saved was %q", saved)
	}

	typed("")
	hub.Hub = &protocol.HubConnectParams{URL: h.proxy.url()}
	g.ends(hub, "Information: Disconnected from the hub.")
	if saved := g.calls("guide/saveHub"); len(saved) != 2 || saved[1] != "{}" {
		t.Errorf("saved was %q", saved)
	}

	h.kill()
	typed(h.proxy.url(), string(token))
	if messages, err = g.run(hub); err != nil || len(messages) != 1 || messages[0].Severity != protocol.GuideWarning {
		t.Errorf("an unreachable hub was not saved: %+v, %v", messages, err)
	}
	if saved := g.calls("guide/saveHub"); len(saved) != 3 {
		t.Errorf("saved was %q", saved)
	}
}
