// Package toolcall scans what an assistant sends, a few bytes at a time: it finds tool calls in text, the tags in a call,
// and the tokens of JSON arguments; and it decodes and checks the content of elements. It knows no tool's parameters. It is pure:
// bytes in, events out; the same events for every way of cutting the input, in one pass and linear time.
package toolcall
