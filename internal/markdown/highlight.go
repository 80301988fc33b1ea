package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/protocol"
)

// maxTokens is how many tokens of a text are highlighted. Later code has no colours, which limits the nodes of hostile code in
// proportion to its text.
const maxTokens = 3000

// A grammar describes only the comments, strings and keywords of a language: complete grammars, such as those of
// github.com/alecthomas/chroma, would add an eighth to the size of the packages.
type grammar struct {
	// line begins a comment that lasts to the end of its line.
	line string
	// open and end delimit a comment.
	open, end string
	// quotes are the delimiters of strings on one line, multiline those of strings on several.
	quotes, multiline string
	// keywords are separated by spaces. If caseless, they are in lower case and match any case.
	keywords string
	caseless bool
}

const (
	cWords    = " if else for while do switch case default break continue return true false "
	jsonWords = " true false null "
	jsWords   = cWords + "const let var function class extends new this super import export from as async await yield typeof " +
		"instanceof in of try catch finally throw delete void null undefined interface type enum implements private public " +
		"protected readonly static abstract declare namespace satisfies keyof "
	javaWords = cWords + "abstract class const enum extends final finally implements import instanceof int interface long " +
		"new null package private protected public static super synchronized this throw throws try catch void var val fun " +
		"boolean bool char double float short byte string object override sealed using namespace when is in as async await " +
		"let struct unsigned signed typedef sizeof union extern auto template typename virtual nullptr func guard self "
	shellWords = " if then else elif fi for while until do done case esac in function return exit local export readonly set " +
		"unset shift trap true false "
)

var (
	cLike = grammar{line: "//", open: "/*", end: "*/", quotes: `"'`, keywords: javaWords}
	js    = grammar{line: "//", open: "/*", end: "*/", quotes: `"'`, multiline: "`", keywords: jsWords}
	shell = grammar{line: "#", quotes: "", multiline: `"'`, keywords: shellWords}
	conf  = grammar{line: "#", quotes: `"'`, keywords: " true false null yes no on off "}
	mark  = grammar{open: "<!--", end: "-->", quotes: `"`}

	grammars = map[string]grammar{
		"c": cLike, "h": cLike, "cc": cLike, "cpp": cLike, "c++": cLike, "cs": cLike, "csharp": cLike, "c#": cLike,
		"java": cLike, "kotlin": cLike, "kt": cLike, "swift": cLike, "scala": cLike, "dart": cLike, "php": cLike, "proto": cLike,
		"css": {open: "/*", end: "*/", quotes: `"'`}, "scss": {line: "//", open: "/*", end: "*/", quotes: `"'`},
		"go": {line: "//", open: "/*", end: "*/", quotes: `"'`, multiline: "`", keywords: cWords + "func package import var const " +
			"type struct interface map chan go defer select range fallthrough goto nil iota any error "},
		"rust": {line: "//", open: "/*", end: "*/", quotes: `"`, keywords: cWords + "fn let mut pub use mod struct enum impl trait " +
			"match loop move ref self Self super crate where async await dyn unsafe const static type as in extern "},
		"js": js, "javascript": js, "jsx": js, "mjs": js, "ts": js, "typescript": js, "tsx": js, "vue": js, "svelte": js,
		"json":  {quotes: `"`, keywords: jsonWords},
		"jsonc": {line: "//", open: "/*", end: "*/", quotes: `"`, keywords: jsonWords},
		"python": {line: "#", quotes: `"'`, keywords: " False None True and as assert async await break class continue def del " +
			"elif else except finally for from global if import in is lambda match nonlocal not or pass raise " +
			"return self try while with yield "},
		"ruby": {line: "#", quotes: `"'`, keywords: " begin break case class def do else elsif end ensure false for if in module " +
			"next nil not or and redo require rescue retry return self super then true unless until when while yield "},
		"sh": shell, "bash": shell, "shell": shell, "zsh": shell, "console": shell, "fish": shell, "make": shell,
		"makefile": shell, "dockerfile": conf,
		"yaml": conf, "yml": conf, "toml": conf, "ini": conf, "hcl": conf, "terraform": conf, "properties": conf, "nginx": conf,
		"sql": {line: "--", open: "/*", end: "*/", multiline: "'", caseless: true, keywords: " select from where and or not insert " +
			"into values update set delete create table alter drop add column index view primary key foreign references unique default " +
			"null is in as on join left right inner outer full cross group by order having limit offset union all distinct case when " +
			"then else end begin commit rollback grant revoke to with exists between like constraint cascade truncate if "},
		"lua":  {line: "--", quotes: `"'`, keywords: cWords + "local function end then elseif repeat until nil and or not in "},
		"html": mark, "xml": mark, "svg": mark,
	}
)

func init() {
	for alias, name := range map[string]string{"py": "python", "rb": "ruby", "rs": "rust", "golang": "go"} {
		grammars[alias] = grammars[name]
	}
}

