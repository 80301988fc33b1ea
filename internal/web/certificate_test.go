package web

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// certify returns a new certificate with a serial number, and its key.
func certify(t *testing.T, serial int64) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), DNSNames: []string{"hub.example"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

// New connections get a changed certificate. While its files are incomplete or unreadable, they get the previous one.
func TestCertificateIsReloaded(t *testing.T) {
	dir := t.TempDir()
	certificate, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	put := func(path string, data []byte) { // atomically, as renewal tools do
		t.Helper()
		if err := os.WriteFile(path+".new", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Certificate(certificate, key, zap.NewNop()); err == nil {
		t.Error("missing files were accepted")
	}
	one, oneKey := certify(t, 1)
	two, twoKey := certify(t, 2)
	put(certificate, one)
	put(key, twoKey)
	if _, err := Certificate(certificate, key, zap.NewNop()); err == nil {
		t.Error("another certificate's key was accepted")
	}
	put(key, oneKey)
	core, log := observer.New(zap.InfoLevel)
	config, err := Certificate(certificate, key, zap.New(core))
	if err != nil {
		t.Fatal(err)
	}
	served := func(when string, want int64) {
		t.Helper()
		given, err := config.GetCertificate(&tls.ClientHelloInfo{})
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(given.Certificate[0])
		if err != nil || leaf.SerialNumber.Int64() != want {
			t.Errorf("%s: %v, %v", when, leaf.SerialNumber, err)
		}
	}
	served("at first", 1)
	put(certificate, two)
	served("a certificate without its key", 1)
	put(key, twoKey)
	served("complete", 2)
	served("again", 2)
	put(key, []byte("no key"))
	served("damaged", 2)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	served("removed", 2)
	served("still removed", 2)
	put(key, twoKey)
	served("restored", 2)
	if got := log.FilterMessage("reloaded the certificate").Len(); got != 2 {
		t.Errorf("reloaded %d times, want 2", got)
	}

	// Overwrite the files in place, half a file at a time.
	three, threeKey := certify(t, 3)
	write := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(certificate, three[:len(three)/2])
	served("half of a file", 2)
	write(certificate, three)
	served("without its key", 2)
	write(key, threeKey[:len(threeKey)/2])
	served("half of a key", 2)
	write(key, threeKey)
	served("written", 3)
	if got := log.FilterLevelExact(zap.ErrorLevel).Len(); got != 1 {
		t.Errorf("the log has %d errors within a minute, want 1", got)
	}
}
