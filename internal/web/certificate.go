package web

import (
	"bytes"
	"crypto/tls"
	"fmt"
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

	mu       sync.Mutex
	seen     [2][]byte // the files as they were last read
	now      *tls.Certificate
	troubles rate.Sometimes // limits the log: anyone can cause these errors
}

func (p *pair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.read(); err != nil {
		p.troubles.Do(func() { p.log.Error("cannot reload the certificate; the previous one is served", zap.Error(err)) })
	}
	return p.now, nil
}

// read reads the files, and replaces the certificate if they have changed.
func (p *pair) read() error {
	certificate, err := os.ReadFile(p.certificate)
	if err != nil {
		return err
	}
	key, err := os.ReadFile(p.key)
	if err != nil || bytes.Equal(certificate, p.seen[0]) && bytes.Equal(key, p.seen[1]) {
		return err
	}
	p.seen = [2][]byte{certificate, key}
	read, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	if p.now != nil {
		p.log.Info("reloaded the certificate")
	}
	p.now = &read
	return nil
}
