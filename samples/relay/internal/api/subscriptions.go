package api

import (
	"encoding/json"
	"net/http"
	"net/url"

	"example.com/relay/internal/storage"
)

func (s *Server) subscribe(w http.ResponseWriter, r *http.Request) error {
	var wanted storage.Subscription
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		return problem{http.StatusBadRequest, "the body is not a subscription"}
	}
	if err := checkTarget(wanted.URL); err != nil {
		return err
	}
	wanted.ID, wanted.Secret, wanted.Disabled = newID(), newID(), false
	if err := s.Store.AddSubscription(r.Context(), wanted); err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, wanted)
}

func (s *Server) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	if err := s.Store.DisableSubscription(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func checkTarget(raw string) error {
	target, err := url.Parse(raw)
	if err != nil || target.Host == "" || (target.Scheme != "https" && target.Hostname() != "localhost") {
		return problem{http.StatusBadRequest, "url must be https"}
	}
	return nil
}
