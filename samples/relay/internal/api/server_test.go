package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/relay/internal/metrics"
	"example.com/relay/internal/storage"
)

func ask(t *testing.T, token, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	store := storage.NewMemory()
	_ = store.AddSubscription(context.Background(), storage.Subscription{ID: "s", Topic: "builds"})
	server := &Server{Store: store, Metrics: metrics.New(), Tokens: map[string]string{"ci": "good"}, Published: func() {}}
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+token)
	answer := httptest.NewRecorder()
	server.Handler().ServeHTTP(answer, request)
	return answer
}

func TestPublishing(t *testing.T) {
	for _, c := range []struct {
		token string
		want  int
	}{{"good", http.StatusAccepted}, {"bad", http.StatusUnauthorized}} {
		if got := ask(t, c.token, "POST", "/topics/builds/events", "{}"); got.Code != c.want {
			t.Errorf("token %s: got %d, want %d", c.token, got.Code, c.want)
		}
	}
}

func TestHealthNeedsNoToken(t *testing.T) {
	if got := ask(t, "", "GET", "/health", ""); got.Code != http.StatusOK {
		t.Errorf("got %d", got.Code)
	}
}
