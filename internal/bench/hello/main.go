// Command hello is the least that a program in Go can be: it says hello and ends.
package main

import "os"

func main() { _, _ = os.Stdout.WriteString("hello\n") }
