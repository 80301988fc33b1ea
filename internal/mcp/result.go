package mcp

import (
	"encoding/base64"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
)

// result returns an answer in the form that clients pass to their models: one complete text, followed by the images. It has
// no structured content, because some clients would then drop the text.
func (s *Server) result(who client, answer protocol.Answer) (*sdk.CallToolResult, error) {
	parts := []string{answer.Plain()}
	result := &sdk.CallToolResult{IsError: answer.Outcome == protocol.OutcomeInvalid}
	var images []sdk.Content
	for i, image := range answer.Images {
		data, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			return nil, fmt.Errorf("could not decode an image of the answer: %w", err)
		}
		if !who.paths {
			images = append(images, &sdk.ImageContent{MIMEType: image.MimeType, Data: data})
		}
		if !who.paths && !who.both {
			continue
		}
		s.mu.Lock()
		path, err := s.images.Write(fmt.Sprintf("%s-%d", answer.QuestionID, i+1), image.MimeType, data) // it exists until the process exits, or for a week
		s.mu.Unlock()
		if err != nil {
			return nil, err
		}
		parts = append(parts, path)
	}
	result.Content = append([]sdk.Content{&sdk.TextContent{Text: strings.Join(parts, "\n\n")}}, images...)
	return result, nil
}

// failed returns an error result for a model.
func failed(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}
