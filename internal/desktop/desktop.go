// Package desktop tells the user something outside of the editor: by a notice of the system's, and by a short sound of our own. Where
// the machine has no desktop, or nothing to play a sound with, that is an error that nobody has to see.
package desktop

import (
	"sync"

	"github.com/gen2brain/beeep"
)

// Name is what the system's notices are said to come from.
const Name = "Followup"

var named sync.Once

// Notify shows a notice of the system's. It takes its time, and goes as the system has it: none can be taken back.
func Notify(title, text string) error {
	named.Do(func() { beeep.AppName = Name })
	return beeep.Notify(title, text, "")
}

// Chime plays the sound, in the system's volume, and returns when it has been heard.
func Chime() error { return play(chime()) }
