// Package desktop tells the user something outside of the editor: by a notice of the system's, and by a short sound of our own. Where
// the machine has no desktop, or nothing to play a sound with, that is an error that nobody has to see.
package desktop

// Name is what the system's notices are said to come from.
const Name = "Followup"

// Notify shows a notice of the system's. It takes its time, and goes as the system has it: none can be taken back. Both texts are shown
// as they are, whatever they hold: markup is none, and nothing in them is run or opened.
func Notify(title, text string) error { return notify(title, text) }

// Chime plays the sound, in the system's volume, and returns when it has been heard.
func Chime() error { return play(chime()) }
