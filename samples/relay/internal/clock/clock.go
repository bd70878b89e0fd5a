// Package clock lets tests decide what time it is.
package clock

import "time"

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// Real is the machine's clock.
type Real struct{}

func (Real) Now() time.Time                         { return time.Now() }
func (Real) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Fake moves only when told to.
type Fake struct{ Current time.Time }

func (f *Fake) Now() time.Time { return f.Current }

func (f *Fake) After(d time.Duration) <-chan time.Time {
	f.Current = f.Current.Add(d)
	fired := make(chan time.Time, 1)
	fired <- f.Current
	return fired
}
