package main

import (
	"bytes"
	_ "embed" // the paths
	"encoding/json"
	"go/types"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed paths.json
var paths []byte

// openAPI returns the description of the HTTP API: paths.json, with the schemas of its bodies added.
func (p *declarations) openAPI() (string, error) {
	s := schemas{p, map[string]*jsonschema.Schema{}}
	for _, body := range []string{"APIQuestion", "APIQuestions", "AskResult", "CallbackEvent", "Problem"} {
		s.object(body)
	}
	all, err := json.Marshal(s.all)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = json.Indent(&text, bytes.Replace(paths, []byte(`"schemas": {}`), append([]byte(`"schemas": `), all...), 1), "", "  ")
	return text.String(), err
}

// schemas are the JSON schemas of the types of bodies, and of the types that they contain.
type schemas struct {
	*declarations
	all map[string]*jsonschema.Schema
}

// object adds the schema of a struct.
func (s schemas) object(name string) {
	if s.all[name] != nil {
		return
	}
	d := s.find(name)
	object := &jsonschema.Schema{Type: "object", Description: d.sentence(), Properties: map[string]*jsonschema.Schema{}}
	s.all[name] = object
	for _, f := range d.fields {
		object.Properties[f.key] = s.of(f.typ)
		object.Properties[f.key].Description = f.sentence()
		object.PropertyOrder = append(object.PropertyOrder, f.key)
		if !f.optional {
			object.Required = append(object.Required, f.key)
		}
	}
}

// of returns the schema of a type.
func (s schemas) of(t types.Type) *jsonschema.Schema {
	switch name := s.text(t); {
	case name == "unknown":
		return &jsonschema.Schema{}
	case name == "Location":
		return &jsonschema.Schema{Type: "object", Description: "A place in a document, as in the Language Server Protocol."}
	case s.find(name) == nil:
	case types.Identical(t.Underlying(), types.Typ[types.String]):
		return &jsonschema.Schema{Type: "string", Enum: s.literals(name)}
	default:
		s.object(name)
		return &jsonschema.Schema{Ref: "#/components/schemas/" + name}
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return &jsonschema.Schema{Type: "array", Items: s.of(t.Elem())}
	case *types.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: s.of(t.Elem())}
	}
	return &jsonschema.Schema{Type: strings.Replace(s.text(t), "number", "integer", 1)}
}

// literals returns the values of a string type.
func (s schemas) literals(name string) (all []any) {
	for _, one := range s.find(name).alternatives {
		if literal, err := strconv.Unquote(one); err == nil {
			all = append(all, literal)
		} else {
			all = append(all, s.literals(one)...)
		}
	}
	return all
}
