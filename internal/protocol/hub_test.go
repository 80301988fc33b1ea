package protocol

import (
	"slices"
	"testing"
)

// noRole are the methods that a hub accepts from no role, and those that it sends itself.
var noRole = []string{
	"$/setTrace", "stream/resume", "stream/append", "stream/appendToolInput", "stream/end", "stream/didPassText",
	"history/find", "history/delete", "history/restore", "history/export", "history/import", "history/findLogs", "history/countLogs", "history/didImport",
	"history/configure", "history/didChange", "inbox/didChange", "inbox/list",
	"notice/configure", "notice/didChange", "push/notify", "timer/configure", "hub/connect", "place/find", "mail/describe",
	"guide/run", "guide/again", "guide/pick", "guide/describe", "guide/input", "guide/showText", "guide/openFiles", "guide/saveFile",
	"guide/writeFile", "guide/showMessage", "guide/command", "guide/progress", "guide/forward", "guide/browse", "guide/saveHub",
}

// Every method is listed for some role of a hub, or in noRole, so that a new one is not forgotten.
func TestEveryMethodIsDecidedForHubs(t *testing.T) {
	for _, method := range declared(t) {
		if taken := RoleAgent.May(method) || RolePerson.May(method); taken == slices.Contains(noRole, method) {
			t.Errorf("%s: some role may send it to a hub: %v, listed in noRole: %v; decide who may send it", method, taken, !taken)
		}
		if Role("").May(method) {
			t.Errorf("an unknown role may send %s", method)
		}
		// A hub accepts nothing from a page that the page may not send elsewhere.
		if lifecycle := slices.Contains(lifecycleMethods, method); RolePerson.May(method) && !lifecycle && !slices.Contains(InterfaceMethods, method) && method != InboxStatus.Method {
			t.Errorf("a person may send %s, but no interface may", method)
		}
	}
	for role, methods := range hubMethods {
		for _, method := range methods {
			if !slices.Contains(declared(t), method) {
				t.Errorf("%s may send %s, but there is no such method", role, method)
			}
		}
	}
	for _, method := range lifecycleMethods {
		if !RoleAgent.May(method) || !RolePerson.May(method) {
			t.Errorf("%s is not everybody's", method)
		}
	}
}
