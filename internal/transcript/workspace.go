package transcript

import (
	"cmp"
	"io"
	"path/filepath"
	"strings"

	"followup/internal/protocol"
)

// messagesSuffix ends the name of a session's messages in Cline: SESSION/SESSION.messages.json.
const messagesSuffix = ".messages.json"

// lookBytes is how many bytes of a file beside a log are read.
const lookBytes = 512 << 10

// look returns the beginning of a file, or nil if the file cannot be read.
func look(elements ...string) []byte {
	in, err := openFile(filepath.Join(elements...))
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }()
	data, _ := io.ReadAll(io.LimitReader(in, lookBytes))
	return data
}

// workspaceLine matches the line that gives a task's model the working folder, in a message's JSON.
var workspaceLine = pattern(`# Current (?:Workspace|Working) Directory \(((?:[^"\\\n]|\\.)+?)\) Files`)

// workspaceBeside returns the workspace of a log according to the files beside it, or "".
func workspaceBeside(log string) string {
	folder := filepath.Dir(log)
	above, session := filepath.Dir(folder), sessionFolder(log)
	switch name := filepath.Base(folder); {
	case filepath.Base(log) == interfaceFile:
		if workspace := parse(look(folder, historyFile)).get("workspace").text(); workspace != "" {
			return workspace
		}
		if m := workspaceLine().FindSubmatch(look(folder, messagesFile)); m != nil {
			return unquote(`"` + string(m[1]) + `"`)
		}
	case strings.HasSuffix(log, messagesSuffix): // Cline
		about := parse(look(strings.TrimSuffix(log, messagesSuffix) + ".json"))
		return cmp.Or(about.get("workspace_root").text(), about.get("cwd").text())
	case name == "chats": // Gemini CLI
		return strings.TrimSpace(string(look(above, ".project_root")))
	case name == "chatSessions": // VS Code
		return protocol.PathOf(parse(look(above, "workspace.json")).get("folder").text())
	case session != "": // cc-viewer
		return parse(look(session, "meta.json")).get("project").text()
	}
	return ""
}
