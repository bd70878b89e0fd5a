// Command relayctl talks to a running relay.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

var commands = map[string]func(base, token string, args []string) error{
	"dead": func(base, token string, _ []string) error {
		return call(http.MethodGet, base+"/dead", token)
	},
	"replay": func(base, token string, args []string) error {
		if len(args) != 2 {
			return fmt.Errorf("usage: relayctl replay EVENT SUBSCRIPTION")
		}
		return call(http.MethodPost, base+"/dead/"+args[0]+"/"+args[1]+"/replay", token)
	},
	"metrics": func(base, _ string, _ []string) error {
		return call(http.MethodGet, base+"/metrics", "")
	},
}

func main() {
	base := os.Getenv("RELAY_URL")
	if base == "" {
		base = "http://127.0.0.1:7070"
	}
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: relayctl dead|replay|metrics")
		os.Exit(2)
	}
	command, known := commands[os.Args[1]]
	if !known {
		fmt.Fprintln(os.Stderr, "unknown command:", os.Args[1])
		os.Exit(2)
	}
	if err := command(base, os.Getenv("RELAY_TOKEN"), os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func call(method, url, token string) error {
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("relay answered %s", response.Status)
	}
	return nil
}
