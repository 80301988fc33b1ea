package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const header = `// Generated from internal/protocol by tsgen; to change it, change the Go declarations and run: make generate

`

// external writes the types that the protocol takes from the Language Server Protocol.
const external = `/** A document's URI. */
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

`

// scalars maps Go's names, and those of the imported packages, to TypeScript.
var scalars = map[string]string{
	"string": "string", "bool": "boolean", "int": "number", "int64": "number", "float64": "number",
	"json.RawMessage": "unknown", "lsp.DocumentURI": "DocumentURI", "lsp.Location": "Location",
	"lsp.Trace": "Trace", "lsp.ClientInfo": "ClientInfo", "lsp.ID": "number | string",
	"None": "Record<string, never>", "any": "unknown",
}

// generate reads the Go package in dir and returns the TypeScript that declares the same messages.
func generate(dir string) (string, error) {
	files, err := sources(dir)
	if err != nil {
		return "", err
	}
	g := generator{values: map[string][]string{}}
	for _, file := range files {
		g.constants(file)
	}
	for _, file := range files {
		if err := g.file(file); err != nil {
			return "", err
		}
	}
	host := "/** What a page asks of its host. */\nexport interface Host {\n" + g.host.String() + "}\n\n"
	return header + external + g.types.String() + host + g.methods.String() + g.lists.String(), nil
}

// sources reads the package protocol in dir: its files in the order of their names, with the declarations of package question that
// it refers to.
func sources(dir string) ([]*ast.File, error) {
	files, err := parse(dir, "protocol")
	if err != nil {
		return nil, err
	}
	model, err := parse(filepath.Join(dir, "../question"), "question")
	if err != nil {
		return nil, err
	}
	declared := map[string]ast.Spec{}
	for spec := range specs(model) {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			declared[spec.Name.Name] = spec
		case *ast.ValueSpec:
			declared[spec.Names[0].Name] = spec
		}
	}
	here := map[string]*ast.Ident{} // the names of its types in package protocol
	for spec := range specs(files) {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if from, ok := declared[ofModel(spec.Type)].(*ast.TypeSpec); ok {
				here[from.Name.Name] = spec.Name
				spec.Type, spec.Assign, spec.Doc = from.Type, token.NoPos, renamed(from, spec.Name.Name)
			}
		case *ast.ValueSpec:
			if from, ok := declared[ofModel(slices.Concat(spec.Values, []ast.Expr{nil})[0])].(*ast.ValueSpec); ok {
				spec.Type, spec.Values = here[exprText(from.Type)], from.Values
			}
		}
	}
	return files, nil
}

// specs returns all declarations. The comment of a group with a single one is that one's.
func specs(files []*ast.File) iter.Seq[ast.Spec] {
	return func(yield func(ast.Spec) bool) {
		for _, file := range files {
			for _, decl := range file.Decls {
				group, ok := decl.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, spec := range group.Specs {
					if !group.Lparen.IsValid() {
						switch spec := spec.(type) {
						case *ast.TypeSpec:
							spec.Doc = group.Doc
						case *ast.ValueSpec:
							spec.Doc = group.Doc
						}
					}
					if !yield(spec) {
						return
					}
				}
			}
		}
	}
}

// renamed returns a type's comment for its name in package protocol.
func renamed(from *ast.TypeSpec, name string) *ast.CommentGroup {
	text, ok := strings.CutPrefix(from.Doc.Text(), from.Name.Name+" ")
	if !ok {
		return from.Doc
	}
	text = "// " + strings.ReplaceAll(strings.TrimSpace(name+" "+text), "\n", "\n// ")
	return &ast.CommentGroup{List: []*ast.Comment{{Text: text}}}
}

// ofModel returns the name of a declaration of package question; empty for any other expression.
func ofModel(expr ast.Expr) string {
	name, _ := strings.CutPrefix(exprText(expr), "question.")
	if name == exprText(expr) {
		return ""
	}
	return name
}

// parse reads a package in dir.
func parse(dir, name string) ([]*ast.File, error) {
	packages, err := parser.ParseDir(token.NewFileSet(), dir, noTests, parser.ParseComments) //nolint:staticcheck // one folder without build tags
	if err != nil {
		return nil, err
	}
	source, ok := packages[name]
	if !ok {
		return nil, fmt.Errorf("no package %s in %s", name, dir)
	}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(source.Files)) {
		files = append(files, source.Files[name])
	}
	return files, nil
}

