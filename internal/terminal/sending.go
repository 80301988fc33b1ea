package terminal

import (
	"errors"

	"github.com/sourcegraph/jsonrpc2"

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

// images are those that were added to a draft, in whichever view, and whose data is here.
func images(item *protocol.InboxItem) (all []protocol.Image) {
	if item.Draft == nil {
		return nil
	}
	for _, image := range item.Draft.Images {
		if image.Data != "" {
			all = append(all, protocol.Image{MimeType: image.MimeType, Data: image.Data})
		}
	}
	return all
}
