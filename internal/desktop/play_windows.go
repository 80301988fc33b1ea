package desktop

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

var playSound = windows.NewLazySystemDLL("winmm.dll").NewProc("PlaySoundW")

// play plays a WAV file from memory (https://learn.microsoft.com/en-us/previous-versions/dd743680(v=vs.85)).
func play(wav []byte) error {
	const sync, noDefault, memory = 0x0000, 0x0002, 0x0004
	if err := playSound.Find(); err != nil {
		return err
	}
	played, _, err := playSound.Call(uintptr(unsafe.Pointer(&wav[0])), 0, sync|noDefault|memory)
	runtime.KeepAlive(wav)
	if played == 0 {
		return err
	}
	return nil
}
