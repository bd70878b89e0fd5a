// Package api is relay's HTTP face.
package api

import (
	"encoding/json"
	"net/http"

	"example.com/relay/internal/metrics"
	"example.com/relay/internal/storage"
)

// Server answers publishers and operators. Published is called after an event was stored.
type Server struct {
	Store     storage.Store
	Metrics   *metrics.Counters
	Tokens    map[string]string
	Published func()
}

type endpoint func(w http.ResponseWriter, r *http.Request) error

type route struct {
	pattern string
	open    bool
	handle  func(*Server) endpoint
}

// The table of everything that can be asked for. Open routes need no token.
var routes = []route{
	{"POST /topics/{topic}/events", false, func(s *Server) endpoint { return s.publish }},
	{"POST /subscriptions", false, func(s *Server) endpoint { return s.subscribe }},
	{"DELETE /subscriptions/{id}", false, func(s *Server) endpoint { return s.unsubscribe }},
	{"GET /dead", false, func(s *Server) endpoint { return s.listDead }},
	{"POST /dead/{event}/{subscription}/replay", false, func(s *Server) endpoint { return s.replay }},
	{"GET /metrics", true, func(s *Server) endpoint { return s.scrape }},
	{"GET /health", true, func(s *Server) endpoint { return s.health }},
}

// Handler builds the mux from the table; every endpoint is wrapped the same way.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, route := range routes {
		handler := s.render(route.handle(s))
		if !route.open {
			handler = s.requireToken(handler)
		}
		mux.Handle(route.pattern, limitBody(handler))
	}
	return logged(mux)
}

func writeJSON(w http.ResponseWriter, status int, value any) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	return json.NewEncoder(w).Encode(value)
}
