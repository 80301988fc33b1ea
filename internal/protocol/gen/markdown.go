package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const markdownHeader = `# Methods and their parameters

<!-- Generated from internal/protocol by gen; to change it, change the Go declarations and run: make generate -->

Every method of [the protocol](protocol.md), with what it takes and returns. Types are written as in TypeScript; ` + "`?`" + ` marks a field that may be
absent. A method without a result is a notification.

`

// page is the page about the methods while it is being written.
type page struct {
	*declarations
	strings.Builder
	linked []string // the types to describe, in the order of their first use
}

// markdown returns a page about the methods, without those of a page's host, which are not sent to the sidecar.
func (p *declarations) markdown() string {
	to := page{declarations: p}
	to.WriteString(markdownHeader)
	methods := slices.DeleteFunc(slices.Clone(p.methods), method.ofHost)
	slices.SortStableFunc(methods, func(a, b method) int { return cmp.Compare(a.group(), b.group()) })
	last := "none yet"
	for _, m := range methods {
		if m.group() != last {
			last = m.group()
			fmt.Fprintf(&to, "## %s\n\n", cmp.Or(last, "Lifecycle"))
		}
		d := p.find(m.params)
		to.heading(m.text, m.documented, d)
		if d != nil {
			to.describe(*d)
		} else if m.params != none {
			fmt.Fprintf(&to, "Takes %s.\n\n", to.link(m.params))
		}
		if m.result != "" && m.result != none {
			fmt.Fprintf(&to, "Returns %s.\n\n", to.link(m.result))
		}
	}
	to.WriteString("## Types\n\n")
	for i := 0; i < len(to.linked); i++ { // a description may link further types
		d := p.find(to.linked[i])
		to.heading(d.name, d.documented, d)
		to.describe(*d)
	}
	return strings.TrimRight(to.String(), "\n") + "\n"
}

// group returns the prefix of a method's name, or nothing for lifecycle methods.
func (m method) group() string {
	before, _, found := strings.Cut(m.text, "/")
	if !found || before == "$" {
		return ""
	}
	return before
}

// find returns a type by its name; nil if there is none.
func (p *declarations) find(name string) *declaration {
	if at := slices.IndexFunc(p.types, func(d declaration) bool { return d.name == name }); at >= 0 {
		return &p.types[at]
	}
	return nil
}

func (to *page) heading(title string, of documented, own *declaration) {
	fmt.Fprintf(to, "### %s\n\n", title)
	if doc := to.prose(of.sentence(), own); doc != "" {
		fmt.Fprintf(to, "%s\n\n", doc)
	}
}

// describe writes the fields or values of a type.
func (to *page) describe(d declaration) {
	if len(d.alternatives) > 0 {
		links := make([]string, len(d.alternatives))
		for i, one := range d.alternatives {
			links[i] = to.link(one)
		}
		if len(links) > 1 {
			to.WriteString("One of ")
		}
		fmt.Fprintf(to, "%s.\n\n", strings.Join(links, ", "))
		return
	}
	if len(d.bases)+len(d.fields) == 0 {
		return
	}
	to.WriteString("| field | type | |\n|---|---|---|\n")
	for _, base := range d.bases {
		fmt.Fprintf(to, "| … | | the fields of %s |\n", to.link(base))
	}
	for _, f := range d.fields {
		fmt.Fprintf(to, "| `%s` | %s | %s |\n", f.label(), to.link(f.text), to.prose(f.sentence(), &d))
	}
	to.WriteString("\n")
}

// link writes a type, with a link to the declaration that it names.
func (to *page) link(typ string) string {
	name := strings.TrimRight(strings.TrimSuffix(strings.TrimPrefix(typ, "Record<string, "), ">"), "[]")
	if to.find(name) == nil {
		return "`" + strings.ReplaceAll(typ, "|", `\|`) + "`"
	}
	if !slices.Contains(to.linked, name) {
		to.linked = append(to.linked, name)
	}
	before, after, _ := strings.Cut(typ, name)
	anchor := fmt.Sprintf("[`%s`](#%s)", name, strings.ToLower(name))
	for _, part := range []*string{&before, &after} {
		if *part != "" {
			*part = "`" + *part + "`"
		}
	}
	return before + anchor + after
}

// sentence returns the doc comment on one line, without the Go name at its start.
func (d documented) sentence() string {
	text := strings.Join(strings.Fields(d.doc), " ")
	if rest, ok := strings.CutPrefix(text, d.name+" "); ok {
		text = strings.TrimPrefix(strings.TrimPrefix(rest, "is "), "are ")
	}
	if first, _, _ := strings.Cut(text, " "); text == "" || strings.ContainsAny(strings.TrimRight(first, ".:"), "/.:") {
		return text // the comment may begin with a media type, an event or an address
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// prose returns a doc comment for Markdown. It replaces the Go names of methods, values, other types and the fields of type own
// by their names on the wire. It keeps a field's name at the start of a sentence, where it could be an English word.
func (to *page) prose(text string, own *declaration) string {
	text = strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text)
	var line strings.Builder
	at := 0
	for _, found := range goNames.FindAllStringSubmatchIndex(text, -1) {
		begin, end, name := found[0], found[1], text[found[2]:found[3]]
		written := to.written(name)
		switch starts := begin == 0 || strings.HasSuffix(text[:begin], ". "); {
		case found[4] >= 0 && to.find(name) != nil:
			written = to.link(name) + "`." + to.find(name).key(text[found[4]:found[5]]) + "`"
		case written == "" && !starts && own.key(name) != "":
			written = "`" + own.key(name) + "`"
		case written == "":
			continue
		}
		line.WriteString(text[at:begin] + written)
		at = end
	}
	return line.String() + text[at:]
}

// goNames matches words such as Text, QuestionAsk and Inbox.Storage.
var goNames = regexp.MustCompile(`\b([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)

// written returns the name on the wire of a method, a value or a type; empty for any other word.
func (to *page) written(name string) string {
	for _, m := range to.methods {
		if m.name == name && !m.ofHost() {
			return "`" + m.text + "`"
		}
	}
	if value, ok := to.wire[name]; ok {
		return strings.ReplaceAll(value, `"`, "`")
	}
	if compound.MatchString(name) && to.find(name) != nil {
		return to.link(name)
	}
	return ""
}

// compound matches names that are not English words.
var compound = regexp.MustCompile(`[a-z][A-Z]`)

// key returns a field's name in JSON; empty if the type has no such field.
func (d *declaration) key(name string) string {
	if d != nil {
		for _, f := range d.fields {
			if f.name == name {
				return f.key
			}
		}
	}
	return ""
}
