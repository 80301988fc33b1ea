// Package pushtest is a push service (RFC 8030) and its browsers, for tests: it verifies signatures (RFC 8292) and decrypts (RFC 8291).
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Service is a push service.
type Service struct {
	URL string
	// Contact is the required prefix of the contact in messages. If not empty, RetryAfter is sent with each status of
	// Answer. Set them before the first message.
	Contact, RetryAfter string

	t        testing.TB
	mu       sync.Mutex
	browsers map[string]*Browser // by path
}

// Browser is a browser that has subscribed.
type Browser struct {
	Endpoint, P256dh, Auth string
	// Received has each message that arrived, decrypted.
	Received chan Received

	private  *ecdh.PrivateKey
	auth     []byte
	key      string // the public key of the only accepted sender
	statuses []int
}

// Received is a message.
type Received struct {
	Body   []byte
	Header http.Header
}

// New starts a push service, until the test ends.
func New(t testing.TB) *Service {
	s := &Service{Contact: "https://", t: t, browsers: map[string]*Browser{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Subscribe returns a browser that only accepts messages signed by a key.
func (s *Service) Subscribe(key string) *Browser {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &Browser{private: private, auth: make([]byte, 16), key: key, Received: make(chan Received, 100)}
	_, _ = rand.Read(b.auth) // it never fails
	b.P256dh, b.Auth = encode(private.PublicKey().Bytes()), encode(b.auth)
	path := "/" + rand.Text()
	b.Endpoint = s.URL + path
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[path] = b
	return b
}

// Answer makes the service answer the next messages for a browser with statuses, and not deliver them.
func (s *Service) Answer(b *Browser, statuses ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.statuses = append(b.statuses, statuses...)
}

// ServeHTTP accepts a message.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.browsers[r.URL.Path]
	body, err := io.ReadAll(io.LimitReader(r.Body, 4097))
	switch {
	case b == nil:
		w.WriteHeader(http.StatusNotFound)
		return
	case err != nil || len(body) > 4096:
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	case r.Method != http.MethodPost || r.Header.Get("TTL") == "" || r.Header.Get("Content-Encoding") != "aes128gcm":
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := s.verify(b, r.Header.Get("Authorization")); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if len(b.statuses) > 0 {
		if s.RetryAfter != "" {
			w.Header().Set("Retry-After", s.RetryAfter)
		}
		w.WriteHeader(b.statuses[0])
		b.statuses = b.statuses[1:]
		return
	}
	text, err := b.decrypt(body)
	if err == nil { // a browser silently drops a message that it cannot decrypt
		b.Received <- Received{text, r.Header}
	}
	w.WriteHeader(http.StatusCreated)
}

// verify returns an error unless a message is signed by the server that the browser has subscribed with.
func (s *Service) verify(b *Browser, authorization string) error {
	rest, is := strings.CutPrefix(authorization, "vapid t=")
	token, key, both := strings.Cut(rest, ", k=")
	if !is || !both || key != b.key {
		return errors.New("another server's message")
	}
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) {
		return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decode(key))
	}, jwt.WithValidMethods([]string{"ES256"}), jwt.WithAudience(s.URL), jwt.WithExpirationRequired())
	if err == nil && (time.Until(claims.ExpiresAt.Time) > 24*time.Hour || !strings.HasPrefix(claims.Subject, s.Contact)) {
		err = fmt.Errorf("the claims are %+v", claims)
	}
	return err
}

// decrypt decrypts a single record of RFC 8188 as in RFC 8291, section 3.4.
func (b *Browser) decrypt(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 || int(binary.BigEndian.Uint32(body[16:20])) < len(body)-86 {
		return nil, errors.New("no record")
	}
	salt, sender, sealed := body[:16], body[21:86], body[86:]
	other, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(other)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		if err != nil {
			panic(err) // the length is valid
		}
		return key
	}
	ikm := derive(shared, b.auth, "WebPush: info\x00"+string(b.private.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		return nil, err
	}
	text, last := strings.CutSuffix(strings.TrimRight(string(padded), "\x00"), "\x02")
	if !last {
		return nil, errors.New("no last record")
	}
	return []byte(text), nil
}

func encode(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func decode(text string) []byte {
	bytes, _ := base64.RawURLEncoding.DecodeString(text) // an invalid text becomes an invalid key
	return bytes
}
