package web

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"golang.org/x/text/language"

	"followup/internal/locale"
)

// built is the page as extension/build.mjs has built it. On a clone without Node there is none, and this still compiles.
//
//go:embed all:page
var built embed.FS

// unbuilt is what is shown in place of the page where it was not built.
const unbuilt = "The page is not in this build of Followup: run \"make build\", and start it again.\n"

// files gives the page and what it loads.
func (s *Server) files(w http.ResponseWriter, r *http.Request) {
	serve(w, r, s.options.Files)
}

func builtIn() fs.FS {
	inside, err := fs.Sub(built, "page")
	if err != nil {
		panic(err) // the name is valid
	}
	return inside
}

func serve(w http.ResponseWriter, r *http.Request, from fs.FS) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if _, err := fs.Stat(from, "index.html"); err != nil {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(unbuilt))
		return
	}
	if info, err := fs.Stat(from, name); err != nil || info.IsDir() || strings.HasPrefix(name, ".") {
		http.NotFound(w, r)
		return
	}
	if name == "index.html" {
		r.URL.Path = "/" // which is how http names it
	}
	http.ServeFileFS(w, r, from, name)
}

// preferred is the first language of a browser's that there are words in, from its Accept-Language header.
func preferred(languages string) string {
	tags, _, err := language.ParseAcceptLanguage(languages)
	if err != nil {
		return string(locale.English)
	}
	var names []string
	for _, tag := range tags {
		names = append(names, tag.String())
	}
	return string(locale.Match(names...))
}
