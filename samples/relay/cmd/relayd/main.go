// Command relayd runs the relay.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/relay/internal/api"
	"example.com/relay/internal/config"
	"example.com/relay/internal/delivery"
	"example.com/relay/internal/metrics"
	"example.com/relay/internal/queue"
	"example.com/relay/internal/storage"
)

func main() {
	path := flag.String("config", "relay.json", "settings file")
	dry := flag.Bool("dry-run", false, "log deliveries instead of sending them")
	flag.Parse()
	if err := run(*path, *dry); err != nil {
		slog.Error("relayd ended", "error", err)
		os.Exit(1)
	}
}

func run(path string, dry bool) error {
	settings, err := config.Load(path)
	if err != nil {
		return err
	}
	store, err := storage.Open(settings.Storage)
	if err != nil {
		return err
	}
	defer store.Close()

	counters := metrics.New()
	var deliverer queue.Deliverer = delivery.NewWebhook(store, settings.Timeout())
	if dry {
		deliverer = delivery.Log{}
	}
	dispatcher := queue.New(store, deliverer, counters)
	dispatcher.Workers = settings.Workers
	dispatcher.MaxAttempts = settings.MaxAttempts
	dispatcher.FirstDelay = settings.FirstDelay()

	server := &api.Server{Store: store, Metrics: counters, Tokens: settings.Tokens, Published: dispatcher.Wake}
	return serve(settings.Listen, server.Handler(), dispatcher)
}

// serve runs both halves until a signal; deliveries in progress are finished first.
func serve(address string, handler http.Handler, dispatcher *queue.Dispatcher) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	web := &http.Server{Addr: address, Handler: handler, ReadHeaderTimeout: 5 * time.Second}

	var running sync.WaitGroup
	running.Add(1)
	go func() {
		defer running.Done()
		dispatcher.Run(ctx)
	}()
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = web.Shutdown(grace)
	}()
	err := web.ListenAndServe()
	stop()
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
