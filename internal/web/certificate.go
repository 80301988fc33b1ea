package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/time/rate"
)

// Certificate serves the certificate in two PEM files, and reloads it when they change. If they cannot be read, or do not match, it
// keeps the previous one and logs the error.
func Certificate(certificate, key string, log *zap.Logger) (*tls.Config, error) {
	f := &pair{certificate: certificate, key: key, log: log, troubles: rate.Sometimes{Interval: time.Minute}}
	if err := f.read(); err != nil {
		return nil, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	return &tls.Config{GetCertificate: f.get, MinVersion: tls.VersionTLS12}, nil
}

// pair is a certificate with its key.
type pair struct {
	certificate, key string
	log              *zap.Logger
	load             func(certificate, key string) (tls.Certificate, error) // nil: tls.LoadX509KeyPair

	mu       sync.Mutex
	seen     [2]os.FileInfo // the files as they were last read
	now      *tls.Certificate
	troubles rate.Sometimes // strangers can trigger these at any rate
}

func (p *pair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.read(); err != nil {
		p.troubles.Do(func() { p.log.Error("cannot reload the certificate; the previous one is served", zap.Error(err)) })
	}
	return p.now, nil
}

// read reads the files if they have changed.
func (p *pair) read() error {
	var files [2]os.FileInfo
	changed := false
	for i, path := range []string{p.certificate, p.key} {
		file, err := os.Stat(path)
		if err != nil {
			return err
		}
		files[i] = file
		last := p.seen[i]
		changed = changed || last == nil || !os.SameFile(file, last) || file.Size() != last.Size() || !file.ModTime().Equal(last.ModTime())
	}
	if !changed {
		return nil
	}
	load := tls.LoadX509KeyPair
	if p.load != nil {
		load = p.load
	}
	read, err := load(p.certificate, p.key)
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return err // permissions may change without another sign
	}
	p.seen = files
	if err != nil {
		return err
	}
	if p.now != nil {
		p.log.Info("another certificate is served from now on")
	}
	p.now = &read
	return nil
}
