// Package toolcall parses what an assistant sends, a few bytes at a time: it finds tool calls in text, the tags in a call, and the values
// of JSON arguments; and it decodes and checks the content of elements. It knows no tool's parameters. It is pure: the same results for
// every way of cutting the input, in linear time. A Feed lets a parser wait for its next piece.
package toolcall
