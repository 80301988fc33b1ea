package locale

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packagePath is the path of this package, whatever the module's path is.
var packagePath = reflect.TypeFor[Key]().PkgPath()

var update = flag.Bool("update", false, "add missing texts to the bundles, and remove unused ones")

// TestBundles checks that every text of the program has a translation in every language with the same placeholders, that no bundle
// has another text, and that every call passes the arguments that its text needs.
func TestBundles(t *testing.T) {
	texts := programTexts(t)
	for _, tag := range Tags[1:] {
		path := filepath.FromSlash(bundleName(tag))
		bundle := bundles[tag]()
		for text := range texts {
			translated, ok := bundle[text]
			if translated == "" {
				t.Errorf("%s has no translation of %q; go test ./internal/locale -update adds an empty one", path, text)
			}
			if got, want := placeholders(translated), placeholders(string(text)); ok && !slices.Equal(got, want) {
				t.Errorf("%s: %q takes %v, in English %v", path, text, got, want)
			}
		}
		for text := range bundle {
			if _, used := texts[text]; !used {
				t.Errorf("%s has %q, which the program does not use; go test ./internal/locale -update removes it", path, text)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, written(t, bundle)) {
			t.Errorf("%s is not sorted, or not formatted (%v); go test ./internal/locale -update does that", path, err)
		}
		if *update {
			kept := maps.Clone(texts)
			for text := range kept {
				kept[text] = bundle[text]
			}
			if err := os.WriteFile(path, written(t, kept), 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

// written returns the content of a bundle's file.
func written(t *testing.T, bundle map[Key]string) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(bundle); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var placeholder = regexp.MustCompile(`\{\d+\}`)

func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// programTexts returns every constant Key in the program's source, for all systems.
func programTexts(t *testing.T) map[Key]string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[Key]string{}
	s := source{t: t, root: root, fset: token.NewFileSet(), done: map[string]*types.Package{}, texts: texts}
	if err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		name := entry.Name()
		if entry.IsDir() && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if dir, _ := filepath.Rel(root, filepath.Dir(path)); strings.HasSuffix(name, ".go") {
			_, err = s.Import("followup/" + filepath.ToSlash(dir))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(texts) < 100 {
		t.Fatalf("only %d texts were found", len(texts))
	}
	return texts
}

// source type-checks the module's packages with the files of all systems. It treats other modules' packages as empty
// and ignores errors, since the types of texts need neither: that takes a second instead of a minute.
type source struct {
	t     *testing.T
	root  string
	fset  *token.FileSet
	done  map[string]*types.Package
	texts map[Key]string
}

// Import implements types.Importer.
func (s *source) Import(path string) (*types.Package, error) {
	if p, ok := s.done[path]; ok {
		return p, nil
	}
	dir, ours := strings.CutPrefix(path, "followup/")
	if !ours {
		p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
		p.MarkComplete()
		s.done[path] = p
		return p, nil
	}
	dir = filepath.Join(s.root, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var syntax []*ast.File
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: s, Error: func(error) {}}
	p, _ := config.Check(path, s.fset, syntax, info)
	s.done[path] = p
	for expr, of := range info.Types {
		if of.Value != nil && isKey(of.Type) && constant.StringVal(of.Value) != "" {
			s.texts[Key(constant.StringVal(of.Value))] = ""
		}
		if call, ok := expr.(*ast.CallExpr); ok {
			s.checkArguments(info, call)
		}
	}
	return p, nil
}

func isKey(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Key" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == packagePath
}

// checkArguments reports a call of f(…, key Key, args ...any) whose arguments do not match the text's placeholders.
// Functions of other packages can add arguments of their own.
func (s *source) checkArguments(info *types.Info, call *ast.CallExpr) {
	f, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !f.Variadic() || f.Params().Len() < 2 || call.Ellipsis.IsValid() {
		return
	}
	at := f.Params().Len() - 2
	if !isKey(f.Params().At(at).Type()) || len(call.Args) <= at || info.Types[call.Args[at]].Value == nil {
		return
	}
	text := constant.StringVal(info.Types[call.Args[at]].Value)
	want, got := len(placeholders(text)), len(call.Args)-at-1
	name, _ := call.Fun.(*ast.SelectorExpr)
	if name != nil && name.Sel.Name == "Count" {
		got++ // the number is {0}
	}
	own := name != nil && info.Uses[name.Sel] != nil && info.Uses[name.Sel].Pkg().Path() == packagePath
	if got > want || own && got < want {
		s.t.Errorf("%s: %q takes %d arguments, not %d", s.fset.Position(call.Pos()), text, want, got)
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{French.Text("Missing required parameter '{0}'", "question"), "Paramètre requis manquant 'question'"},
		{Tag("xx").Text("Submit"), "Submit"},
		{French.Text("a text without a translation"), "a text without a translation"},
		{English.Text("{1} before {0}", "{1}", 2), "2 before {1}"}, // an argument is not a template
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// The plural form is the language's: 0 is singular in French and Portuguese, and Chinese has one form.
func TestCount(t *testing.T) {
	for tag, want := range map[Tag][]string{
		English:    {"0 new questions", "1 new question", "2 new questions"},
		French:     {"0 nouvelle question", "1 nouvelle question", "2 nouvelles questions"},
		Chinese:    {"0 个新问题", "1 个新问题", "2 个新问题"},
		Portuguese: {"0 pergunta nova", "1 pergunta nova", "2 perguntas novas"},
	} {
		for n, want := range want {
			if got := tag.Count(n, "{0} new question", "{0} new questions"); got != want {
				t.Errorf("%s: got %q, want %q", tag, got, want)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		lang []string
		want Tag
	}{
		{nil, English},
		{[]string{""}, English},
		{[]string{"en"}, English},
		{[]string{"en-GB"}, English},
		{[]string{"fr"}, French},
		{[]string{"fr-CA"}, French},
		{[]string{"fr_FR.UTF-8"}, French},
		{[]string{"fr_BE@euro"}, French},
		{[]string{"zh"}, Chinese},
		{[]string{"zh-Hans"}, Chinese},
		{[]string{"zh-cn"}, Chinese},
		{[]string{"zh_SG.UTF-8"}, Chinese},
		{[]string{"zh-TW"}, English},
		{[]string{"zh-Hant"}, English},
		{[]string{"pt"}, Portuguese},
		{[]string{"pt-br"}, Portuguese},
		{[]string{"pt_PT"}, Portuguese},
		{[]string{"br"}, English}, // Breton: no French
		{[]string{"de"}, English},
		{[]string{"C"}, English},
		{[]string{"C.UTF-8"}, English},
		{[]string{"POSIX"}, English},
		{[]string{"no such thing"}, English},
		{[]string{"de", "pt-PT"}, Portuguese},
	}
	for _, test := range tests {
		if got := Match(test.lang...); got != test.want {
			t.Errorf("Match(%q) = %q, want %q", test.lang, got, test.want)
		}
	}
}
