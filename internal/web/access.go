package web

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.uber.org/zap"
)

// cookieName is the name of the browser's cookie.
const cookieName = "followup"

// maxSecret limits a secret in bytes.
const maxSecret = 256

// policy is the content security policy: only the page's own files, images that the user adds, and its socket.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guarded rejects every request that does not come from this server's own page: after DNS rebinding another site's page has another
// Host, and one that merely sends requests has another Origin.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		scheme, known := s.hosts[strings.ToLower(r.Host)]
		if !known {
			s.refuse(w, r, http.StatusMisdirectedRequest, "the host is not this server")
			return
		}
		if s.options.Door != nil && scheme == "https" && !strings.HasPrefix(strings.ToLower(r.Host), "localhost") {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if !s.ownOrigin(r) {
			s.refuse(w, r, http.StatusForbidden, "the origin is not this server")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownOrigin reports whether a request comes from this server's page. Only requests for the page and its files may omit the origin.
// A proxy may change the Host header but must keep the Origin. If the page is served with TLS, an unencrypted page of the same host
// could be an attacker's.
func (s *Server) ownOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return r.Method == http.MethodGet && len(r.Header.Values("Upgrade")) == 0
	}
	origin, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 || origin.Scheme != "http" && origin.Scheme != "https" {
		return false
	}
	if _, between := s.between[originOf(origin)]; between {
		return true
	}
	return strings.EqualFold(origin.Host, r.Host) && (origin.Scheme == "https" || s.hosts[strings.ToLower(r.Host)] != "https")
}

// refuse answers with a status and logs the reason. The answer never quotes the request.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	s.log.Warn("refused", zap.String("reason", why), zap.Int("status", status), zap.String("method", r.Method),
		zap.String("host", r.Host), zap.String("origin", r.Header.Get("Origin")), zap.String("from", r.RemoteAddr))
	http.Error(w, why, status)
}

// turnAway rejects a visitor, with the time to try again.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, refusal *Refusal) {
	refusal.SetRetryAfter(w.Header())
	s.refuse(w, r, refusal.Status, refusal.Why)
}

// login exchanges the secret, which is the request's body, for a cookie. It returns the path of the socket. A second line may have the
// key of a browser that was admitted before, which opens an old link again.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(loginTime))
	secret, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSecret))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		s.refuse(w, r, http.StatusRequestEntityTooLarge, "the secret is too long")
		return
	case err != nil:
		s.refuse(w, r, http.StatusBadRequest, "the secret did not arrive")
		return
	}
	given, device, _ := strings.Cut(string(secret), "\n")
	cookie, refusal := s.door.Login(given, device)
	if refusal != nil {
		s.turnAway(w, r, refusal)
		return
	}
	own, folder := s.cookie(r)
	own.Value, own.MaxAge = cookie.Value, int(cookie.MaxAge.Seconds())
	http.SetCookie(w, own)
	w.Header().Set("Content-Type", "application/json")
	answer := map[string]string{"path": folder + s.path + "/socket"}
	if cookie.Device != "" {
		answer["device"] = cookie.Device
	}
	if cookie.Account != "" {
		answer["account"], answer["team"] = cookie.Account, cookie.Team
	}
	_ = json.NewEncoder(w).Encode(answer)
	s.log.Info("a browser logged in", zap.String("from", r.RemoteAddr))
}

// logout deletes the browser's cookie.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	c, _ := s.cookie(r)
	c.MaxAge = -1
	http.SetCookie(w, c)
	w.WriteHeader(http.StatusNoContent)
}

// cookie returns the cookie for the page of a request, without a value, and the page's folder there.
//
// A browser sends a cookie to every port of a host. So the cookie is bound to a path that only the page knows, which other servers
// on this machine do not get. Hubs all have the same path, so a hub needs its own host name. With the cookie prefixes, browsers
// only accept it from an encrypted page: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie
func (s *Server) cookie(r *http.Request) (_ *http.Cookie, folder string) {
	c := &http.Cookie{Name: cookieName, Path: s.path, HttpOnly: true, Secure: s.options.TLS != nil, SameSite: http.SameSiteStrictMode}
	if origin, err := url.Parse(r.Header.Get("Origin")); err == nil && origin.Scheme != "" {
		folder, c.Secure = s.between[originOf(origin)], origin.Scheme == "https"
		c.Path = folder + s.path
	}
	switch {
	case c.Secure && s.options.Door != nil && folder == "":
		c.Name, c.Path = "__Host-"+cookieName, "/"
	case c.Secure:
		c.Name = "__Secure-" + cookieName
	}
	return c, folder
}

// admit admits a page by its cookie. It returns nil after it has rejected the request.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) *Visit {
	own, _ := s.cookie(r)
	cookies := r.CookiesNamed(own.Name)
	if len(cookies) == 0 { // a browser forgets its cookies when it is closed: the page logs in again by its key
		s.log.Info("a page without a cookie has to log in", zap.String("from", r.RemoteAddr))
		http.Error(w, "the cookie is missing", http.StatusUnauthorized)
		return nil
	}
	var refusal *Refusal
	for _, c := range cookies {
		var visit Visit
		if visit, refusal = s.door.Enter(c.Value, Page); refusal == nil {
			return &visit
		}
	}
	s.turnAway(w, r, refusal)
	return nil
}

// admitProgram admits a program by its token.
func (s *Server) admitProgram(w http.ResponseWriter, r *http.Request) *Visit {
	if len(r.Header.Values("Origin")) > 0 && !s.ownOrigin(r) { // programs send none
		s.refuse(w, r, http.StatusForbidden, "the origin is not this server")
		return nil
	}
	by := Program
	if r.Header.Get(RelayHeader) != "" {
		by = Relayed
	}
	visit, refusal := s.door.Enter(BearerToken(r), by)
	if refusal != nil {
		if refusal.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		s.turnAway(w, r, refusal)
		return nil
	}
	return &visit
}

// BearerToken returns the bearer token of a request; empty if it has none.
func BearerToken(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(token) > maxSecret {
		return ""
	}
	return strings.TrimSpace(token)
}

// same compares in constant time.
func same(given, wanted string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(wanted)) == 1
}

// enter registers a page. It returns false if too many are open, or the server has stopped.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.options.MaxPages || s.ended.Err() != nil {
		return false
	}
	s.open++
	s.pages.Add(1)
	return true
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	s.pages.Done()
}
