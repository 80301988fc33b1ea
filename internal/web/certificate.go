package web

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"

	"go.uber.org/zap"
)

// Certificate serves what stands in two files, in PEM, and whatever is put there while it is served. Where that cannot be read, or its
// half is still missing, the one before is served, and the log tells.
func Certificate(certificate, key string, log *zap.Logger) (*tls.Config, error) {
	f := &pair{certificate: certificate, key: key, log: log}
	if err := f.read(); err != nil {
		return nil, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	return &tls.Config{GetCertificate: f.get, MinVersion: tls.VersionTLS12}, nil
}

// pair is a certificate with its key.
type pair struct {
	certificate, key string
	log              *zap.Logger

	mu   sync.Mutex
	seen [2]os.FileInfo // the files as they were last looked at
	now  *tls.Certificate
}

func (p *pair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.read(); err != nil {
		p.log.Error("the certificate cannot be read anew; the one before is served", zap.Error(err))
	}
	return p.now, nil
}

// read reads the files if others stand there than were last looked at.
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
	p.seen = files
	read, err := tls.LoadX509KeyPair(p.certificate, p.key)
	if err != nil {
		return err
	}
	if p.now != nil {
		p.log.Info("another certificate is served from now on")
	}
	p.now = &read
	return nil
}
