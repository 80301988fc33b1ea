package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"followup/internal/reach"
	"followup/internal/web"
)

// apiTokenName is the file with the token of the user's programs, in the storage folder.
const apiTokenName = "api-token"

// wrongAPITokens limits how many wrong tokens a minute get an immediate answer. Further ones wait.
const wrongAPITokens = 30

// minAPIToken is the minimum length of a token that the user wrote into the file.
const minAPIToken = 24

// maxSecret bounds a file with a secret, in bytes.
const maxSecret = 4 << 10

// apiDoor authenticates the user's own programs.
type apiDoor struct {
	file, token string
	wrong       *web.Wrong
	sidecar     func(ctx context.Context, in io.ReadCloser, out io.Writer)
}

// openAPIDoor reads the token of a place, or creates one.
func openAPIDoor(place string, env func(string) string, sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)) (*apiDoor, error) {
	folder, err := reach.KeeperFolder(place, env)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, apiTokenName)
	token, err := readAPIToken(file)
	if err != nil {
		return nil, fmt.Errorf("the token of the HTTP API: %w", err)
	}
	return &apiDoor{file: file, token: token, wrong: web.NewWrong(wrongAPITokens, nil), sidecar: sidecar}, nil
}

// readAPIToken reads the token in a file, or creates one. It rejects a file that other users can read.
func readAPIToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	made, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(made, rand.Text())
		err = errors.Join(err, made.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	token, err := readSecret(file)
	if err == nil && len(token) < minAPIToken {
		err = fmt.Errorf("%s has no token of %d characters; remove it, and a new one is made", file, minAPIToken)
	}
	return token, err
}

// readSecret reads a secret from a file. It rejects one that other users can read.
func readSecret(file string) (string, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxSecret:
		return "", fmt.Errorf("%s has no secret", file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("other users can read %s; run: chmod 600 %s", file, file)
	}
	text, err := os.ReadFile(file)
	return strings.TrimSpace(string(text)), err
}

// enter admits a program that has the token.
func (d *apiDoor) enter(token string) (web.Visit, *web.Refusal) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(d.token)) == 1 {
		return web.Visit{Sidecar: d.sidecar}, nil
	}
	return web.Visit{}, d.wrong.Refuse("the token is missing or wrong")
}
