package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// full repeats s up to the limit.
func full(s string) string {
	return strings.Repeat(s, MaxBytes/len(s))
}

// half repeats s up to half the limit.
func half(s string) string {
	return strings.Repeat(s, MaxBytes/2/len(s))
}

// hostile are texts that may make a Markdown parser read the same place again and again.
var hostile = map[string]func() string{
	"quotes":             func() string { return full(">") },
	"quotes with spaces": func() string { return full("> ") },
	"quotes and lines":   func() string { return half("> ") + "a\n" + half("\n") },
	"lazy lines":         func() string { return half(">") + "a\n" + half("b\n") },
	"items in one line":  func() string { return full("- ") },
	"items and lines":    func() string { return half("- ") + "a\n" + half("\n") },
	"ordered items":      func() string { return half("1. ") + "a\n" + half("\nb") },
	"quotes and items":   func() string { return half("> 1. - ") + "a\n" + half("\n> ") },
	"items, deeper":      func() string { return stairs("- a\n") },
	"quotes, deeper":     func() string { return strings.ReplaceAll(stairs("a\n"), " ", ">") },
	"brackets":           func() string { return full("[") },
	"brackets, closed":   func() string { return half("[") + half("]") },
	"images":             func() string { return half("![") + half("](a)") },
	"images, linked":     func() string { return strings.Repeat("![", 300) + strings.Repeat("](http://a)", 300) },
	"labels":             func() string { return half("[a") + half("][") },
	"links with titles":  func() string { return full("[a](b (") },
	"links, pointed":     func() string { return full("[a](<b ") },
	"links, open":        func() string { return full("[a](") },
	"links, quoted":      func() string { return full(`[a](b "`) },
	"links in links":     func() string { return half("[a](http://b") + half(")") },
	"definitions":        func() string { return full("[a]: b\n") },
	"stars":              func() string { return full("*") },
	"stars around":       func() string { return half("*") + "a" + half("*") },
	"stars around, few":  func() string { return strings.Repeat("*a ", 450) + strings.Repeat("b* ", 450) },
	"strong":             func() string { return full("**a ") },
	"stars and bars":     func() string { return full("*a _b ") },
	"closing":            func() string { return full("a**b_c* ") },
	"threes":             func() string { return full("a***b**c*") },
	"bold beginnings":    func() string { return full("**a:**b ") },
	"bold, never opened": func() string { return full("a:**b ") },
	"bold, opened only":  func() string { return half("**a ") + half("a:**b ") },
	"bold, ideographs":   func() string { return full("**注：**请") },
	"few beginnings":     func() string { return strings.Repeat("**a ", 200) + strings.Repeat("c**d:**b ", 100) },
	"variants":           func() string { return full("*\uFE00") },
	"strikes":            func() string { return full("~~a ") },
	"ticks":              func() string { return full("`") },
	"ticks, open":        func() string { return full("`a``b") },
	"ticks, longer":      func() string { return strings.ReplaceAll(stairs("a"), " ", "`") },
	"tags":               func() string { return full("<a ") },
	"tags, quoted":       func() string { return full(`<a b="`) },
	"comments":           func() string { return full("a <!-- ") },
	"instructions":       func() string { return full("a <? ") },
	"mail":               func() string { return full("<a@b.") },
	"mail, long":         func() string { return "<" + full("a") },
	"addresses":          func() string { return full("http://") },
	"addresses, bad":     func() string { return full("http://a@b:c") },
	"address, long":      func() string { return "http://a/" + full("(") },
	"tables":             func() string { return full("|a|\n|-|\n") },
	"columns and rows": func() string {
		return strings.Repeat("|a", MaxBytes/6) + "\n" + strings.Repeat("|-", MaxBytes/6) + "\n" + strings.Repeat("a\n", MaxBytes/6)
	},
	"columns":             func() string { return half("|a") + "\n" + strings.Repeat("|-", MaxBytes/4) },
	"dashes":              func() string { return full("|-|\n") },
	"cells":               func() string { return "|a|\n|-|\n" + full("|") },
	"headings":            func() string { return full("# ") },
	"heading of stars":    func() string { return "# " + full("*a ") },
	"breaks":              func() string { return full("- - -\n") },
	"html":                func() string { return full("<div>\n") },
	"html, open":          func() string { return full("<!-- a\n") },
	"fences":              func() string { return full("```\n") },
	"fences of tildes":    func() string { return full("~~~a\n") },
	"fences, longer":      func() string { return strings.ReplaceAll(stairs("\n"), " ", "~") },
	"fences, shorter":     func() string { return shrinking("~", " a\n") },
	"fences in items":     func() string { return full("- ```\n") },
	"backslashes":         func() string { return full("\\") },
	"references":          func() string { return full("&amp;") },
	"controls":            func() string { return full("\u202E") },
	"isolates":            func() string { return full("\u2068") },
	"controls in a title": func() string { return "[a](http://b \"" + half("\u202E") + "\")" },
	"nothing":             func() string { return full("\x00") },
	"not text":            func() string { return full("\xFFa") },
	"returns":             func() string { return full("a\r") },
	"spaces":              func() string { return full(" ") + "a" },
	"tabs":                func() string { return full("\t") + "a" },
	"tabs in items":       func() string { return full("-\ta\n\t") },
	"frames":              func() string { return full("+--+\n\na\n\n") },
	"pairs":               func() string { return full("a  b\n\n") },
}

// stairs returns lines that are each one space longer, up to the limit.
func stairs(line string) string {
	var out strings.Builder
	for i := 0; out.Len()+i+len(line) <= MaxBytes; i++ {
		out.WriteString(strings.Repeat(" ", i) + line)
	}
	return out.String()
}

// shrinking returns lines that are each one sign shorter.
func shrinking(sign, line string) string {
	var out strings.Builder
	for i := 340; i > 0; i-- {
		out.WriteString(strings.Repeat(sign, i) + line)
	}
	return out.String()
}

// Hostile texts are shown like any other. BenchmarkHostile measures their time; without the limits, several of them would exceed
// the test's.
func TestHostile(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			source := text()
			if len(source) > MaxBytes+64 {
				t.Fatalf("%d bytes", len(source))
			}
			check(t, source)
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile {
		source := text()
		for kind, read := range readers {
			b.Run(fmt.Sprintf("%s/%s", name, kind), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					read(source)
				}
			})
		}
	}
}

func BenchmarkQuestion(b *testing.B) {
	source := "Which **database** should the `orders` service use?\n\n- PostgreSQL, as *billing* does\n- SQLite\n\nSee https://example.org/adr/7."
	for b.Loop() {
		Text(source)
	}
}
