package transcript

// codexLine reads a line of a rollout of Codex. The payload is a call, with its arguments as JSON in a string, a result, or about the
// session. Made after openai/codex 45c52926, codex-rs/protocol/src/request_user_input.rs, and 02a13c49,
// codex-rs/core/src/tools/handlers/request_user_input.rs.
func (l *log) codexLine(line value) (isMine bool) {
	l.known = l.known || line.get("record_type").exists() // in 2025
	p := line.get("payload")
	if !p.json.IsObject() {
		return false
	}
	switch line.get("type").text() {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
	default:
		return false
	}
	l.source = Codex
	if cwd := p.get("cwd").text(); cwd != "" {
		l.workspace = cwd
	}
	id, at := p.get("call_id").text(), line.get("timestamp").time()
	l.ask(Codex, id, p.get("name").text(), p.get("arguments"), at)
	if output := p.get("output"); output.exists() {
		l.answer(id, result{content: output, at: at})
	}
	return true
}
