package mcp

import (
	"encoding/base64"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
)

// result is an answer as clients hand it to their models: one text that stands alone, then the images. Structured content is left out:
// there are clients that drop the text for it.
func (s *Server) result(who client, answer protocol.Answer) (*sdk.CallToolResult, error) {
	parts := []string{answer.Plain()}
	result := &sdk.CallToolResult{IsError: answer.Outcome == protocol.OutcomeInvalid}
	var images []sdk.Content
	for i, image := range answer.Images {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return nil, fmt.Errorf("an image of the answer: %w", err)
		}
		if !who.paths {
			images = append(images, &sdk.ImageContent{MIMEType: image.MimeType, Data: data})
		}
		if !who.paths && !who.both {
			continue
		}
		path, err := s.keepImage(fmt.Sprintf("%s-%d", answer.QuestionID, i+1), image.MimeType, data)
		if err != nil {
			return nil, err
		}
		parts = append(parts, path)
	}
	result.Content = append([]sdk.Content{&sdk.TextContent{Text: strings.Join(parts, "\n\n")}}, images...)
	return result, nil
}

// failed is what a model is told when it cannot be given an answer.
func failed(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}

// keepImage writes an image to a file of its own, which lasts until the process ends, or a week, and gives its path.
func (s *Server) keepImage(name, mimeType string, data []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.images.Write(name, mimeType, data)
}
