package desktop

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// lookAlikes stand for what the desktops of Linux take as markup, and for what notify-send takes as an escape.
var lookAlikes = strings.NewReplacer("<", "＜", ">", "＞", "&", "＆", `\`, "＼")

// plain is a text that every desktop shows as it stands: in one line, with nothing in it that is markup (the Desktop Notifications
// Specification's "Markup"), an escape that AppleScript does not know, or an option of the program that shows it.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	text = lookAlikes.Replace(strings.TrimSpace(text))
	if strings.HasPrefix(text, "-") {
		text = "‐" + text[1:]
	}
	return text
}

// toast is a notice as Windows takes it, without a sound (https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/toast-schema).
func toast(title, text string) string {
	var out strings.Builder
	out.WriteString(`<toast><visual><binding template="ToastGeneric">`)
	for _, line := range []string{title, text} {
		out.WriteString("<text>")
		_ = xml.EscapeText(&out, []byte(line)) // a builder takes everything
		out.WriteString("</text>")
	}
	out.WriteString(`</binding></visual><audio silent="true"/></toast>`)
	return out.String()
}
