package main

import (
	"context"
	"strings"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// doctor checks each connected agent, and shows the findings.
func (g *guide) doctor(ctx context.Context) ([]protocol.GuideMessage, error) {
	rpc.Notify(g.editor, protocol.GuideProgress, protocol.GuideProgressParams{Title: g.text("Checking the connections")})
	folder := editorStorage(g.p, g.log, g.params.Options)
	findings, err := examine(ctx, g.p, folder, g.speak, nil)
	if err != nil {
		return nil, g.failed("The connections could not be checked: {0}", ctx, err)
	}
	var lines strings.Builder
	wrong := 0
	for _, f := range findings {
		mark := "✓"
		if !f.OK {
			mark, wrong = "✗", wrong+1
		}
		lines.WriteString(mark + "  " + f.Text + "\n")
	}
	if wrong == 0 {
		return information(g.text("All {0} checks passed: your agents can ask.", len(findings))), nil
	}
	text := protocol.GuideShowTextParams{Name: "Followup.txt", Text: lines.String()}
	if _, err := rpc.Call(ctx, g.editor, protocol.GuideShowText, text); err != nil {
		return nil, err
	}
	return warning(g.text("{0} of {1} checks failed.", wrong, len(findings))), nil
}
