package keeper

import (
	"slices"
	"strings"
)

// kept are the variables that a keeper takes from whoever starts it: where folders are, the language, how a database is reached, and its own settings. An agent's keys are
// not among them.
var kept = []string{
	"HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
	"USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "HOMEDRIVE", "HOMEPATH",
	"CLINE_SESSION_DATA_DIR", "FOLLOWUP_PUSH_PRIVATE",
}

var keptPrefixes = []string{"LC_", "XDG_", "PG", "FOLLOWUP_KEEPER_", "FOLLOWUP_TEST_", "GOCOVERDIR", "GORACE"}

// cleanEnvironment is an environment without what is not the keeper's.
func cleanEnvironment(all []string) (clean []string) {
	for _, variable := range all {
		name, _, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		if slices.Contains(kept, name) || slices.ContainsFunc(keptPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			clean = append(clean, variable)
		}
	}
	return clean
}
