package desktop

import (
	"sync"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
)

var named = sync.OnceValue(func() error { return wintoast.SetAppData(wintoast.AppData{AppID: Name}) })

// notify asks Windows itself, and nothing else: beeep, and go-toast's own Notification, would have a script with the texts in it run by
// PowerShell where that fails.
func notify(title, text string) error {
	if err := named(); err != nil {
		return err
	}
	return wintoast.Push(toast(title, text))
}
