package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const methodsHeader = `# Methods and their parameters

<!-- Generated from internal/protocol by tsgen; to change it, change the Go declarations and run: make generate -->

Every method of [the protocol](protocol.md), with what it takes and returns. Types are written as in TypeScript; ` + "`?`" + ` marks a field that may be
absent. A method without a result is a notification.

`

// A reference collects the methods and types of package protocol to write them as Markdown.
type reference struct {
	types   map[string]declared
	methods []method
	codes   map[string]string // constants by their Go names
	linked  []string          // the types that are described, in the order of their first use
}

type declared struct {
	spec   *ast.TypeSpec
	doc    string
	values []string // of a string type
}

type method struct{ name, goName, doc, params, result string }

// methods reads the Go package in dir and returns a page about its methods, without those of a page's host, which travel on no wire.
func methods(dir string) (string, error) {
	files, err := sources(dir)
	if err != nil {
		return "", err
	}
	r := reference{types: map[string]declared{}, codes: map[string]string{}}
	g := generator{values: map[string][]string{}}
	for _, file := range files {
		g.constants(file)
	}
	for _, file := range files {
		if err := r.file(file, g.values); err != nil {
			return "", err
		}
	}
	var page strings.Builder
	page.WriteString(methodsHeader)
	slices.SortStableFunc(r.methods, func(a, b method) int { return cmp.Compare(group(a.name), group(b.name)) })
	last := "none yet"
	for _, m := range r.methods {
		if group(m.name) != last {
			last = group(m.name)
			fmt.Fprintf(&page, "## %s\n\n", cmp.Or(last, "Lifecycle"))
		}
		if err := r.method(&page, m); err != nil {
			return "", fmt.Errorf("%s: %w", m.name, err)
		}
	}
	page.WriteString("## Types\n\n")
	for i := 0; i < len(r.linked); i++ { // describing one may link others
		if err := r.typ(&page, r.linked[i]); err != nil {
			return "", fmt.Errorf("%s: %w", r.linked[i], err)
		}
	}
	return strings.TrimRight(page.String(), "\n") + "\n", nil
}

// group is what a method's name begins with, or empty for those of the lifecycle.
func group(method string) string {
	before, _, found := strings.Cut(method, "/")
	if !found || before == "$" {
		return ""
	}
	return before
}

func (r *reference) file(file *ast.File, values map[string][]string) error {
	for _, decl := range file.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range block.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				r.types[spec.Name.Name] = declared{spec, sentence(spec.Doc, spec.Name.Name), values[spec.Name.Name]}
			case *ast.ValueSpec:
				if block.Tok == token.CONST {
					r.codes[spec.Names[0].Name] = strings.ReplaceAll(exprText(spec.Values[0]), `"`, "`")
				}
				found, err := methodOf(spec)
				if err != nil {
					return err
				}
				if found.name != "" && !strings.HasPrefix(found.name, hostPrefix) {
					r.methods = append(r.methods, found)
				}
			}
		}
	}
	return nil
}

// methodOf reads `X = Request[P, R]{"name"}`. The name is empty for any other variable.
func methodOf(spec *ast.ValueSpec) (m method, err error) {
	if len(spec.Values) != 1 {
		return m, nil
	}
	literal, ok := spec.Values[0].(*ast.CompositeLit)
	if !ok || len(literal.Elts) != 1 {
		return m, nil
	}
	var arguments []ast.Expr
	switch typ := literal.Type.(type) {
	case *ast.IndexExpr:
		arguments = []ast.Expr{typ.Index}
	case *ast.IndexListExpr:
		arguments = typ.Indices
	default:
		return m, nil
	}
	if m.name, err = strconv.Unquote(exprText(literal.Elts[0])); err != nil {
		return m, err
	}
	m.goName = spec.Names[0].Name
	m.doc = sentence(spec.Doc, m.goName)
	if m.params, err = typeText(arguments[0]); err == nil && len(arguments) > 1 {
		m.result, err = typeText(arguments[1])
	}
	return m, err
}

func (r *reference) method(to *strings.Builder, m method) error {
	fmt.Fprintf(to, "### %s\n\n", m.name)
	typ, ok := r.types[m.params]
	if m.doc != "" {
		fmt.Fprintf(to, "%s\n\n", r.prose(m.doc, typ))
	}
	if m.params != scalars["None"] {
		if ok {
			if err := r.fields(to, typ); err != nil {
				return err
			}
		} else {
			fmt.Fprintf(to, "Takes %s.\n\n", r.link(m.params))
		}
	}
	if m.result != "" && m.result != scalars["None"] {
		fmt.Fprintf(to, "Returns %s.\n\n", r.link(m.result))
	}
	return nil
}

func (r *reference) typ(to *strings.Builder, name string) error {
	typ := r.types[name]
	fmt.Fprintf(to, "### %s\n\n", name)
	if scalars["lsp."+name] != "" {
		fmt.Fprintf(to, "As in the Language Server Protocol.\n\n")
		return nil
	}
	if typ.doc != "" {
		fmt.Fprintf(to, "%s\n\n", r.prose(typ.doc, typ))
	}
	return r.fields(to, typ)
}