func noTests(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }

type generator struct {
	values         map[string][]string // the literals of each string type
	types, methods strings.Builder
	lists          strings.Builder // of methods, written last
	host           strings.Builder // the methods of a page's host
}

// constants collects the constants of every string type, which become a union, and writes the numbers.
func (g *generator) constants(file *ast.File) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			literal := exprText(value.Values[0])
			if named, ok := value.Type.(*ast.Ident); ok {
				g.values[named.Name] = append(g.values[named.Name], literal)
				continue
			}
			doc := value.Doc
			if doc == nil {
				doc = group.Doc
			}
			comment(&g.methods, doc, value.Names[0].Name, "", "")
			fmt.Fprintf(&g.methods, "export const %s = %s;\n\n", value.Names[0].Name, literal)
		}
	}
}

func (g *generator) file(file *ast.File) error {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if err := g.typeSpec(spec, spec.Doc); err != nil {
					return err
				}
			case *ast.ValueSpec:
				if group.Tok == token.VAR && spec.Names[0].IsExported() {
					write := g.method
					if isList(spec) {
						write = g.list
					}
					if err := write(spec); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (g *generator) typeSpec(spec *ast.TypeSpec, doc *ast.CommentGroup) error {
	name := spec.Name.Name
	if spec.TypeParams != nil || scalars[name] != "" || scalars["lsp."+name] != "" {
		return nil // the descriptors themselves, and names that are the Language Server Protocol's
	}
	comment(&g.types, doc, name, "", "")
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		if forms := embedded(typ); len(forms) > 0 {
			fmt.Fprintf(&g.types, "export type %s = %s;\n\n", name, strings.Join(forms, " | "))
			return nil
		}
		fmt.Fprintf(&g.types, "export interface %s%s {\n", name, extends(typ))
		for _, field := range typ.Fields.List {
			if len(field.Names) == 0 {
				continue // handled by extends
			}
			if err := g.field(field); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		g.types.WriteString("}\n\n")
	case *ast.StarExpr:
		fmt.Fprintf(&g.types, "export type %s = %s | null;\n\n", name, exprText(typ.X))
	case *ast.Ident:
		union := strings.Join(g.values[name], " | ")
		switch {
		case union == "":
			union = scalars[typ.Name]
		case spec.Assign.IsValid(): // an alias: the values of the other type and its own
			union = typ.Name + " | " + union
		}
		fmt.Fprintf(&g.types, "export type %s = %s;\n\n", name, union)
	default:
		return fmt.Errorf("type %s: no TypeScript for %T", name, typ)
	}
	return nil
}

// extends returns the structs that a struct embeds by value: encoding/json inlines their fields.
func extends(typ *ast.StructType) string {
	var bases []string
	for _, field := range typ.Fields.List {
		if base, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 {
			bases = append(bases, base.Name)
		}
	}
	if len(bases) == 0 {
		return ""
	}
	return " extends " + strings.Join(bases, ", ")
}

// embedded returns the forms of a struct that only embeds pointers, which is one of several.
func embedded(typ *ast.StructType) []string {
	var forms []string
	for _, field := range typ.Fields.List {
		pointer, ok := field.Type.(*ast.StarExpr)
		if !ok || len(field.Names) > 0 {
			return nil
		}
		forms = append(forms, exprText(pointer.X))
	}
	return forms
}

func (g *generator) field(field *ast.Field) error {
	if field.Tag == nil || len(field.Names) != 1 {
		return fmt.Errorf("a field needs one name and a json tag")
	}
	tag, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return err
	}
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "-" {
		return nil
	}
	typ, err := typeText(field.Type)
	if err != nil {
		return fmt.Errorf("field %s: %w", name, err)
	}
	optional := ""
	if strings.Contains(options, "omit") {
		optional = "?"
	}
	comment(&g.types, field.Doc, field.Names[0].Name, name, "  ")
	fmt.Fprintf(&g.types, "  %s%s: %s;\n", name, optional, typ)
	return nil
}

// method writes one descriptor, `var X = Request[P, R]{"name"}`, as a constant of the same kind.
func (g *generator) method(spec *ast.ValueSpec) error {
	name := spec.Names[0].Name
	m, err := methodOf(spec)
	if err != nil || m.name == "" {
		return fmt.Errorf("%s is no method: %w", name, err)
	}
	if method, ok := strings.CutPrefix(m.name, hostPrefix); ok && m.result != "" {
		if m.result == scalars["None"] {
			m.result = "void"
		}
		comment(&g.host, spec.Doc, name, method, "  ")
		fmt.Fprintf(&g.host, "  %s(params: %s): Promise<%s>;\n", method, m.params, m.result)
		return nil
	}
	kind := "Notification<" + m.params + ">"
	if m.result != "" {
		kind = "Request<" + m.params + ", " + m.result + ">"
	}
	if len(g.values["methods"]) == 0 {
		g.values["methods"] = []string{name}
		g.methods.WriteString(`/** A method that is answered. P and R are its params and its result. */
export interface Request<P, R> {
  readonly method: string;
  readonly __types?: (params: P) => R;
}

/** A method without an answer. */
export interface Notification<P> {
  readonly method: string;
  readonly __types?: (params: P) => void;
}

`)
	}
	comment(&g.methods, spec.Doc, name, lowerFirst(name), "")
	fmt.Fprintf(&g.methods, "export const %s = { method: %q } as %s;\n\n", lowerFirst(name), m.name, kind)
	return nil
}

// hostPrefix is the prefix of the methods of a page's host.
const hostPrefix = "host/"

func isList(spec *ast.ValueSpec) bool {
	literal, ok := spec.Values[0].(*ast.CompositeLit)
	if !ok {
		return false
	}
	_, ok = literal.Type.(*ast.ArrayType)
	return ok
}

// list writes a list of methods, `var X = []string{A.Method, B.Method}`, as a set of their names.
func (g *generator) list(spec *ast.ValueSpec) error {
	name := spec.Names[0].Name
	comment(&g.lists, spec.Doc, name, lowerFirst(name), "")
	fmt.Fprintf(&g.lists, "export const %s: ReadonlySet<string> = new Set([\n", lowerFirst(name))
	for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
		selector, ok := element.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "Method" {
			return fmt.Errorf("%s lists what is no method", name)
		}
		fmt.Fprintf(&g.lists, "  %s.method,\n", lowerFirst(exprText(selector.X)))
	}
	g.lists.WriteString("]);\n\n")
	return nil
}

