package api

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"time"

	"example.com/relay/internal/storage"
)

// publish stores the event and only then acknowledges it.
func (s *Server) publish(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return problem{http.StatusRequestEntityTooLarge, "an event may have one megabyte"}
	}
	if err != nil {
		return err
	}
	event := storage.Event{ID: newID(), Topic: r.PathValue("topic"), Body: body, Published: time.Now()}
	count, err := s.Store.AddEvent(r.Context(), event)
	if err != nil {
		return err
	}
	s.Metrics.Inc("published")
	s.Published()
	return writeJSON(w, http.StatusAccepted, map[string]any{"id": event.ID, "deliveries": count})
}

func newID() string {
	raw := make([]byte, 12)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}
