package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"followup/internal/locale"
)

// App returns the page as one HTML document that loads nothing, for a program that shows it inside a conversation. The page sends
// the key to prove that it is the page. The scripts are those of the browser page. It returns an error if this build has no page.
func App(files fs.FS, key string) (string, error) {
	script, err := fs.ReadFile(files, "browser.js")
	style, styleErr := fs.ReadFile(files, "chat.css")
	if err := errors.Join(err, styleErr); err != nil {
		return "", err
	}
	if strings.Contains(string(script), "</script") || strings.Contains(string(style), "</style") {
		return "", errors.New("the page's files cannot be part of a document")
	}
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; img-src data:; form-action 'none'; base-uri 'none'",
		source(script), source(style))
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + policy + `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="followup-key" content="` + key + `">
<title>Followup</title>
<style>` + string(style) + `</style>
</head>
<body>
<followup-app></followup-app>
<script>` + string(script) + `</script>
</body>
</html>
`, nil
}

// Files returns the page's files: those in a folder, or the built-in ones if folder is empty. It returns nil if the page was not
// built.
func Files(folder string) fs.FS {
	files := builtIn()
	if folder != "" {
		files = os.DirFS(folder)
	}
	if _, err := fs.Stat(files, "browser.js"); err != nil {
		return nil
	}
	return files
}

// source returns the policy source for an inline script or style.
func source(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Texts returns the page's texts in a language, keyed by the English ones. It returns nil for English.
func Texts(files fs.FS, language locale.Tag) map[string]string {
	file, err := fs.ReadFile(files, "l10n/"+strings.ToLower(string(language))+".json")
	var texts map[string]string
	if err != nil || json.Unmarshal(file, &texts) != nil {
		return nil
	}
	return texts
}
