package keeper

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Detach starts a program that survives the process that starts this one, and writes input, which is short, to its standard input.
func Detach(input io.Reader, words ...string) error {
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _, _ = reader.Close(), writer.Close() }()
	folder, attributes := detached()
	for _, attribute := range attributes {
		command := exec.Command(words[0], words[1:]...)
		command.SysProcAttr, command.Dir, command.Stdin = attribute, folder, reader
		if err = command.Start(); err == nil {
			if _, err = io.Copy(writer, input); err == nil {
				err = command.Process.Release()
			}
			return err
		}
	}
	return fmt.Errorf("cannot start %s: %w", words[0], err)
}
