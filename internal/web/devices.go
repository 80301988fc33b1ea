package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// How many browsers are remembered, and for how long after they were last here.
const (
	maxDevices = 16
	deviceTime = 90 * 24 * time.Hour
)

// announcedTime is how long a look at the announced address may take.
const announcedTime = time.Second

// Devices remembers, in a file, the port that was listened on and the browsers that were let in, so that a page that is open finds
// the server after a restart and comes in again. Of a browser's key only the hash is kept.
type Devices struct {
	path string

	mu   sync.Mutex
	kept remembered
}

// remembered is what the file holds.
type remembered struct {
	Port int `json:"port,omitempty"`
	// Address is where the page is served now.
	Address string   `json:"address,omitempty"`
	Devices []device `json:"devices,omitempty"`
}

// device is a browser.
type device struct {
	// Hash is its key's SHA-256, in hex.
	Hash string `json:"hash"`
	// Seen is when it was last let in, in seconds since 1970.
	Seen int64 `json:"seen"`
}

// OpenDevices reads the file; one that is missing or cannot be read holds nothing.
func OpenDevices(path string) *Devices {
	d := &Devices{path: path}
	if body, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(body, &d.kept)
	}
	return d
}

// Listen listens on address. Where that leaves the port open, it is the one of the last time if it is free.
func (d *Devices) Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port != "0" {
		return net.Listen("tcp", address)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(d.kept.Port)))
	if err != nil && d.kept.Port != 0 {
		listener, err = net.Listen("tcp", address)
	}
	if err != nil {
		return nil, err
	}
	if taken, ok := listener.Addr().(*net.TCPAddr); ok && taken.Port != d.kept.Port {
		d.kept.Port = taken.Port
		_ = d.write() // the next start takes another port
	}
	return listener, nil
}

// Announce notes where the page is served, for other programs of the user. An empty address takes that back.
func (d *Devices) Announce(address string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept.Address = address
	return d.write()
}

// Announced returns the address, without a secret, of the server that keeps that file of devices; empty if none runs.
func Announced(path string) string {
	address := OpenDevices(path).kept.Address
	parsed, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	authority := parsed.Host
	if parsed.Port() == "" {
		authority = net.JoinHostPort(parsed.Hostname(), usualPorts[parsed.Scheme])
	}
	conn, err := net.DialTimeout("tcp", authority, announcedTime)
	if err != nil { // it was killed
		return ""
	}
	_ = conn.Close()
	return address
}

// add remembers a browser, and returns the key by which it comes in again.
func (d *Devices) add(now time.Time) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := random()
	d.kept.Devices = append(d.kept.Devices, device{Hash: hashOf(key), Seen: now.Unix()})
	if over := len(d.kept.Devices) - maxDevices; over > 0 {
		d.kept.Devices = d.kept.Devices[over:]
	}
	return key, d.write()
}

// knows reports whether a browser with that key was let in not too long ago, and notes that it is here.
func (d *Devices) knows(key string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	hash := hashOf(key)
	i := slices.IndexFunc(d.kept.Devices, func(each device) bool { return same(each.Hash, hash) })
	if i < 0 || now.Sub(time.Unix(d.kept.Devices[i].Seen, 0)) > deviceTime {
		return false
	}
	known := d.kept.Devices[i]
	known.Seen = now.Unix()
	d.kept.Devices = append(slices.Delete(d.kept.Devices, i, i+1), known)
	_ = d.write() // it is remembered as it was
	return true
}

// write replaces the file, which only the user can read.
func (d *Devices) write() error {
	body, err := json.Marshal(d.kept)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(d.path), ".web-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(body)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), d.path)
}

func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
