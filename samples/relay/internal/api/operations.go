package api

import (
	"net/http"
	"time"

	"example.com/relay/internal/storage"
)

func (s *Server) listDead(w http.ResponseWriter, r *http.Request) error {
	dead, err := s.Store.InState(r.Context(), storage.Dead)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, dead)
}

// replay gives a parked delivery a fresh start.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("event") + "/" + r.PathValue("subscription")
	dead, err := s.Store.InState(r.Context(), storage.Dead)
	if err != nil {
		return err
	}
	for _, delivery := range dead {
		if delivery.ID == id {
			delivery.State, delivery.Attempts, delivery.Due = storage.Pending, 0, time.Now()
			if err := s.Store.Save(r.Context(), delivery); err != nil {
				return err
			}
			s.Published()
			return writeJSON(w, http.StatusAccepted, delivery)
		}
	}
	return storage.ErrNotFound
}

func (s *Server) scrape(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	_, err := s.Metrics.WriteTo(w)
	return err
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}
