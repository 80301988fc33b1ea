package archive

import "strings"

// lines builds a text of lines without empty ones.
type lines struct{ b strings.Builder }

func (l *lines) add(texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		if l.b.Len() > 0 {
			l.b.WriteByte('\n')
		}
		l.b.WriteString(text)
	}
}

func (l *lines) String() string { return l.b.String() }
