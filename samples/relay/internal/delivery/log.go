package delivery

import (
	"context"
	"log/slog"

	"example.com/relay/internal/queue"
	"example.com/relay/internal/storage"
)

// Log writes deliveries to the log instead of sending them; for trying things out.
type Log struct{}

func (Log) Deliver(_ context.Context, delivery storage.Delivery) (queue.Outcome, error) {
	slog.Info("would deliver", "event", delivery.Event.ID, "to", delivery.Subscription, "bytes", len(delivery.Event.Body))
	return queue.Accepted, nil
}
