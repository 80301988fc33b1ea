package main

import "testing"

func TestFetchedRelease(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"v0.4.0": "0.4.0", "v1.2.3-rc.1": "1.2.3-rc.1",
		"": "", "(devel)": "", "v0.4.0+dirty": "", "v0.0.0-20261126052043-0aaf612d0000": "", "v0.4.1-0.20261126052043-0aaf612d0000+dirty": "",
	} {
		if got, ok := fetchedRelease(version); got != want || ok != (want != "") {
			t.Errorf("fetchedRelease(%q) = %q, %v; want %q", version, got, ok, want)
		}
	}
}
