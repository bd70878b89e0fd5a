package api

import (
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/relay/internal/storage"
)

const maxBody = 1 << 20

// problem is an error with a status that the caller may see.
type problem struct {
	status  int
	message string
}

func (p problem) Error() string { return p.message }

// render turns an endpoint's error into a response.
func (s *Server) render(next endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := next(w, r)
		var known problem
		switch {
		case err == nil:
		case errors.As(err, &known):
			_ = writeJSON(w, known.status, map[string]string{"error": known.message})
		case errors.Is(err, storage.ErrNotFound):
			_ = writeJSON(w, http.StatusNotFound, map[string]string{"error": "not found"})
		default:
			slog.Error("request failed", "path", r.URL.Path, "error", err)
			_ = writeJSON(w, http.StatusInternalServerError, map[string]string{"error": "internal error"})
		}
	})
}

// requireToken lets through who knows one of the configured tokens.
func (s *Server) requireToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		for _, token := range s.Tokens {
			if subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1 {
				next.ServeHTTP(w, r)
				return
			}
		}
		_ = writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "a token is needed"})
	})
}

func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		next.ServeHTTP(w, r)
		slog.Info("request", "method", r.Method, "path", r.URL.Path, "took", time.Since(started))
	})
}
