package desktop

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// lookAlikes replace markup of Linux desktops, and the escape character of notify-send.
var lookAlikes = strings.NewReplacer("<", "＜", ">", "＞", "&", "＆", `\`, "＼")

// plain returns the text on one line, so that every desktop shows it literally: without markup (the Desktop Notifications
// Specification's "Markup"), without escapes that AppleScript does not know, and without a leading dash, which notify-send
// would read as an option.
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

// toast returns a notification in Windows's format, without a sound
// (https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/toast-schema).
func toast(title, text string) string {
	var out strings.Builder
	out.WriteString(`<toast><visual><binding template="ToastGeneric">`)
	for _, line := range []string{title, text} {
		out.WriteString("<text>")
		_ = xml.EscapeText(&out, []byte(line)) // a builder never fails
		out.WriteString("</text>")
	}
	out.WriteString(`</binding></visual><audio silent="true"/></toast>`)
	return out.String()
}
