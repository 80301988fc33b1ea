package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"followup/internal/atomicfile"
)

// Limits for remembered browsers.
const (
	maxDevices = 16
	deviceTime = 90 * 24 * time.Hour
)

// announcedTime limits a check of the announced address.
const announcedTime = time.Second

// Devices stores, in a file, the last port and the admitted browsers, so that an open page reconnects after a restart. It only
// stores hashes of browsers' keys.
type Devices struct {
	path string

	mu   sync.Mutex
	kept remembered
}

// remembered is the content of the file.
type remembered struct {
	Port int `json:"port,omitempty"`
	// Address is the page's current address.
	Address string   `json:"address,omitempty"`
	Devices []device `json:"devices,omitempty"`
}

// device is a browser.
type device struct {
	// Hash is the SHA-256 of its key, in hexadecimal.
	Hash string `json:"hash"`
	// Seen is when it was last admitted, in seconds since 1970.
	Seen int64 `json:"seen"`
}

// OpenDevices reads the file. A missing or unreadable one is empty.
func OpenDevices(path string) *Devices {
	d := &Devices{path: path}
	if body, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(body, &d.kept)
	}
	return d
}

// Listen listens on address. If that has no port, it uses the last one if it is free.
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
		_ = d.write() // otherwise the next start uses another port
	}
	return listener, nil
}

// Announce stores the page's address for the user's other programs. An empty address removes it.
func (d *Devices) Announce(address string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept.Address = address
	return d.write()
}

// Announced returns the address, without a secret, of the running server with that file, or "" if none runs.
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

// add adds a browser, and returns its key.
func (d *Devices) add(now time.Time) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := rand.Text()
	d.kept.Devices = append(d.kept.Devices, device{Hash: hashOf(key), Seen: d.latest(now)})
	if over := len(d.kept.Devices) - maxDevices; over > 0 {
		d.kept.Devices = d.kept.Devices[over:]
	}
	return key, d.write()
}

// knows reports whether the browser with a key was admitted recently, and updates its time.
func (d *Devices) knows(key string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	hash := hashOf(key)
	i := slices.IndexFunc(d.kept.Devices, func(each device) bool { return same(each.Hash, hash) })
	if i < 0 || now.Sub(time.Unix(d.kept.Devices[i].Seen, 0)) > deviceTime {
		return false
	}
	known := d.kept.Devices[i]
	known.Seen = d.latest(now)
	d.kept.Devices = append(slices.Delete(d.kept.Devices, i, i+1), known)
	_ = d.write() // an old time is good enough
	return true
}

// latest returns a time in seconds that is not before any earlier one: a key that is used while the clock is behind must not count as old
// afterwards.
func (d *Devices) latest(now time.Time) int64 {
	latest := now.Unix()
	for _, each := range d.kept.Devices {
		latest = max(latest, each.Seen)
	}
	return latest
}

// write replaces the file, which only the user can read.
func (d *Devices) write() error {
	body, err := json.Marshal(d.kept)
	if err != nil {
		return err
	}
	return atomicfile.Write(d.path, body, 0o600, nil)
}

func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
