// Package metrics counts what happened, in the plain text form that scrapers read.
package metrics

import (
	"fmt"
	"io"
	"sort"
	"sync"
)

// Counters is a set of named counters.
type Counters struct {
	mu     sync.Mutex
	values map[string]int
}

// New makes an empty set.
func New() *Counters { return &Counters{values: map[string]int{}} }

// Inc adds one.
func (c *Counters) Inc(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[name]++
}

// WriteTo prints one counter a line, sorted by name.
func (c *Counters) WriteTo(out io.Writer) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := make([]string, 0, len(c.values))
	for name := range c.values {
		names = append(names, name)
	}
	sort.Strings(names)
	var written int64
	for _, name := range names {
		n, err := fmt.Fprintf(out, "relay_%s_total %d\n", name, c.values[name])
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
