package server

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"followup/internal/locale"
	"followup/internal/places"
	"followup/internal/protocol"
)

func (s *Server) mailDescribe(_ context.Context, p protocol.HostLink) (protocol.MailDescription, error) {
	return describeMail(p.Href, s.locale()), nil
}

// fieldNames are the fields that have names in the user's language.
var fieldNames = map[string]locale.Key{"cc": "Cc", "bcc": "Bcc", "subject": "Subject"}

// describeMail reads a mailto: link (https://www.rfc-editor.org/rfc/rfc6068). The text comes last, after an empty line, so that
// nothing in it looks like a field.
func describeMail(href string, speak locale.Tag) protocol.MailDescription {
	href, _, _ = strings.Cut(href, "#")
	path, query, _ := strings.Cut(href, "?")
	_, path, _ = strings.Cut(path, ":")
	to, fields, body := []string{mailLine(path)}, []string{}, []string{}
	for _, field := range strings.Split(query, "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		switch name = strings.ToLower(mailLine(name)); name {
		case "body":
			body = append(body, visible(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(unescaped(value))))
		case "to":
			to = append(to, mailLine(value))
		default:
			if key, known := fieldNames[name]; known {
				name = speak.Text(key)
			}
			fields = append(fields, speak.Text("{0}: {1}", name, mailLine(value)))
		}
	}
	detail := []string{strings.Join(fields, "\n"), strings.Join(body, "\n")}
	return protocol.MailDescription{
		Question: speak.Text("Write an email to {0}?", strings.Trim(strings.Join(to, ", "), ", ")),
		Detail:   strings.Trim(strings.Join(detail, "\n\n"), "\n"), Button: speak.Text("Write Email"),
	}
}

// mailLine returns a field's value on one line.
func mailLine(written string) string {
	return visible(strings.Join(strings.Fields(unescaped(written)), " "))
}

// unescaped decodes percent-encoding. Invalid text is returned as it is. A plus sign stays a plus sign.
func unescaped(written string) string {
	if text, err := url.PathUnescape(written); err == nil && utf8.ValidString(text) {
		return text
	}
	return written
}

// visible replaces characters that are invisible or change the direction of text by their code points.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			fmt.Fprintf(&b, "U+%04X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (s *Server) placeFind(_ context.Context, p protocol.PlaceFindParams) (protocol.PlaceFindResult, error) {
	return protocol.PlaceFindResult{Places: places.Find(p.Texts, p.Folders)}, nil
}
