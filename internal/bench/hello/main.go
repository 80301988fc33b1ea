// Command hello is the minimal Go program: it prints hello and ends.
package main

import "os"

func main() { _, _ = os.Stdout.WriteString("hello\n") }
