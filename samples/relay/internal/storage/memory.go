package storage

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"
)

func init() {
	Register("memory", func(string) (Store, error) { return NewMemory(), nil })
}

// Memory keeps everything in maps; it is gone when the process ends.
type Memory struct {
	mu            sync.Mutex
	subscriptions map[string]Subscription
	deliveries    map[string]Delivery
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{subscriptions: map[string]Subscription{}, deliveries: map[string]Delivery{}}
}

func (m *Memory) AddEvent(_ context.Context, event Event) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for _, subscription := range m.subscriptions {
		if subscription.Topic != event.Topic || subscription.Disabled {
			continue
		}
		id := fmt.Sprintf("%s/%s", event.ID, subscription.ID)
		m.deliveries[id] = Delivery{ID: id, Event: event, Subscription: subscription.ID, State: Pending, Due: event.Published}
		count++
	}
	return count, nil
}

func (m *Memory) AddSubscription(_ context.Context, subscription Subscription) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.subscriptions[subscription.ID] = subscription
	return nil
}

func (m *Memory) Subscription(_ context.Context, id string) (Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	subscription, found := m.subscriptions[id]
	if !found {
		return Subscription{}, ErrNotFound
	}
	return subscription, nil
}

func (m *Memory) DisableSubscription(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	subscription, found := m.subscriptions[id]
	if !found {
		return ErrNotFound
	}
	subscription.Disabled = true
	m.subscriptions[id] = subscription
	return nil
}

func (m *Memory) Claim(_ context.Context, now time.Time, limit int) ([]Delivery, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var due []Delivery
	for _, delivery := range m.deliveries {
		if delivery.State == Pending && !delivery.Due.After(now) {
			due = append(due, delivery)
		}
	}
	sort.Slice(due, func(i, j int) bool { return due[i].Due.Before(due[j].Due) })
	if len(due) > limit {
		due = due[:limit]
	}
	for i := range due {
		due[i].State = Claimed
		m.deliveries[due[i].ID] = due[i]
	}
	return due, nil
}

func (m *Memory) Save(_ context.Context, delivery Delivery) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deliveries[delivery.ID] = delivery
	return nil
}

func (m *Memory) InState(_ context.Context, state State) ([]Delivery, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []Delivery
	for _, delivery := range m.deliveries {
		if delivery.State == state {
			found = append(found, delivery)
		}
	}
	return found, nil
}

func (m *Memory) Close() error { return nil }
