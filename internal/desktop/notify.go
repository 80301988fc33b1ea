//go:build !windows

package desktop

import (
	"sync"

	"github.com/gen2brain/beeep"
)

var named sync.Once

func notify(title, text string) error {
	named.Do(func() { beeep.AppName = Name })
	return beeep.Notify(plain(title), plain(text), "")
}
