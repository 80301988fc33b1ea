package terminal

import (
	"testing"
	"time"

	"followup/internal/locale"
	"followup/internal/protocol"
)

func TestHeadingExpires(t *testing.T) {
	item := protocol.InboxItem{Agent: "Robot"}
	asked := time.UnixMilli(0).Format("15:04")
	for want, expires := range map[string]time.Time{
		"expires " + time.Now().Format("15:04"): time.Now(),
		"expires 2101-02-03 16:05":              time.Date(2101, 2, 3, 16, 5, 0, 0, time.Local),
	} {
		item.Expires = expires.UnixMilli()
		if got := heading(locale.English, &item); got != "Robot · "+asked+" · "+want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	item.Expires = 0
	if got := heading(locale.English, &item); got != "Robot · "+asked {
		t.Errorf("got %q", got)
	}
}
