// Command gen generates files from package protocol: its messages in TypeScript, a documentation page about its methods, and the
// description of the HTTP API (OpenAPI 3.1).
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	err := write(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files, by their paths relative to dir, the folder of package protocol.
func generate(dir string) (map[string]string, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	api, err := p.openAPI()
	if err != nil {
		return nil, err
	}
	files := map[string]string{
		"../../extension/src/protocol.gen.ts": p.typeScript(),
		"../../docs/methods.md":               p.markdown(),
		"../httpapi/openapi.json":             api,
	}
	return files, p.problem
}
