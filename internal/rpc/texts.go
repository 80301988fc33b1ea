package rpc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"unicode/utf8"
)

// An agent's text comes in params of which every member is a string. encoding/json goes through each byte of one three
// times; this does so quickly where nothing is odd, and leaves everything else to it.

// textFields are the fields of a struct by the names of their members, if all of them are strings; nil otherwise.
func textFields(t reflect.Type) map[string]int {
	if t.Kind() != reflect.Struct {
		return nil
	}
	fields := map[string]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type != reflect.TypeFor[string]() || !f.IsExported() || name == "" || name == "-" || options == "string" {
			return nil
		}
		fields[name] = i
	}
	return fields
}

// readTexts sets the fields of a struct as json.Unmarshal would. It returns false, with some of them set, where it cannot.
func readTexts(raw json.RawMessage, fields map[string]int, params reflect.Value) bool {
	known := true
	ok := members(raw, func(key, value []byte) {
		field, found := fields[string(key)]
		if !found || value[0] != '"' {
			known = false // another case of letters, a member that nobody needs, another type
			return
		}
		text, simple := unquote(value[1 : len(value)-1])
		if known = known && simple; known {
			params.Field(field).SetString(text)
		}
	})
	return ok && known
}

// unquote returns what stands in a valid JSON string, given without its quotes. It returns false where a character is
// written by its number, and where b is no UTF-8.
func unquote(b []byte) (string, bool) {
	if !utf8.Valid(b) {
		return "", false
	}
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return string(b), true
	}
	var text strings.Builder
	text.Grow(len(b))
	for ; i >= 0; i = bytes.IndexByte(b, '\\') {
		escape := strings.IndexByte(escapes, b[i+1])
		if escape < 0 {
			return "", false
		}
		text.Write(b[:i])
		text.WriteByte(escaped[escape])
		b = b[i+2:]
	}
	text.Write(b)
	return text.String(), true
}

const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t" // what each of them stands for
)
