// What a Go program does for the same requests with net/http: goroutines that share one HTTP/2 transport, each with
// one request in flight.
// Usage: bench-go URL CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE; the version must be 2.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/net/http2"
)

const (
	warmUp        = 300 * time.Millisecond
	authorization = "Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OnNlY3JldHNlY3JldHNlY3JldHNlY3I="
)

type reply struct {
	MessageID string `json:"msg_id"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench-go:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 6 || arguments[2] != "2" {
		return errors.New("usage: bench-go URL CA-FILE 2 IN-FLIGHT SECONDS BODY-FILE")
	}
	url := arguments[0]
	client, err := newClient(arguments[1])
	if err != nil {
		return err
	}
	inFlight, err := strconv.Atoi(arguments[3])
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(arguments[4], 64)
	if err != nil {
		return err
	}
	body, err := os.ReadFile(arguments[5])
	if err != nil {
		return err
	}
	// Until the transport knows the limit of the server, it takes 100 streams for it and may open more connections.
	// One request before the others lets it know.
	if err := send(client, url, body); err != nil {
		return err
	}

	var finished atomic.Int64
	var isOver atomic.Bool
	var workers sync.WaitGroup
	for index := 0; index < inFlight; index++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for !isOver.Load() {
				if err := send(client, url, body); err != nil {
					fmt.Fprintln(os.Stderr, "bench-go:", err)
					os.Exit(1)
				}
				finished.Add(1)
			}
		}()
	}
	time.Sleep(warmUp)
	begin, used, before := time.Now(), cpu(), finished.Load()
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	elapsed, total, after := time.Since(begin), cpu()-used, finished.Load()
	peak := peakKB()
	isOver.Store(true)
	workers.Wait()
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"requests": after - before, "seconds": elapsed.Seconds(), "cpu": total.Seconds(), "peakKB": peak,
	})
}

func newClient(caFile string) (*http.Client, error) {
	certificate, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(certificate) {
		return nil, errors.New("no certificate in " + caFile)
	}
	transport := &http2.Transport{
		TLSClientConfig: &tls.Config{RootCAs: authorities},
		ReadIdleTimeout: 15 * time.Second,
	}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}, nil
}

func send(client *http.Client, url string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", authorization)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var decoded reply
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || decoded.MessageID == "" {
		return fmt.Errorf("the server answered %d with %q", response.StatusCode, answer)
	}
	return nil
}

// The CPU of all threads, in user and kernel mode.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Not from getrusage: that also counts what the parent process held before this program began.
func peakKB() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kb, _ := strconv.Atoi(fields[1])
			return kb
		}
	}
	return 0
}
