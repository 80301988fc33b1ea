package desktop

import (
	"sync"
	_ "unsafe" // for linkname

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
)

var named = sync.OnceValue(func() error { return wintoast.SetAppData(wintoast.AppData{AppID: Name}) })

// notify calls Windows itself: after a failure, beeep and go-toast's Notification would make PowerShell run a script that contains
// the texts.
func notify(title, text string) error {
	if err := named(); err != nil {
		return err
	}
	return push(toast(title, text))
}

// push is wintoast.Push without its script for PowerShell. The script's text/template makes the linker keep every
// exported method of the program, a tenth of its size.
//
//go:linkname push git.sr.ht/~jackmordaunt/go-toast/wintoast.pushCOM
func push(xml string) error