// highlighted writes code with its tokens as elements. It writes every character, in order.
func (w *writer) highlighted(language, code string) {
	language = strings.ToLower(language)
	if language == "diff" || language == "patch" || language == "" && isDiff(code) {
		w.diff(code)
		return
	}
	g, ok := grammars[language]
	if !ok {
		w.put(verbatim(code)...)
		return
	}
	plain := 0 // the start of the text that has not been written yet
	for at := 0; at < len(code) && w.tokens < maxTokens; {
		kind, size := g.token(code, at)
		if kind != "" {
			w.put(verbatim(code[plain:at])...)
			w.token(kind, code[at:at+size])
			plain = at + size
		}
		at += size
	}
	w.put(verbatim(code[plain:])...)
}

// token writes one token.
func (w *writer) token(kind protocol.MarkdownKind, text string) {
	w.tokens++
	w.of(kind, func() { w.put(verbatim(text)...) })
}

// token returns the kind and length of the token at an offset outside tokens; kind is "" if there is none.
func (g grammar) token(code string, at int) (kind protocol.MarkdownKind, size int) {
	rest := code[at:]
	c, width := utf8.DecodeRuneInString(rest)
	before, _ := utf8.DecodeLastRuneInString(code[:at])
	switch {
	case g.open != "" && strings.HasPrefix(rest, g.open):
		return protocol.MarkdownComment, through(rest, len(g.open), g.end)
	case g.line != "" && strings.HasPrefix(rest, g.line) && (g.line != "#" || at == 0 || unicode.IsSpace(before)):
		return protocol.MarkdownComment, lineOf(rest)
	case strings.ContainsRune(g.quotes, c):
		if tripled := strings.Repeat(rest[:1], 3); g.line == "#" && strings.HasPrefix(rest, tripled) {
			return protocol.MarkdownString, through(rest, 3, tripled)
		}
		return quoted(rest, false)
	case strings.ContainsRune(g.multiline, c):
		return quoted(rest, true)
	case isWord(c):
		word := rest[:wordOf(rest)]
		switch {
		case c >= '0' && c <= '9':
			return protocol.MarkdownNumber, len(word)
		case g.isKeyword(word):
			return protocol.MarkdownKeyword, len(word)
		}
		return "", len(word)
	}
	return "", width
}

func (g grammar) isKeyword(word string) bool {
	if g.caseless {
		word = strings.ToLower(word)
	}
	return len(word) < 16 && strings.Contains(g.keywords, " "+word+" ")
}

// through returns the length of s up to and including the end mark, searched from an offset, or the length of s if there is none.
func through(s string, from int, end string) int {
	_, rest, _ := strings.Cut(s[from:], end)
	return len(s) - len(rest)
}

// lineOf returns the length of the first line of s without its line break.
func lineOf(s string) int {
	line, _, _ := strings.Cut(s, "\n")
	return len(line)
}

// quoted parses a string at the start of s. Without a closing quote, the searched text is plain text, as after an apostrophe, so
// that nothing is searched twice.
func quoted(s string, multiline bool) (protocol.MarkdownKind, int) {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return protocol.MarkdownString, i + 1
		case s[i] == '\n' && !multiline:
			return "", i
		}
	}
	return "", len(s)
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordOf returns the length of the word or number at the beginning of s.
func wordOf(s string) int {
	isNumber := s[0] >= '0' && s[0] <= '9'
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return isWord(r) || isNumber && r == '.' }))
}

// isDiff reports whether code without a language is a diff: it has a hunk's header, and added or removed lines.
func isDiff(code string) bool {
	changed := strings.Contains(code, "\n+") || strings.Contains(code, "\n-")
	return changed && (strings.HasPrefix(code, "@@ -") || strings.Contains(code, "\n@@ -"))
}

// diff writes the lines of a unified diff.
func (w *writer) diff(code string) {
	for line := range strings.Lines(code) {
		if kind := diffKind(line); kind != "" && w.tokens < maxTokens {
			text := strings.TrimSuffix(line, "\n")
			w.token(kind, text)
			line = line[len(text):]
		}
		w.put(verbatim(line)...)
	}
}

// diffKinds are the kinds of a diff's lines by their prefixes. The first match counts.
var diffKinds = []struct {
	start string
	kind  protocol.MarkdownKind
}{
	{"+++ ", protocol.MarkdownHunk}, {"--- ", protocol.MarkdownHunk}, {"@@", protocol.MarkdownHunk}, {"diff ", protocol.MarkdownHunk},
	{"index ", protocol.MarkdownHunk}, {"+", protocol.MarkdownInserted}, {"-", protocol.MarkdownRemoved},
}

func diffKind(line string) protocol.MarkdownKind {
	for _, known := range diffKinds {
		if strings.HasPrefix(line, known.start) {
			return known.kind
		}
	}
	return ""
}
