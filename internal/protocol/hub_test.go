package protocol

import (
	"slices"
	"testing"
)

// nobodys are the methods that a hub takes of nobody, and those that it sends itself.
var nobodys = []string{
	"$/setTrace", "stream/resume", "stream/append", "stream/appendToolInput", "stream/end", "stream/didPassText",
	"history/find", "history/delete", "history/restore", "history/export", "history/import", "history/findLogs", "history/countLogs", "history/didImport",
	"history/configure", "history/didChange", "inbox/didChange", "inbox/list",
	"notice/configure", "notice/didChange", "push/notify", "timer/configure", "hub/connect", "place/find", "mail/describe",
	"guide/run", "guide/again", "guide/pick", "guide/describe", "guide/input", "guide/showText", "guide/openFiles", "guide/saveFile",
	"guide/writeFile", "guide/showMessage", "guide/command", "guide/progress", "guide/forward", "guide/browse", "guide/saveHub",
}

// Every method is listed for some role of a hub, or as not for hubs, so that a new one is not forgotten.
func TestEveryMethodIsDecidedForHubs(t *testing.T) {
	for _, method := range declared(t) {
		if taken := RoleAgent.May(method) || RolePerson.May(method); taken == slices.Contains(nobodys, method) {
			t.Errorf("%s: taken by a hub %v, and listed as nobody's %v: say who may send it to one", method, taken, !taken)
		}
		if Role("").May(method) {
			t.Errorf("who is nobody may send %s", method)
		}
		// A page of a hub may send nothing that it may not elsewhere.
		if lifecycle := slices.Contains(lifecycleMethods, method); RolePerson.May(method) && !lifecycle && !slices.Contains(InterfaceMethods, method) && method != InboxStatus.Method {
			t.Errorf("a person may send %s, and no interface may", method)
		}
	}
	for role, methods := range hubMethods {
		for _, method := range methods {
			if !slices.Contains(declared(t), method) {
				t.Errorf("%s may send %s, and there is no such method", role, method)
			}
		}
	}
	for _, method := range lifecycleMethods {
		if !RoleAgent.May(method) || !RolePerson.May(method) {
			t.Errorf("%s is not everybody's", method)
		}
	}
}
