package connect

import (
	"os"

	"followup/internal/agentfolder"
	"followup/internal/program"
)

// Machine describes the computer and the user whose agents are connected.
type Machine struct {
	program.Place
	// Env returns an environment variable.
	Env func(name string) string
	// Home is the user's home folder.
	Home string
	// Folder is the working folder, whose project settings apply. It may be empty.
	Folder string
	// Approvals are those to connect agents with. If nil, the configured ones are kept.
	Approvals *Approvals
	// LookPath finds a program by its name, as exec.LookPath does.
	LookPath func(name string) (string, error)
}

// folderOf returns the folder of an agent's configuration.
func (m Machine) folderOf(a Agent) string {
	folder, _ := agentfolder.Of(a.ID, m.Env, m.Home) // all agents have one
	return folder
}

// found reports whether an agent has an executable or a configuration here.
func (m Machine) found(a Agent) bool {
	if info, err := os.Stat(m.folderOf(a)); err == nil && info.IsDir() {
		return true
	}
	for _, name := range a.programs {
		if _, err := m.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

// mine reports whether a value contains the name of Followup's program.
func (m Machine) mine(value any) bool {
	_, ok := find(value, m.Names)
	return ok
}