// fields writes what a type consists of.
func (r *reference) fields(to *strings.Builder, typ declared) error {
	structure, ok := typ.spec.Type.(*ast.StructType)
	if !ok {
		return r.alternatives(to, typ)
	}
	if forms := embedded(structure); len(forms) > 0 {
		for i, form := range forms {
			forms[i] = r.link(form)
		}
		fmt.Fprintf(to, "One of %s.\n\n", strings.Join(forms, ", "))
		return nil
	}
	var rows strings.Builder
	for _, field := range structure.Fields.List {
		if len(field.Names) == 0 { // encoding/json inlines its fields
			fmt.Fprintf(&rows, "| … | | the fields of %s |\n", r.link(exprText(field.Type)))
			continue
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			return err
		}
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		text, err := typeText(field.Type)
		if err != nil {
			return err
		}
		if name == "-" {
			continue
		}
		if strings.Contains(options, "omit") {
			name += "?"
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", name, r.link(text), r.prose(sentence(field.Doc, field.Names[0].Name), typ))
	}
	if rows.Len() > 0 {
		fmt.Fprintf(to, "| field | type | |\n|---|---|---|\n%s\n", rows.String())
	}
	return nil
}

// alternatives writes a type that is no struct.
func (r *reference) alternatives(to *strings.Builder, typ declared) error {
	values := slices.Clone(typ.values)
	for i, value := range values {
		values[i] = "`" + value + "`"
	}
	if base, ok := typ.spec.Type.(*ast.Ident); len(values) == 0 || ok && r.types[base.Name].spec != nil {
		text, err := typeText(typ.spec.Type)
		if err != nil {
			return err
		}
		values = append([]string{r.link(text)}, values...)
	}
	fmt.Fprintf(to, "%s\n\n", strings.Join(values, ", "))
	return nil
}

// link writes a type, and links the one that it names.
func (r *reference) link(typ string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(typ, "Record<string, "), ">")
	name = strings.TrimRight(name, "[]")
	if r.types[name].spec == nil {
		return "`" + strings.ReplaceAll(typ, "|", `\|`) + "`"
	}
	if !slices.Contains(r.linked, name) {
		r.linked = append(r.linked, name)
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

// sentence is a doc comment on one line, without the Go name at its start.
func sentence(doc *ast.CommentGroup, goName string) string {
	text := strings.Join(strings.Fields(doc.Text()), " ")
	if rest, ok := strings.CutPrefix(text, goName+" "); ok {
		text = strings.TrimPrefix(strings.TrimPrefix(rest, "is "), "are ")
	}
	if first, _, _ := strings.Cut(text, " "); text == "" || strings.ContainsAny(strings.TrimRight(first, "."), "/.") {
		return text // it may begin with a media type or an event
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// prose writes a doc comment for Markdown. Methods, values, other types and the fields of the type own are as they are on the wire. A field's
// name begins no sentence, where it could be an English word.
func (r *reference) prose(text string, own declared) string {
	text = strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text)
	fields := wireNames(own)
	var page strings.Builder
	at := 0
	for _, found := range goNames.FindAllStringSubmatchIndex(text, -1) {
		begin, end, name := found[0], found[1], text[found[2]:found[3]]
		wire := r.wire(name)
		switch starts := begin == 0 || strings.HasSuffix(text[:begin], ". "); {
		case found[4] >= 0 && r.types[name].spec != nil:
			wire = r.link(name) + "`." + wireNames(r.types[name])[text[found[4]:found[5]]] + "`"
		case wire == "" && !starts && fields[name] != "":
			wire = "`" + fields[name] + "`"
		case wire == "":
			continue
		}
		page.WriteString(text[at:begin] + wire)
		at = end
	}
	return page.String() + text[at:]
}

// goNames matches words such as Text, QuestionAsk and Inbox.Storage.
var goNames = regexp.MustCompile(`\b([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)

// wire returns a method, a value or a type by its Go name; empty for any other word.
func (r *reference) wire(name string) string {
	for _, m := range r.methods {
		if m.goName == name {
			return "`" + m.name + "`"
		}
	}
	if code, ok := r.codes[name]; ok {
		return code
	}
	if compound.MatchString(name) && r.types[name].spec != nil {
		return r.link(name)
	}
	return ""
}

// compound matches names that are no word of plain English.
var compound = regexp.MustCompile(`[a-z][A-Z]`)

// wireNames maps the Go names of a struct's fields to those in JSON.
func wireNames(typ declared) map[string]string {
	names := map[string]string{}
	if typ.spec == nil {
		return names // the method takes a type of another package
	}
	structure, ok := typ.spec.Type.(*ast.StructType)
	if !ok {
		return names
	}
	for _, field := range structure.Fields.List {
		if len(field.Names) > 0 && field.Tag != nil {
			tag, _ := strconv.Unquote(field.Tag.Value)
			names[field.Names[0].Name], _, _ = strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		}
	}
	return names
}
