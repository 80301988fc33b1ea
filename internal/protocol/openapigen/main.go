// Command openapigen writes the description of the HTTP API (OpenAPI 3.1): the paths from paths.json, and the schemas from package
// protocol.
package main

import (
	"bytes"
	_ "embed" // the paths
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/sourcegraph/go-lsp"

	"followup/internal/protocol"
)

// messages is the path of package protocol, and model that of package question, which declares some of its types.
var (
	messages = reflect.TypeFor[protocol.APIQuestion]().PkgPath()
	model    = reflect.TypeFor[protocol.Question]().PkgPath()
)

//go:embed paths.json
var paths []byte

// described are the types of bodies. It adds the types that they contain.
type described struct {
	Question protocol.APIQuestion
	Result   protocol.AskResult
	Event    protocol.CallbackEvent
	Problem  protocol.Problem
}

func main() {
	dir := flag.String("dir", ".", "the folder of package protocol")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	text, err := generate(*dir)
	if err == nil {
		err = os.WriteFile(*out, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapigen:", err)
		os.Exit(1)
	}
}

// generate returns the description, with the comments of the Go package in dir.
func generate(dir string) ([]byte, error) {
	values, comments, err := declared(dir)
	if err != nil {
		return nil, err
	}
	r := &jsonschema.Reflector{CommentMap: comments, AllowAdditionalProperties: true, Mapper: func(t reflect.Type) *jsonschema.Schema {
		switch {
		case t == reflect.TypeFor[lsp.Location]():
			return &jsonschema.Schema{Type: "object", Description: "A place in a document, as in the Language Server Protocol."}
		case (t.PkgPath() == messages || t.PkgPath() == model) && values[t.Name()] != nil:
			return &jsonschema.Schema{Type: "string", Enum: values[t.Name()]}
		}
		return nil
	}}
	definitions := r.Reflect(described{}).Definitions
	delete(definitions, "described")
	schemas, err := json.Marshal(definitions)
	if err != nil {
		return nil, err
	}
	schemas = bytes.ReplaceAll(schemas, []byte("#/$defs/"), []byte("#/components/schemas/"))
	var document struct {
		OpenAPI    string                     `json:"openapi"`
		Info       json.RawMessage            `json:"info"`
		Servers    json.RawMessage            `json:"servers"`
		Security   json.RawMessage            `json:"security"`
		Paths      json.RawMessage            `json:"paths"`
		Webhooks   json.RawMessage            `json:"webhooks"`
		Components map[string]json.RawMessage `json:"components"`
	}
	if err := json.Unmarshal(paths, &document); err != nil {
		return nil, err
	}
	document.Components["schemas"] = schemas
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(document)
	return text.Bytes(), err
}

// declared returns the constants of each string type, and the comments of types and fields in the reflector's format.
func declared(dir string) (values map[string][]any, comments map[string]string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	others, err := filepath.Glob(filepath.Join(dir, "../question/*.go"))
	if err != nil {
		return nil, nil, err
	}
	values, comments = map[string][]any{}, map[string]string{}
	for _, name := range append(files, others...) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		path := messages
		if file.Name.Name == "question" {
			path = model
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				kind, isNamed := node.Type.(*ast.Ident)
				if literal, isLiteral := firstOf(node.Values).(*ast.BasicLit); isNamed && isLiteral {
					value, _ := strconv.Unquote(literal.Value)
					values[kind.Name] = append(values[kind.Name], value)
				}
			case *ast.GenDecl:
				for _, spec := range node.Specs {
					if declared, ok := spec.(*ast.TypeSpec); ok {
						note(comments, path, declared, node.Doc)
					}
				}
			}
			return true
		})
	}
	values["Outcome"] = append(values["Outcome"], values["AnswerOutcome"]...) // an alias
	return values, comments, nil
}

func firstOf(values []ast.Expr) ast.Expr {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// note collects the comments of a type and its fields.
func note(comments map[string]string, path string, declared *ast.TypeSpec, doc *ast.CommentGroup) {
	name := path + "." + declared.Name.Name
	comments[name] = sentence(doc, declared.Name.Name)
	if fields, ok := declared.Type.(*ast.StructType); ok {
		for _, field := range fields.Fields.List {
			for _, one := range field.Names {
				comments[name+"."+one.Name] = sentence(field.Doc, one.Name)
			}
		}
	}
}

// sentence is a comment on one line, without the Go name at its start, which no client knows.
func sentence(doc *ast.CommentGroup, name string) string {
	text := strings.TrimPrefix(strings.Join(strings.Fields(doc.Text()), " "), name+" ")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "is "), "are ")
	if first, _, _ := strings.Cut(text, " "); text == "" || strings.ContainsAny(strings.TrimRight(first, "."), "/.:") {
		return text // it may begin with a media type, an event or an address
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
