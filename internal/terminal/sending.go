package terminal

import (
	"errors"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
)

// refused is why the sidecar does not take an answer, in the user's words.
func refused(err error) (why string, ok bool) {
	var wrong *jsonrpc2.Error
	if errors.As(err, &wrong) && (wrong.Code == protocol.CodeRefused || wrong.Code == protocol.CodeUnknown) {
		return wrong.Message, true
	}
	return "", false
}

// added is what other views added to a draft: images whose data is here, and quotes. It goes along with every answer.
func added(item *protocol.InboxItem) (images []protocol.Image, quotes []protocol.Quote) {
	if item.Draft == nil {
		return nil, nil
	}
	for _, image := range item.Draft.Images {
		if image.Data != "" {
			images = append(images, protocol.Image{MimeType: image.MimeType, Data: image.Data})
		}
	}
	return images, item.Draft.Quotes
}

// addedLines says what goes along with an answer, one line each.
func addedLines(speak locale.Tag, item *protocol.InboxItem) (lines []string) {
	images, quotes := added(item)
	if len(images) > 0 {
		lines = append(lines, speak.Text("Images that go along: {0}", len(images)))
	}
	if len(quotes) > 0 {
		labels := make([]string, len(quotes))
		for i, quote := range quotes {
			labels[i] = archive.Inline(quote.Label)
		}
		lines = append(lines, speak.Text("Added from the editor: {0}", strings.Join(labels, ", ")))
	}
	return lines
}
