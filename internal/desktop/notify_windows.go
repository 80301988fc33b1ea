package desktop

import (
	"sync"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
)

var named = sync.OnceValue(func() error { return wintoast.SetAppData(wintoast.AppData{AppID: Name}) })

// notify calls Windows itself: after a failure, beeep and go-toast's Notification would make PowerShell run a script that contains
// the texts.
func notify(title, text string) error {
	if err := named(); err != nil {
		return err
	}
	return wintoast.Push(toast(title, text))
}
