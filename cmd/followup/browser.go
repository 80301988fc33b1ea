package main

import (
	"fmt"
	"html"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cli/browser"
	"go.uber.org/zap"
)

// hasBrowser reports whether the user who reads stderr can see a browser that this process opens.
func hasBrowser(p process) bool {
	if !isTerminal(p.stderr) || p.env("SSH_CONNECTION") != "" {
		return false
	}
	return runtime.GOOS != "linux" || (p.env("DISPLAY") != "" || p.env("WAYLAND_DISPLAY") != "") && !isSnap()
}

// isSnap reports whether the default browser is a snap, which cannot read the file that openPage writes.
func isSnap() bool {
	name, err := exec.Command("xdg-settings", "get", "default-web-browser").Output()
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join("/var/lib/snapd/desktop/applications", filepath.Base(strings.TrimSpace(string(name)))))
	return err == nil
}

// openPage opens an address with a secret in the browser. Other users of the machine can read a process's arguments, so the
// browser gets a file that redirects to the address, and that only this user can read. The caller removes it.
func openPage(address string, log *zap.Logger) (remove func(), err error) {
	file, err := os.CreateTemp("", "followup-*.html") // mode 0600
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.Remove(file.Name()) }
	_, err = fmt.Fprintf(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", html.EscapeString(address))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		remove()
		return nil, err
	}
	path := filepath.ToSlash(file.Name())
	if !strings.HasPrefix(path, "/") { // a Windows drive
		path = "/" + path
	}
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	go func() { // some browsers run until the user closes them
		if err := browser.OpenURL((&url.URL{Scheme: "file", Path: path}).String()); err != nil {
			log.Warn("could not open the browser", zap.Error(err))
		}
	}()
	return remove, nil
}
