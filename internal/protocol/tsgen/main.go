// Command tsgen writes the protocol's messages as TypeScript, so that both sides derive from the one Go declaration, and its methods as a
// page of the documentation.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("dir", ".", "the folder of package protocol")
	out := flag.String("out", "", "the file of TypeScript to write")
	page := flag.String("methods", "", "the file of Markdown to write")
	flag.Parse()
	err := errors.Join(write(generate, *dir, *out), write(methods, *dir, *page))
	if err != nil {
		fmt.Fprintln(os.Stderr, "tsgen:", err)
		os.Exit(1)
	}
}

func write(generate func(dir string) (string, error), dir, file string) error {
	text, err := generate(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
