package conversation

import (
	"sync"

	"followup/internal/protocol"
)

// Rendering is a question's Markdown, which is read once for all interfaces, outside the registry's lock: it may take long.
type Rendering struct {
	mu   sync.Mutex
	made bool
	read *protocol.Rendered
}

// Make reads the Markdown, unless that was done.
func (m *Rendering) Make(read func() *protocol.Rendered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.made {
		m.read, m.made = read(), true
	}
}

// Made returns the Markdown, which is nil if all texts are plain, and false before it was read or while it is being read.
func (m *Rendering) Made() (*protocol.Rendered, bool) {
	if !m.mu.TryLock() {
		return nil, false
	}
	defer m.mu.Unlock()
	return m.read, m.made
}
