package queue

import (
	"hash/fnv"
	"time"
)

const longest = 6 * time.Hour

// Backoff is the wait before the next attempt: doubled each time, at most six hours, spread by up to a tenth
// so that deliveries that failed together do not come back together.
func Backoff(first time.Duration, attempts int, key string) time.Duration {
	delay := first
	for i := 1; i < attempts && delay < longest; i++ {
		delay *= 2
	}
	if delay > longest {
		delay = longest
	}
	hash := fnv.New32a()
	hash.Write([]byte(key))
	return delay + delay/10*time.Duration(hash.Sum32()%100)/100
}
