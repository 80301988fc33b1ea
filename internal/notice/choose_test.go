package notice

import (
	"testing"
	"time"

	"followup/internal/protocol"
)

// Each window suits a question better than the next one.
func TestBefore(t *testing.T) {
	now := time.UnixMilli(1e12)
	asking := []protocol.WorkspaceFolder{{URI: "file:///w"}}
	own := Window{Folders: []protocol.WorkspaceFolder{{URI: "file:///x"}, {URI: "file:///w"}}}
	windows := []Window{
		{Focused: true, Visible: true}, own, {Focused: true}, {Left: now}, {Left: now.Add(-time.Hour)}, {Visible: true},
	}
	for i, w := range windows {
		for j, other := range windows {
			if got := w.Before(other, asking); got != (i < j) {
				t.Errorf("%+v before %+v: %v", w, other, got)
			}
		}
	}
	if own.Before(Window{}, nil) {
		t.Error("a question without folders belongs to no window")
	}
}

func TestHow(t *testing.T) {
	all := Settings{Editor: true, Desktop: true, Sound: true}
	tests := []struct {
		name   string
		window Window
		set    Settings
		want   Settings
	}{
		{"the user sees it", Window{Focused: true, Visible: true}, all, Settings{}},
		{"another view has the focus", Window{Focused: true}, all, Settings{Editor: true}},
		{"in the background", Window{}, all, all},
		{"in the background, on the screen", Window{Visible: true}, all, Settings{Desktop: true, Sound: true}},
		{"no settings", Window{}, Settings{}, Settings{}},
		{"only a sound", Window{}, Settings{Sound: true}, Settings{Sound: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := How(test.window, test.set); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
