package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/packages"
)

// declarations are the declarations of package protocol, in the order of its files. Types are written as in TypeScript.
type declarations struct {
	types   []declaration
	numbers []documented // constants without a type of their own
	methods []method
	lists   []list

	info    *types.Info
	docs    map[token.Pos]string         // comments by the position of the declared name
	wire    map[string]string            // constants by their names
	names   map[*types.TypeName]string   // of the types of package protocol, including those that package question declares
	values  map[*types.TypeName][]string // the values of each string type
	problem error                        // the first unsupported declaration
}

// documented is a name with its doc comment.
type documented struct{ name, doc, text string }

// declaration is a type: a struct, or one of several alternatives.
type declaration struct {
	documented
	bases        []string // structs whose fields encoding/json inlines
	fields       []field
	alternatives []string
	external     bool // it belongs to the Language Server Protocol
}

// field is a field of a struct. Its text is its type.
type field struct {
	documented
	key      string // its name in JSON
	optional bool
	typ      types.Type
}

// method is a request, or a notification if it has no result. Its text is the method's name on the wire.
type method struct {
	documented
	params, result string
}

// list is a list of names of methods.
type list struct {
	documented
	methods []string
}

// load reads package protocol in dir.
func load(dir string) (*declarations, error) {
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadSyntax}, ".", "../question")
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, fmt.Errorf("could not load package protocol")
	}
	p := &declarations{docs: map[token.Pos]string{}, wire: map[string]string{}, names: map[*types.TypeName]string{}, values: map[*types.TypeName][]string{}}
	var specs []ast.Spec // of package protocol
	for _, from := range loaded {
		for _, file := range from.Syntax {
			for _, decl := range file.Decls {
				if group, ok := decl.(*ast.GenDecl); ok && group.Tok != token.IMPORT {
					p.comments(group)
					if from.Name == "protocol" {
						p.info, specs = from.TypesInfo, append(specs, group.Specs...)
					}
				}
			}
		}
	}
	for _, spec := range specs {
		p.name(spec)
	}
	for _, spec := range specs {
		p.add(spec)
	}
	return p, p.problem
}

// comments records the comments of a group and its fields. A declaration without a group has the group's comment.
func (p *declarations) comments(group *ast.GenDecl) {
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			p.docs[spec.Name.Pos()] = cmp.Or(spec.Doc, group.Doc).Text()
			ast.Inspect(spec, func(node ast.Node) bool {
				if field, ok := node.(*ast.Field); ok && len(field.Names) > 0 {
					p.docs[field.Names[0].Pos()] = field.Doc.Text()
				}
				return true
			})
		case *ast.ValueSpec:
			if p.docs[spec.Names[0].Pos()] = spec.Doc.Text(); !group.Lparen.IsValid() {
				p.docs[spec.Names[0].Pos()] = group.Doc.Text()
			}
		}
	}
}

// name records the names of types, and the values of string types.
func (p *declarations) name(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		name := p.info.Defs[spec.Name].(*types.TypeName)
		p.names[name] = name.Name()
		if alias, ok := name.Type().(*types.Alias); ok {
			if of, ok := alias.Rhs().(*types.Named); ok {
				p.names[of.Obj()] = name.Name()
			}
		}
	case *ast.ValueSpec:
		if value, ok := p.info.Defs[spec.Names[0]].(*types.Const); ok && typeName(value.Type()) != nil {
			of := typeName(value.Type())
			p.values[of] = append(p.values[of], value.Val().ExactString())
		}
	}
}

// typeName returns the name of a type; nil if it has none.
func typeName(t types.Type) *types.TypeName {
	switch t := t.(type) {
	case *types.Alias:
		return t.Obj()
	case *types.Named:
		return t.Obj()
	}
	return nil
}

func (p *declarations) add(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		name := p.info.Defs[spec.Name].(*types.TypeName)
		switch other, special := others[qualified(name)]; {
		case other == name.Name():
			p.types = append(p.types, declaration{documented: documented{name: other, doc: "As in the Language Server Protocol."}, external: true})
		case !special && spec.TypeParams == nil:
			p.types = append(p.types, p.declare(name))
		}
	case *ast.ValueSpec:
		object := p.info.Defs[spec.Names[0]]
		of := documented{name: object.Name(), doc: p.docs[object.Pos()]}
		switch object := object.(type) {
		case *types.Const:
			p.wire[of.name] = object.Val().ExactString()
			if typeName(object.Type()) == nil {
				of.text = object.Val().ExactString()
				p.numbers = append(p.numbers, of)
			}
		case *types.Var:
			if literal, ok := spec.Values[0].(*ast.CompositeLit); ok && object.Exported() {
				p.variable(of, object.Type(), literal.Elts)
			}
		}
	}
}

