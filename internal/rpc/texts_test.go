package rpc

import (
	"encoding/json"
	"reflect"
	"testing"
)

type texts struct {
	A string `json:"a"`
	B string `json:"bc,omitempty"`
}

// FuzzTexts: params that are texts are read as encoding/json reads them.
func FuzzTexts(f *testing.F) {
	for _, raw := range []string{
		`{}`, `{"a":"x","bc":"é\n\"\\\/\b\f\r\t"}`, `{"a":"x","a":"y"}`, `{"A":"x"}`, `{"a":"\u00e9"}`, `{"a":"\ud83d\ude00"}`, "{\"a\":\"\xff\"}",
		`{"a":null}`, `{"a":7}`, `{"d":"x"}`, `null`, `[]`, ` { "a" : "x" } `, `{"a":"x"}}`,
	} {
		f.Add([]byte(raw))
	}
	decode := decoder[texts]()
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want texts
		failed := len(raw) > 0 && json.Unmarshal(raw, &want) != nil
		got, err := decode(raw)
		if (err != nil) != failed || err == nil && got != want {
			t.Errorf("%s: got %+v, %v; want %+v", raw, got, err, want)
		}
	})
}

func TestTextFields(t *testing.T) {
	type name string
	tests := []struct {
		of   any
		want int
	}{
		{texts{}, 2},
		{struct {
			A string `json:"a"`
			B int    `json:"b"`
		}{}, 0},
		{struct {
			A name `json:"a"`
		}{}, 0},
		{struct{ A string }{}, 0},
		{struct {
			A string `json:"a,string"`
		}{}, 0},
		{struct{}{}, 0},
		{"", 0},
	}
	for _, test := range tests {
		if got := textFields(reflect.TypeOf(test.of)); len(got) != test.want {
			t.Errorf("%T: got %v, want %d", test.of, got, test.want)
		}
	}
}

// What is plain does not take the way round.
func TestReadTexts(t *testing.T) {
	var got texts
	ok := readTexts([]byte(`{"a":"é\n","bc":"\\"}`), textFields(reflect.TypeFor[texts]()), reflect.ValueOf(&got).Elem())
	if want := (texts{"é\n", `\`}); !ok || got != want {
		t.Errorf("got %+v, %t; want %+v", got, ok, want)
	}
}
