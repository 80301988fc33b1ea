package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"

	"followup/internal/locale"
)

// built is the page as built by extension/build.mjs. It is empty on a clone without Node, so that Go compiles there too.
//
//go:embed all:page
var built embed.FS

// unbuilt is shown instead of the page if it was not built.
const unbuilt = "The page is not in this build of Followup: run \"make build\", and start it again.\n"

// files serves the page's files.
func (s *Server) files(w http.ResponseWriter, r *http.Request) {
	serve(w, r, s.options.Files)
}

// texts serves the page's texts in the browser's language, and whether the server is a hub, whose links differ.
func (s *Server) texts(w http.ResponseWriter, r *http.Request) {
	tag := preferred(r.Header.Get("Accept-Language"))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"locale": tag, "texts": Texts(s.options.Files, locale.Tag(tag)), "hub": s.options.Door != nil,
	})
}

func builtIn() fs.FS {
	inside, err := fs.Sub(built, "page")
	if err != nil {
		panic(err) // the name is valid
	}
	return inside
}

// types are the media types of the page's files. The system's own table may be wrong, as in the registry of Windows,
// and then browsers reject the styles.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
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
	kind := types[path.Ext(name)]
	body, err := fs.ReadFile(from, name)
	if err != nil || kind == "" {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Vary", "Accept-Encoding")
	// Names do not change between builds, so browsers must revalidate.
	header.Set("Cache-Control", "no-cache")
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:16])
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body, tag = compressed(tag, body), tag+"-gzip"
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}

// zipped caches compressed files by hash.
var zipped sync.Map

// compressed compresses a file once.
func compressed(hash string, body []byte) []byte {
	if known, ok := zipped.Load(hash); ok {
		return known.([]byte)
	}
	var to bytes.Buffer
	w, _ := gzip.NewWriterLevel(&to, gzip.BestCompression) // the level is valid
	_, _ = w.Write(body)                                   // a buffer never fails
	_ = w.Close()
	zipped.Store(hash, to.Bytes())
	return to.Bytes()
}

// preferred returns the first supported language of an Accept-Language header.
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
