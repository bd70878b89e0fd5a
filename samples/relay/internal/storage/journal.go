package storage

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"
)

func init() {
	Register("journal", func(location string) (Store, error) { return OpenJournal(location) })
}

// Journal is a Memory whose changes are appended to a file and replayed at start.
type Journal struct {
	*Memory
	mu   sync.Mutex
	file *os.File
}

type entry struct {
	Kind         string        `json:"kind"`
	Subscription *Subscription `json:"subscription,omitempty"`
	Delivery     *Delivery     `json:"delivery,omitempty"`
}

// OpenJournal replays the file and continues it. A torn last line is what a crash leaves behind: it is dropped.
func OpenJournal(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	journal := &Journal{Memory: NewMemory(), file: file}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			break
		}
		journal.replay(e)
	}
	return journal, lines.Err()
}

// replay puts an entry back into memory. What was claimed when the process ended is due again.
func (j *Journal) replay(e entry) {
	switch e.Kind {
	case "subscription":
		j.Memory.subscriptions[e.Subscription.ID] = *e.Subscription
	case "delivery":
		if e.Delivery.State == Claimed {
			e.Delivery.State = Pending
		}
		j.Memory.deliveries[e.Delivery.ID] = *e.Delivery
	}
}

func (j *Journal) AddEvent(ctx context.Context, event Event) (int, error) {
	count, err := j.Memory.AddEvent(ctx, event)
	if err != nil {
		return 0, err
	}
	pending, _ := j.Memory.InState(ctx, Pending)
	for _, delivery := range pending {
		if delivery.Event.ID == event.ID {
			if err := j.append(entry{Kind: "delivery", Delivery: &delivery}); err != nil {
				return 0, err
			}
		}
	}
	return count, j.file.Sync()
}

func (j *Journal) AddSubscription(ctx context.Context, subscription Subscription) error {
	if err := j.append(entry{Kind: "subscription", Subscription: &subscription}); err != nil {
		return err
	}
	return j.Memory.AddSubscription(ctx, subscription)
}

func (j *Journal) DisableSubscription(ctx context.Context, id string) error {
	if err := j.Memory.DisableSubscription(ctx, id); err != nil {
		return err
	}
	subscription, err := j.Memory.Subscription(ctx, id)
	if err != nil {
		return err
	}
	return j.append(entry{Kind: "subscription", Subscription: &subscription})
}

func (j *Journal) Claim(ctx context.Context, now time.Time, limit int) ([]Delivery, error) {
	return j.Memory.Claim(ctx, now, limit)
}

func (j *Journal) Save(ctx context.Context, delivery Delivery) error {
	if err := j.append(entry{Kind: "delivery", Delivery: &delivery}); err != nil {
		return err
	}
	return j.Memory.Save(ctx, delivery)
}

func (j *Journal) append(e entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(raw, '\n'))
	return err
}

func (j *Journal) Close() error {
	return errors.Join(j.file.Sync(), j.file.Close())
}
