package hook

import (
	"bytes"
	"encoding/json"

	"followup/internal/protocol"
)

// claudeEffect returns the decision that a line of Claude Code's log shows to have taken effect on a call; empty if it shows none. Version
// 2.1.330 records the decision, or that its user has ended the call, before or while it ran. An earlier version only shows that a call has
// succeeded.
func claudeEffect(line []byte, call string) protocol.Outcome {
	if !bytes.Contains(line, []byte(call)) || !bytes.Contains(line, []byte("tool_result")) {
		return ""
	}
	var entry struct {
		Decision struct {
			Decision string `json:"decision"`
		} `json:"permissionDecision"`
		Denial    string `json:"toolDenialKind"`
		BeforeRun bool   `json:"toolDenialBeforeRun"`
		Message   struct {
			Content []struct {
				Type   string `json:"type"`
				Result string `json:"tool_use_id"`
				Failed bool   `json:"is_error"`
			} `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &entry) != nil {
		return ""
	}
	for _, block := range entry.Message.Content {
		if block.Type != "tool_result" || block.Result != call {
			continue
		}
		switch d := entry.Decision.Decision; {
		case d == "accept" || d == "" && entry.Denial == "user-rejected" && !entry.BeforeRun || d == "" && entry.Denial == "" && !block.Failed:
			return protocol.OutcomeAllowed
		case d == "reject" || d == "" && entry.Denial != "":
			return protocol.OutcomeDenied
		}
	}
	return ""
}