func typeText(expr ast.Expr) (string, error) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return typeText(expr.X)
	case *ast.ArrayType:
		element, err := typeText(expr.Elt)
		return element + "[]", err
	case *ast.MapType:
		value, err := typeText(expr.Value)
		return "Record<string, " + value + ">", err
	case *ast.Ident, *ast.SelectorExpr:
		name := exprText(expr)
		if scalar, ok := scalars[name]; ok {
			return scalar, nil
		}
		if strings.Contains(name, ".") || !ast.IsExported(name) {
			return "", fmt.Errorf("no TypeScript for %s", name)
		}
		return name, nil
	default:
		return "", fmt.Errorf("no TypeScript for %T", expr)
	}
}

func exprText(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.SelectorExpr:
		return exprText(expr.X) + "." + expr.Sel.Name
	case *ast.BasicLit:
		return expr.Value
	case *ast.UnaryExpr:
		return expr.Op.String() + exprText(expr.X)
	default:
		return fmt.Sprintf("%T", expr)
	}
}

// comment writes a Go doc comment as JSDoc, with the Go name at its start replaced by the TypeScript name.
func comment(to *strings.Builder, doc *ast.CommentGroup, goName, tsName, indent string) {
	text := strings.TrimSpace(doc.Text())
	if text == "" {
		return
	}
	if tsName != "" && strings.HasPrefix(text, goName+" ") {
		text = tsName + strings.TrimPrefix(text, goName)
	}
	lines := strings.Split(text, "\n")
	if len(lines) == 1 {
		fmt.Fprintf(to, "%s/** %s */\n", indent, lines[0])
		return
	}
	fmt.Fprintf(to, "%s/**\n", indent)
	for _, line := range lines {
		fmt.Fprintf(to, "%s\n", strings.TrimRight(indent+" * "+line, " "))
	}
	fmt.Fprintf(to, "%s */\n", indent)
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
