// Package queue moves due deliveries to workers and decides what becomes of them.
package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"example.com/relay/internal/clock"
	"example.com/relay/internal/metrics"
	"example.com/relay/internal/storage"
)

// Outcome is what a deliverer learned.
type Outcome int

const (
	Accepted Outcome = iota
	Retry
	Gone
)

// Deliverer brings one delivery to its subscriber.
type Deliverer interface {
	Deliver(ctx context.Context, delivery storage.Delivery) (Outcome, error)
}

// Dispatcher claims what is due and runs the workers.
type Dispatcher struct {
	Store       storage.Store
	Deliverer   Deliverer
	Clock       clock.Clock
	Metrics     *metrics.Counters
	Workers     int
	MaxAttempts int
	FirstDelay  time.Duration
	wake        chan struct{}
}

// New makes a dispatcher that is not running yet.
func New(store storage.Store, deliverer Deliverer, counters *metrics.Counters) *Dispatcher {
	return &Dispatcher{
		Store: store, Deliverer: deliverer, Clock: clock.Real{}, Metrics: counters,
		Workers: 1, MaxAttempts: 8, FirstDelay: time.Second, wake: make(chan struct{}, 1),
	}
}

// Wake asks for a look at the store now instead of at the next tick.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default: // somebody already asked
	}
}

// Run blocks until the context ends and the workers have finished what they hold.
func (d *Dispatcher) Run(ctx context.Context) {
	jobs := make(chan storage.Delivery)
	var workers sync.WaitGroup
	for i := 0; i < d.Workers; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			d.work(ctx, jobs)
		}()
	}
	for ctx.Err() == nil {
		d.feed(ctx, jobs)
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-d.Clock.After(time.Second):
		}
	}
	close(jobs)
	workers.Wait()
}

func (d *Dispatcher) feed(ctx context.Context, jobs chan<- storage.Delivery) {
	claimed, err := d.Store.Claim(ctx, d.Clock.Now(), d.Workers*4)
	if err != nil {
		slog.Error("claiming failed", "error", err)
		return
	}
	for _, delivery := range claimed {
		jobs <- delivery
	}
}

func (d *Dispatcher) work(ctx context.Context, jobs <-chan storage.Delivery) {
	for delivery := range jobs {
		outcome, err := d.Deliverer.Deliver(ctx, delivery)
		d.settle(context.WithoutCancel(ctx), delivery, outcome, err)
	}
}

// settle records an attempt: done, put back with a delay, or dead.
func (d *Dispatcher) settle(ctx context.Context, delivery storage.Delivery, outcome Outcome, cause error) {
	delivery.Attempts++
	if cause != nil {
		delivery.LastError = cause.Error()
	}
	switch {
	case outcome == Accepted:
		delivery.State = storage.Delivered
		d.Metrics.Inc("delivered")
	case outcome == Gone:
		delivery.State = storage.Dead
		if err := d.Store.DisableSubscription(ctx, delivery.Subscription); err != nil {
			slog.Error("could not end a subscription", "id", delivery.Subscription, "error", err)
		}
		d.Metrics.Inc("gone")
	case delivery.Attempts >= d.MaxAttempts:
		delivery.State = storage.Dead
		d.Metrics.Inc("dead")
	default:
		delivery.State = storage.Pending
		delivery.Due = d.Clock.Now().Add(Backoff(d.FirstDelay, delivery.Attempts, delivery.ID))
		d.Metrics.Inc("retried")
	}
	if err := d.Store.Save(ctx, delivery); err != nil {
		slog.Error("could not save a delivery", "id", delivery.ID, "error", err)
	}
}