// variable adds `X = Request[P, R]{"name"}`, or a list `X = []string{A.Method, B.Method}`.
func (p *declarations) variable(of documented, t types.Type, elements []ast.Expr) {
	if typ, ok := t.(*types.Named); ok && typ.TypeArgs() != nil {
		of.text = constant.StringVal(p.info.Types[elements[0]].Value)
		m := method{documented: of, params: p.text(typ.TypeArgs().At(0))}
		if typ.TypeArgs().Len() > 1 {
			m.result = p.text(typ.TypeArgs().At(1))
		}
		p.methods = append(p.methods, m)
		return
	}
	l := list{documented: of}
	for _, element := range elements {
		selector, ok := element.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "Method" {
			p.fail("%s does not list methods", of.name)
			return
		}
		l.methods = append(l.methods, types.ExprString(selector.X))
	}
	p.lists = append(p.lists, l)
}

// declare returns the declaration of a type of package protocol, which may be an alias of one in package question.
func (p *declarations) declare(name *types.TypeName) declaration {
	d := declaration{documented: documented{name: name.Name(), doc: p.docs[name.Pos()]}}
	t := name.Type()
	if alias, ok := t.(*types.Alias); ok {
		switch t = alias.Rhs(); t.(type) {
		case *types.Pointer:
			d.alternatives = []string{p.text(t), "null"}
			return d
		case *types.Alias: // the values of both types
			d.alternatives = append([]string{p.text(t)}, p.values[name]...)
			return d
		}
		d.doc = p.docs[typeName(t).Pos()]
		if rest, ok := strings.CutPrefix(d.doc, typeName(t).Name()+" "); ok {
			d.doc = d.name + " " + rest
		}
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		if d.alternatives = p.values[typeName(t)]; d.alternatives == nil {
			d.alternatives = []string{p.text(t.Underlying())}
		}
		return d
	}
	for i := range structure.NumFields() {
		f := structure.Field(i)
		_, pointer := f.Type().(*types.Pointer)
		key, options, _ := strings.Cut(reflect.StructTag(structure.Tag(i)).Get("json"), ",")
		switch {
		case f.Embedded() && pointer: // the struct is one of several alternatives
			d.alternatives = append(d.alternatives, p.text(f.Type()))
		case f.Embedded():
			d.bases = append(d.bases, p.text(f.Type()))
		case key == "":
			p.fail("%s.%s needs a json tag", d.name, f.Name())
		case key != "-":
			d.fields = append(d.fields, field{
				documented{f.Name(), p.docs[f.Pos()], p.text(f.Type())}, key, strings.Contains(options, "omit"), f.Type(),
			})
		}
	}
	return d
}

// others are the TypeScript forms of types from other packages, and of special types of package protocol.
var others = map[string]string{
	"protocol.None": none, "json.RawMessage": "unknown", "lsp.DocumentURI": "DocumentURI", "lsp.Location": "Location",
	"lsp.Trace": "Trace", "lsp.ClientInfo": "ClientInfo", "lsp.ID": "number | string", "protocol.Location": "Location",
}

const none = "Record<string, never>"

func qualified(name *types.TypeName) string {
	if name == nil || name.Pkg() == nil {
		return ""
	}
	return name.Pkg().Name() + "." + name.Name()
}

// text returns a type in TypeScript.
func (p *declarations) text(t types.Type) string {
	if other := cmp.Or(others[qualified(typeName(t))], p.names[typeName(t)]); other != "" {
		return other
	}
	switch t := t.(type) {
	case *types.Pointer:
		return p.text(t.Elem())
	case *types.Slice:
		return p.text(t.Elem()) + "[]"
	case *types.Map:
		return "Record<string, " + p.text(t.Elem()) + ">"
	case *types.Basic:
		switch info := t.Info(); {
		case info&types.IsString != 0:
			return "string"
		case info&types.IsBoolean != 0:
			return "boolean"
		case info&types.IsNumeric != 0:
			return "number"
		}
	case *types.Alias: // any
		if types.IsInterface(t) {
			return "unknown"
		}
	}
	p.fail("no TypeScript for %s", t)
	return ""
}

func (p *declarations) fail(format string, args ...any) {
	if p.problem == nil {
		p.problem = fmt.Errorf(format, args...)
	}
}
