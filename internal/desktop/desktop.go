// Package desktop notifies the user outside of the editor: by a desktop notification and by a short sound. Its functions
// return an error, which callers may ignore, if the machine has no desktop or no sound player.
package desktop

// Name is the sender of the notifications.
const Name = "Followup"

// Notify shows a desktop notification. It may block, and a notification cannot be withdrawn. Both texts are shown literally: markup
// has no effect, and nothing in them is run or opened.
func Notify(title, text string) error { return notify(title, text) }

// Chime plays the sound at the system's volume, and returns when it has ended.
func Chime() error { return play(chime()) }
