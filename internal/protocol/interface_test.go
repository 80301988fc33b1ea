package protocol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// denied are the methods that no page may send: an agent's, and those that affect the process, its files or its settings.
var denied = []string{
	"initialize", "initialized", "shutdown", "exit", "$/setTrace",
	"session/open", "session/get", "session/close", "inbox/list", "inbox/status",
	"question/ask", "question/await", "question/withdraw", "question/confirm", "question/list",
	"stream/resume", "stream/append", "stream/appendToolInput", "stream/end", "stream/didPassText",
	"history/find", "history/export", "history/import", "history/findLogs", "history/countLogs", "history/didImport", "history/configure", "hub/connect",
	"timer/configure", "notice/configure", "push/notify", "place/find", "mail/describe",
	"guide/run", "guide/again", "guide/pick", "guide/describe", "guide/input", "guide/showText", "guide/openFiles", "guide/saveFile",
	"guide/writeFile", "guide/showMessage", "guide/command", "guide/progress", "guide/forward", "guide/browse", "guide/saveHub",
}

// Every method is in exactly one of the lists, so that a new one is not forgotten.
func TestEveryMethodIsAllowedOrDenied(t *testing.T) {
	for _, method := range declared(t) {
		lists := 0
		for _, list := range [][]string{InterfaceMethods, InterfaceNotifications, denied} {
			if slices.Contains(list, method) {
				lists++
			}
		}
		if lists != 1 {
			t.Errorf("%s is in %d of the lists, want 1: decide whether the interface may send it", method, lists)
		}
	}
}

func TestInterfaceHasNothingOfTheAgents(t *testing.T) {
	for _, method := range slices.Concat(InterfaceMethods, InterfaceNotifications) {
		if slices.Contains(denied, method) {
			t.Errorf("%s is the interface's", method)
		}
		for _, prefix := range []string{"session/", "stream/"} {
			if strings.HasPrefix(method, prefix) {
				t.Errorf("%s is both an interface's and an agent's method", method)
			}
		}
		if !slices.Contains(declared(t), method) {
			t.Errorf("the interface may send %s, but there is no such method", method)
		}
	}
}

// declared returns the methods that the package's source declares.
func declared(t *testing.T) (methods []string) {
	t.Helper()
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // one folder without build tags
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(packages["protocol"], func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) != 1 {
			return true
		}
		switch literal.Type.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			name, err := strconv.Unquote(literal.Elts[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "host/") { // which never reaches the sidecar
				methods = append(methods, name)
			}
		}
		return true
	})
	if len(methods) < 20 {
		t.Fatalf("found %d methods only: %q", len(methods), methods)
	}
	return methods
}
