// Package signing proves to a subscriber that a request is ours.
package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Sign returns the value of the Relay-Signature header.
func Sign(secret string, body []byte, at time.Time) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.", at.Unix())
	mac.Write(body)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(mac.Sum(nil)))
}

// Verify is the subscriber's half; it refuses signatures older than five minutes.
func Verify(secret, header string, body []byte, now time.Time) bool {
	var unix int64
	if _, err := fmt.Sscanf(header, "t=%d,", &unix); err != nil {
		return false
	}
	at := time.Unix(unix, 0)
	if now.Sub(at) > 5*time.Minute {
		return false
	}
	return hmac.Equal([]byte(header), []byte(Sign(secret, body, at)))
}
