package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/relay/internal/clock"
	"example.com/relay/internal/metrics"
	"example.com/relay/internal/storage"
)

type scripted struct{ outcome Outcome }

func (s scripted) Deliver(context.Context, storage.Delivery) (Outcome, error) {
	if s.outcome == Accepted {
		return Accepted, nil
	}
	return s.outcome, errors.New("no")
}

func settled(t *testing.T, outcome Outcome, attempts int) storage.Delivery {
	t.Helper()
	store := storage.NewMemory()
	d := New(store, scripted{outcome}, metrics.New())
	d.Clock = &clock.Fake{Current: time.Unix(1000, 0)}
	d.MaxAttempts = 3
	delivery := storage.Delivery{ID: "e/s", Subscription: "s", Attempts: attempts, State: storage.Claimed}
	_ = store.AddSubscription(context.Background(), storage.Subscription{ID: "s"})
	d.settle(context.Background(), delivery, outcome, errors.New("no"))
	for _, state := range []storage.State{storage.Pending, storage.Delivered, storage.Dead} {
		if found, _ := store.InState(context.Background(), state); len(found) == 1 {
			return found[0]
		}
	}
	t.Fatal("the delivery was not saved")
	return storage.Delivery{}
}

func TestAFailureIsPutBack(t *testing.T) {
	if got := settled(t, Retry, 0); got.State != storage.Pending || !got.Due.After(time.Unix(1000, 0)) {
		t.Errorf("got %+v", got)
	}
}

func TestTheLastFailureIsDead(t *testing.T) {
	if got := settled(t, Retry, 2); got.State != storage.Dead {
		t.Errorf("got %+v", got)
	}
}
