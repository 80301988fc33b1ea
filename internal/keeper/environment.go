package keeper

import (
	"slices"
	"strings"
)

// kept are the variables that a keeper inherits: locations of folders, the language, access to a database, and its own settings.
// Agents' keys are not among them.
var kept = []string{
	"HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
	"USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "HOMEDRIVE", "HOMEPATH",
	"CLINE_SESSION_DATA_DIR", "FOLLOWUP_PUSH_PRIVATE", "FOLLOWUP_PUSH_CONTACT",
}

var keptPrefixes = []string{"LC_", "XDG_", "PG", "FOLLOWUP_KEEPER_", "FOLLOWUP_TEST_", "GOCOVERDIR", "GORACE"}

// cleanEnvironment returns an environment with only those variables.
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
