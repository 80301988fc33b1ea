package main

import (
	"fmt"
	"strings"
)

// typeScriptHeader has the types that the protocol takes from the Language Server Protocol.
const typeScriptHeader = `// Generated from internal/protocol by gen; to change it, change the Go declarations and run: make generate

/** A document's URI. */
export type DocumentURI = string;

/** A place between two characters, both counted from 0; characters are UTF-16 code units. */
export interface Position {
  line: number;
  character: number;
}

/** A stretch of a document; its end is exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/** A place in a document of the editor's. */
export interface Location {
  uri: DocumentURI;
  range: Range;
}

/** How much of the traffic is logged. */
export type Trace = "off" | "messages" | "verbose";

/** Names the editor. */
export interface ClientInfo {
  name?: string;
  version?: string;
}

/** A method that is answered. P and R are its params and its result. */
export interface Request<P, R> {
  readonly method: string;
  readonly __types?: (params: P) => R;
}

/** A method without an answer. */
export interface Notification<P> {
  readonly method: string;
  readonly __types?: (params: P) => void;
}

`

// typeScript returns the declarations of the same messages in TypeScript.
func (p *declarations) typeScript() string {
	var text strings.Builder
	text.WriteString(typeScriptHeader)
	for _, d := range p.types {
		if d.external {
			continue
		}
		d.comment(&text, "", "")
		if len(d.alternatives) > 0 {
			fmt.Fprintf(&text, "export type %s = %s;\n\n", d.name, strings.Join(d.alternatives, " | "))
			continue
		}
		extends := ""
		if len(d.bases) > 0 {
			extends = " extends " + strings.Join(d.bases, ", ")
		}
		fmt.Fprintf(&text, "export interface %s%s {\n", d.name, extends)
		for _, f := range d.fields {
			f.comment(&text, f.key, "  ")
			fmt.Fprintf(&text, "  %s: %s;\n", f.label(), f.text)
		}
		text.WriteString("}\n\n")
	}
	text.WriteString("/** What a page asks of its host. */\nexport interface Host {\n")
	for _, m := range p.methods {
		if m.ofHost() && m.result != "" {
			name := strings.TrimPrefix(m.text, hostPrefix)
			m.comment(&text, name, "  ")
			fmt.Fprintf(&text, "  %s(params: %s): Promise<%s>;\n", name, m.params, strings.Replace(m.result, none, "void", 1))
		}
	}
	text.WriteString("}\n\n")
	for _, n := range p.numbers {
		n.comment(&text, "", "")
		fmt.Fprintf(&text, "export const %s = %s;\n\n", n.name, n.text)
	}
	for _, m := range p.methods {
		kind := "Notification<" + m.params + ">"
		if m.result != "" {
			kind = "Request<" + m.params + ", " + m.result + ">"
		}
		if !m.ofHost() || m.result == "" {
			m.comment(&text, lowerFirst(m.name), "")
			fmt.Fprintf(&text, "export const %s = { method: %q } as %s;\n\n", lowerFirst(m.name), m.text, kind)
		}
	}
	for _, l := range p.lists {
		l.comment(&text, lowerFirst(l.name), "")
		fmt.Fprintf(&text, "export const %s: ReadonlySet<string> = new Set([\n", lowerFirst(l.name))
		for _, m := range l.methods {
			fmt.Fprintf(&text, "  %s.method,\n", lowerFirst(m))
		}
		text.WriteString("]);\n\n")
	}
	return text.String()
}

// hostPrefix is the prefix of the methods of a page's host.
const hostPrefix = "host/"

func (m method) ofHost() bool { return strings.HasPrefix(m.text, hostPrefix) }

// label returns the field's name in JSON, with a question mark if it may be absent.
func (f field) label() string {
	if f.optional {
		return f.key + "?"
	}
	return f.key
}

// comment writes the doc comment as JSDoc, with the Go name at its start replaced by the TypeScript name.
func (d documented) comment(to *strings.Builder, name, indent string) {
	text := strings.TrimSpace(d.doc)
	if rest, ok := strings.CutPrefix(text, d.name+" "); ok && name != "" {
		text = name + " " + rest
	}
	switch lines := strings.Split(text, "\n"); {
	case text == "":
	case len(lines) == 1:
		fmt.Fprintf(to, "%s/** %s */\n", indent, text)
	default:
		fmt.Fprintf(to, "%s/**\n", indent)
		for _, line := range lines {
			fmt.Fprintf(to, "%s\n", strings.TrimRight(indent+" * "+line, " "))
		}
		fmt.Fprintf(to, "%s */\n", indent)
	}
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
