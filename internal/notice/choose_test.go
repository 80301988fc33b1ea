package notice

import (
	"testing"
	"time"
)

// Each window leaves a question longer to the others than the one before it.
func TestBid(t *testing.T) {
	now := time.UnixMilli(1e12)
	left := func(ago time.Duration) Window { return Window{Left: now.Add(-ago)} }
	own := Window{Folders: []string{"file:///x", "file:///w"}}
	bids := []struct {
		name    string
		window  Window
		folders []string
	}{
		{"the user sees it", Window{Focused: true, Visible: true}, []string{"file:///w"}},
		{"the workspace that asks", own, []string{"file:///w"}},
		{"the user is in another window", Window{Focused: true}, []string{"file:///w"}},
		{"left just now", left(0), nil},
		{"left a moment ago", left(5 * time.Second), nil},
		{"left a minute ago", left(time.Minute), nil},
		{"left an hour ago", left(time.Hour), nil},
		{"left days ago", left(100 * time.Hour), nil},
		{"never looked at", Window{}, nil},
	}
	before := time.Duration(-1)
	for _, bid := range bids {
		got := Bid(bid.window, bid.folders, now)
		if got <= before {
			t.Errorf("%s: %v, not more than the one before (%v)", bid.name, got, before)
		}
		before = got
	}
	if before > 2*time.Second {
		t.Errorf("the last one waits %v", before)
	}
	if a, b := Bid(own, nil, now), Bid(Window{}, nil, now); a != b {
		t.Errorf("a question without folders is nobody's own: %v, %v", a, b)
	}
	if got, want := Bid(left(-time.Hour), nil, now), Bid(left(0), nil, now); got != want {
		t.Errorf("left in the future: %v, want %v", got, want)
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
		{"nothing is wanted", Window{}, Settings{}, Settings{}},
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
