//go:build !windows

package desktop

import (
	"errors"
	"os"
	"os/exec"
)

// play plays a WAV file with the first player that is installed.
func play(wav []byte) error {
	file, err := os.CreateTemp("", "followup-*.wav")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(wav)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	var failed error
	for _, player := range players {
		err := exec.Command(player[0], append(player[1:len(player):len(player)], file.Name())...).Run()
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	return failed
}
