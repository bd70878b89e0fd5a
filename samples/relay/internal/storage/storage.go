// Package storage keeps events, subscriptions and deliveries.
package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNotFound is returned when there is nothing under that id.
var ErrNotFound = errors.New("not found")

// Event is what a publisher sent.
type Event struct {
	ID        string    `json:"id"`
	Topic     string    `json:"topic"`
	Body      []byte    `json:"body"`
	Published time.Time `json:"published"`
}

// Subscription is somebody who wants events of a topic.
type Subscription struct {
	ID       string `json:"id"`
	Topic    string `json:"topic"`
	URL      string `json:"url"`
	Secret   string `json:"secret"`
	Disabled bool   `json:"disabled"`
}

// State is where a delivery stands.
type State string

const (
	Pending   State = "pending"
	Claimed   State = "claimed"
	Delivered State = "delivered"
	Dead      State = "dead"
)

// Delivery is one event on its way to one subscription.
type Delivery struct {
	ID           string    `json:"id"`
	Event        Event     `json:"event"`
	Subscription string    `json:"subscription"`
	State        State     `json:"state"`
	Attempts     int       `json:"attempts"`
	Due          time.Time `json:"due"`
	LastError    string    `json:"last_error,omitempty"`
}

// Store is what the service needs from a database. Implementations must be safe for concurrent use.
type Store interface {
	// AddEvent stores the event and one pending delivery for every live subscription of its topic.
	AddEvent(ctx context.Context, event Event) (deliveries int, err error)
	AddSubscription(ctx context.Context, subscription Subscription) error
	Subscription(ctx context.Context, id string) (Subscription, error)
	DisableSubscription(ctx context.Context, id string) error
	// Claim marks up to limit due deliveries as claimed and returns them.
	Claim(ctx context.Context, now time.Time, limit int) ([]Delivery, error)
	Save(ctx context.Context, delivery Delivery) error
	InState(ctx context.Context, state State) ([]Delivery, error)
	Close() error
}

// Opener makes a store from what follows the colon in the setting.
type Opener func(location string) (Store, error)

var openers = map[string]Opener{}

// Register makes a kind of storage available under a scheme; called from init functions.
func Register(scheme string, open Opener) { openers[scheme] = open }

// Open picks the storage by the setting's scheme, as in "journal:relay.journal".
func Open(setting string) (Store, error) {
	scheme, location, _ := strings.Cut(setting, ":")
	open, known := openers[scheme]
	if !known {
		return nil, fmt.Errorf("storage %q is not known", scheme)
	}
	return open(location)
}
