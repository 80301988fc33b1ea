package httpapi

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

	"followup/internal/secretfile"
	"followup/internal/web"
)

// TokenFile is the name of the file with the token of the user's programs, in the storage folder.
const TokenFile = "api-token"

// wrongTokens limits how many wrong tokens a minute get an immediate answer. Further ones wait.
const wrongTokens = 30

// MinToken is the minimum length of a token that the user wrote into the file.
const MinToken = 24

// Door authenticates the user's own programs.
type Door struct {
	// File has the token.
	File string

	token   string
	wrong   *web.Wrong
	sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)
}

// OpenDoor reads the token in a folder, or creates one.
func OpenDoor(folder string, sidecar func(ctx context.Context, in io.ReadCloser, out io.Writer)) (*Door, error) {
	file := filepath.Join(folder, TokenFile)
	token, err := readToken(file)
	if err != nil {
		return nil, fmt.Errorf("the token of the HTTP API: %w", err)
	}
	return &Door{File: file, token: token, wrong: web.NewWrong(wrongTokens, nil), sidecar: sidecar}, nil
}

// readToken reads the token in a file, or creates one. It rejects a file that other users can read.
func readToken(file string) (string, error) {
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
	token, err := secretfile.Read(file)
	if err == nil && len(token) < MinToken {
		err = fmt.Errorf("%s has no token of %d characters; remove it, and a new one is made", file, MinToken)
	}
	return token, err
}

// Enter admits a program that has the token.
func (d *Door) Enter(token string) (web.Visit, *web.Refusal) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(d.token)) == 1 {
		return web.Visit{Sidecar: d.sidecar}, nil
	}
	return web.Visit{}, d.wrong.Refuse("the token is missing or wrong")
}
