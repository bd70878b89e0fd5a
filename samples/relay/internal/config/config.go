// Package config reads relayd's settings.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Config is everything an operator can set.
type Config struct {
	Listen       string            `json:"listen"`
	Storage      string            `json:"storage"`
	Workers      int               `json:"workers"`
	MaxAttempts  int               `json:"max_attempts"`
	FirstDelayMS int               `json:"first_delay_ms"`
	TimeoutMS    int               `json:"timeout_ms"`
	Tokens       map[string]string `json:"tokens"`
}

// FirstDelay is the wait after the first failure.
func (c Config) FirstDelay() time.Duration { return time.Duration(c.FirstDelayMS) * time.Millisecond }

// Timeout is how long a subscriber may take to answer.
func (c Config) Timeout() time.Duration { return time.Duration(c.TimeoutMS) * time.Millisecond }

// Load reads the file, lets RELAY_* variables override it and checks the result.
func Load(path string) (Config, error) {
	c := Config{Listen: "127.0.0.1:7070", Storage: "memory:", Workers: 4, MaxAttempts: 8, FirstDelayMS: 1000, TimeoutMS: 10000}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return c, err
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &c); err != nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	overrideFromEnvironment(&c)
	return c, c.validate()
}

func overrideFromEnvironment(c *Config) {
	if v := os.Getenv("RELAY_LISTEN"); v != "" {
		c.Listen = v
	}
	if v := os.Getenv("RELAY_STORAGE"); v != "" {
		c.Storage = v
	}
	if n, err := strconv.Atoi(os.Getenv("RELAY_WORKERS")); err == nil {
		c.Workers = n
	}
}

func (c Config) validate() error {
	switch {
	case c.Workers < 1:
		return errors.New("workers must be at least 1")
	case c.MaxAttempts < 1:
		return errors.New("max_attempts must be at least 1")
	case len(c.Tokens) == 0:
		return errors.New("no tokens: nobody could publish")
	}
	return nil
}
