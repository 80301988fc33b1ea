// Command tsgen writes the protocol's messages as TypeScript, so that both sides derive from the one Go declaration.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("dir", ".", "the folder of package protocol")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	text, err := generate(*dir)
	if err == nil {
		err = os.WriteFile(*out, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tsgen:", err)
		os.Exit(1)
	}
}
