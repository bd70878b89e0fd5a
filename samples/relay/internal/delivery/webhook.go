// Package delivery holds the ways an event can reach a subscriber.
package delivery

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/relay/internal/queue"
	"example.com/relay/internal/signing"
	"example.com/relay/internal/storage"
)

// Webhook posts the event to the subscription's URL.
type Webhook struct {
	Store  storage.Store
	Client *http.Client
}

// NewWebhook makes a deliverer whose requests end after the timeout and never follow redirects.
func NewWebhook(store storage.Store, timeout time.Duration) *Webhook {
	client := &http.Client{
		Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	return &Webhook{Store: store, Client: client}
}

func (w *Webhook) Deliver(ctx context.Context, delivery storage.Delivery) (queue.Outcome, error) {
	subscription, err := w.Store.Subscription(ctx, delivery.Subscription)
	if err != nil {
		return queue.Gone, fmt.Errorf("subscription %s: %w", delivery.Subscription, err)
	}
	if subscription.Disabled {
		return queue.Gone, fmt.Errorf("subscription %s has ended", subscription.ID)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, subscription.URL, bytes.NewReader(delivery.Event.Body))
	if err != nil {
		return queue.Gone, err
	}
	request.Header.Set("Relay-Event", delivery.Event.ID)
	request.Header.Set("Relay-Topic", delivery.Event.Topic)
	request.Header.Set("Relay-Attempt", strconv.Itoa(delivery.Attempts+1))
	request.Header.Set("Relay-Signature", signing.Sign(subscription.Secret, delivery.Event.Body, time.Now()))
	response, err := w.Client.Do(request)
	if err != nil {
		return queue.Retry, err
	}
	defer response.Body.Close()
	return classify(response.StatusCode)
}

func classify(status int) (queue.Outcome, error) {
	switch {
	case status >= 200 && status < 300:
		return queue.Accepted, nil
	case status == http.StatusGone:
		return queue.Gone, fmt.Errorf("subscriber answered %d", status)
	default:
		return queue.Retry, fmt.Errorf("subscriber answered %d", status)
	}
}
